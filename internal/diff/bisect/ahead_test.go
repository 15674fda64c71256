package bisect_test

import (
	"iter"
	"math/rand"
	"reflect"
	"slices"
	"testing"
)

// TestAhead holds what is said to be likely against what is asked next: it changes nothing, names no version that was
// asked, and has most questions ready for those who get three answers at the same time.
func TestAhead(t *testing.T) {
	asked, ready := 0, 0
	for seed := range int64(300) {
		l := randomLine(rand.New(rand.NewSource(seed)))
		alone := l.find(t)
		var told, got []int
		before := map[int]bool{}
		l.asking = func(version int) {
			if before[version] {
				ready++
			}
			asked, got = asked+1, append(got, version)
			for _, v := range told {
				before[v] = true
			}
		}
		l.ahead = func(_ int, likely iter.Seq[int]) {
			told = nil
			for v := range likely {
				if slices.Contains(got, v) || slices.Contains(told, v) {
					t.Fatalf("seed %d: version %d is likely after %v and %v", seed, v, got, told)
				}
				if told = append(told, v); len(told) == 3 {
					break
				}
			}
		}
		if with := l.find(t); !reflect.DeepEqual(with, alone) {
			t.Fatalf("seed %d: %+v, with looks ahead %+v", seed, alone, with)
		}
	}
	t.Logf("%d of %d questions were ready", ready, asked)
	if 10*ready < 7*asked {
		t.Errorf("%d of %d questions were ready, want seven of ten", ready, asked)
	}
}
