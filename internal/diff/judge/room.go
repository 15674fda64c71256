package judge

import "sync"

// A Room is how much may be held.
type Capacity struct {
	limit int
	lock  sync.Mutex
	sizes []int
}

// New returns a room of a size.
func NewCapacity(limit int) *Capacity { return &Capacity{limit: limit} }

// Places adds n recordings to the end of the order, and returns the place of the first.
func (r *Capacity) Places(n int) int {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.sizes = append(r.sizes, make([]int, n)...)
	return len(r.sizes) - n
}

// Take notes the size of what stands at a place. If it returns false that can't be held, whatever is taken later.
func (r *Capacity) Take(place, size int) bool {
	r.lock.Lock()
	r.sizes[place] = size
	r.lock.Unlock()
	return r.Holds(place)
}

// Holds reports whether what stands at a place can be held with all before it. It is certain when all those are taken.
func (r *Capacity) Holds(place int) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	sum := 0
	for _, size := range r.sizes[:place+1] {
		sum += size
	}
	return sum <= r.limit
}
