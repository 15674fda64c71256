package novelty

// Recent remembers what it was asked about. Its memory is bounded: of very many keys only the latest stay.
type Recent[K comparable] struct {
	least          int
	latest, before map[K]bool
}

// NewRecent remembers at least so many keys, and at most twice as many.
func NewRecent[K comparable](least int) *Recent[K] {
	return &Recent[K]{least: least, latest: map[K]bool{}}
}

// Add reports whether a key is new, and remembers it.
func (r *Recent[K]) Add(key K) bool {
	if r.latest[key] {
		return false
	}
	isNew := !r.before[key]
	if len(r.latest) == r.least {
		r.latest, r.before = map[K]bool{}, r.latest
	}
	r.latest[key] = true
	return isNew
}
