// Package room says which of several recordings are held at the same time, so that they take no more than so much in
// all.
//
// In: the sizes of recordings that stand in an order, as they become known. Out: whether one is held. That depends on
// their order and sizes, never on which became known first: each counts with all that stand before it in the order. The
// package holds nothing itself. It may be used by several goroutines.
package room

import "sync"

// A Room is how much may be held.
type Room struct {
	limit int
	lock  sync.Mutex
	sizes []int
}

// New returns a room of a size.
func New(limit int) *Room { return &Room{limit: limit} }

// Places adds n recordings to the end of the order, and returns the place of the first.
func (r *Room) Places(n int) int {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.sizes = append(r.sizes, make([]int, n)...)
	return len(r.sizes) - n
}

// Take notes the size of what stands at a place. If it returns false that can't be held, whatever is taken later.
func (r *Room) Take(place, size int) bool {
	r.lock.Lock()
	r.sizes[place] = size
	r.lock.Unlock()
	return r.Holds(place)
}

// Holds reports whether what stands at a place can be held with all before it. It is certain when all those are taken.
func (r *Room) Holds(place int) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	sum := 0
	for _, size := range r.sizes[:place+1] {
		sum += size
	}
	return sum <= r.limit
}
