package judge

import "sync"

// A Capacity limits the memory of recordings that are held at the same time. It says which of them are held: those that
// fit together with all recordings before them in the order. So the result depends on their order and sizes, and never
// on which size became known first. A Capacity holds no recordings itself, and several goroutines may use it.
type Capacity struct {
	limit int
	lock  sync.Mutex
	sizes []int
}

// NewCapacity returns a Capacity for recordings whose sizes add up to at most limit.
func NewCapacity(limit int) *Capacity { return &Capacity{limit: limit} }

// Places adds n recordings to the end of the order, and returns the place of the first.
func (r *Capacity) Places(n int) int {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.sizes = append(r.sizes, make([]int, n)...)
	return len(r.sizes) - n
}

// Take notes the size of the recording at a place, and reports whether it may be held for now. Once it may not, later
// sizes never change that.
func (r *Capacity) Take(place, size int) bool {
	r.lock.Lock()
	r.sizes[place] = size
	r.lock.Unlock()
	return r.Holds(place)
}

// Holds reports whether the recording at a place fits together with all before it. The answer is final when the sizes
// of all those are known.
func (r *Capacity) Holds(place int) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	sum := 0
	for _, size := range r.sizes[:place+1] {
		sum += size
	}
	return sum <= r.limit
}
