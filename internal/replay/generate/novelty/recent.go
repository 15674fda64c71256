package novelty

// Recent is a set with bounded memory: of very many keys it keeps the latest.
type Recent[K comparable] struct {
	least          int
	latest, before map[K]bool
}

// NewRecent returns a set that keeps at least so many keys, and at most twice as many.
func NewRecent[K comparable](least int) *Recent[K] {
	return &Recent[K]{least: least, latest: map[K]bool{}}
}

// Add adds a key and reports whether it is new.
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
