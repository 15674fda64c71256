package judge_test

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff/judge"
)

// TestRoom: what is held does not depend on the order in which sizes become known.
func TestRoom(t *testing.T) {
	sizes := []int{4, 3, 5, 1}
	want := []bool{true, true, false, false}
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}} {
		r := judge.NewCapacity(10)
		first := r.Places(2)
		if second := r.Places(2); first != 0 || second != 2 {
			t.Fatalf("places from %d and %d", first, second)
		}
		for _, i := range order {
			if held := r.Take(i, sizes[i]); want[i] && !held {
				t.Errorf("order %v: %d is refused too early", order, i)
			}
		}
		for i := range sizes {
			if r.Holds(i) != want[i] {
				t.Errorf("order %v: %d is held: %v, want %v", order, i, !want[i], want[i])
			}
		}
	}
}
