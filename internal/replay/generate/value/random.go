package value

import (
	"math/rand/v2"
	"slices"
)

// A Random is the only source of randomness of a run. Copies draw from the same stream.
type Random struct{ *rand.Rand }

// NewRandom returns the source of a seed.
func NewRandom(seed uint64) Random { return Random{rand.New(rand.NewPCG(seed, 0x5bec7a))} }

// Chance returns true with the probability p.
func (r Random) Chance(p float64) bool { return r.Float64() < p }

// Weighted draws an index by weight. It returns -1 if all weights are zero.
func (r Random) Weighted(weights ...float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	x := r.Float64() * sum
	for i, w := range weights {
		if x -= w; x < 0 && w > 0 {
			return i
		}
	}
	return -1
}

// Several draws up to n different indexes by weight.
func (r Random) Several(n int, weights []int) (drawn []int) {
	total := 0
	for _, w := range weights {
		total += w
	}
	left := slices.Clone(weights)
	for range min(n, len(weights)) {
		at, x := 0, r.IntN(total)
		for x >= left[at] {
			x -= left[at]
			at++
		}
		drawn, total, left[at] = append(drawn, at), total-left[at], 0
	}
	return drawn
}

// Pick draws an element of a list.
func Pick[T any](r Random, list []T) T { return list[r.IntN(len(list))] }

// PickShort returns the smallest of up to three random elements of a list that must not be empty.
func PickShort[T any](r Random, list []T, size func(T) int) T {
	found := Pick(r, list)
	for range r.Weighted(1, 1, 2) {
		if other := Pick(r, list); size(other) < size(found) {
			found = other
		}
	}
	return found
}

// PickFrom returns a random element among those that fit. It returns false if none does.
func PickFrom[T any](r Random, list []T, fits func(T) bool) (found T, ok bool) {
	n := 0
	for _, one := range slices.Backward(list) {
		if fits(one) {
			if n++; r.IntN(n) == 0 {
				found = one
			}
		}
	}
	return found, n > 0
}
