package novelty

import "testing"

// TestRecent checks that recent keys are not new, and that memory is bounded.
func TestRecent(t *testing.T) {
	const least = 10
	r := NewRecent[int](least)
	for i := range 100 {
		if !r.Add(i) {
			t.Errorf("%d is not new at first", i)
		}
		for old := max(0, i-least+1); old <= i; old++ {
			if r.Add(old) {
				t.Errorf("%d is new again after %d others", old, i-old)
			}
		}
		if n := len(r.latest) + len(r.before); n > 2*least {
			t.Fatalf("%d keys are remembered, at most %d may be", n, 2*least)
		}
	}
	if !r.Add(0) {
		t.Error("what was asked about long ago is still remembered")
	}
}
