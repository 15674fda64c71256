package align

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

func TestEqual(t *testing.T) {
	for _, test := range []struct {
		reason, old, new string
		limit            int
		want             string
	}{
		{"nothing", "", "", 9, "[]"},
		{"identical", "a b", "a b", 9, "[{0 0} {1 1}]"},
		{"an insertion", "a b", "a x b", 9, "[{0 0} {1 2}]"},
		{"a removal", "a x b", "a b", 9, "[{0 0} {2 1}]"},
		{"removals come before insertions", "a b", "b a", 9, "[{1 0}]"},
		{"an edit too many and an element of its own to cut at", "1 2 u 3 4", "5 6 u 7 8", 3, "[{2 2}]"},
		{"cuts in another order: the longest run that ascends", "1 u v w 2", "3 w u v 4", 3, "[{1 2} {2 3}]"},
		{"no element of its own: nothing between the equal ends", "a 1 x x 2 z", "a 3 x x 4 z", 2, "[{0 0} {5 5}]"},
		{"the same with edits enough", "a 1 x x 2 z", "a 3 x x 4 z", 4, "[{0 0} {2 2} {3 3} {5 5}]"},
	} {
		got := fmt.Sprint(Equal(strings.Fields(test.old), strings.Fields(test.new), test.limit))
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.reason, got, test.want)
		}
	}
}

func TestExact(t *testing.T) {
	for _, test := range []struct{ reason, old, new, want string }{
		{"nothing", "", "", "[]"},
		{"one side empty", "", "a", "[]"},
		{"removals come before insertions", "a b", "b a", "[{1 0}]"},
		{"of equal elements the first is taken", "a a", "a", "[{0 0}]"},
		{"also where the end is equal", "x }", "y } }", "[{1 1}]"},
	} {
		if got := fmt.Sprint(Exact(strings.Fields(test.old), strings.Fields(test.new))); got != test.want {
			t.Errorf("%s: %s, want %s", test.reason, got, test.want)
		}
	}
}

func TestGaps(t *testing.T) {
	for _, test := range []struct {
		reason   string
		pairs    []Pair
		old, new int
		want     string
	}{
		{"nothing", nil, 0, 0, "[]"},
		{"all paired", []Pair{{0, 0}, {1, 1}}, 2, 2, "[]"},
		{"none paired", nil, 1, 2, "[{{0 1} {0 2}}]"},
		{"in front, between and behind", []Pair{{1, 0}, {2, 3}}, 4, 4, "[{{0 1} {0 0}} {{2 2} {1 3}} {{3 4} {4 4}}]"},
	} {
		if got := fmt.Sprint(Gaps(test.pairs, test.old, test.new)); got != test.want {
			t.Errorf("%s: %s, want %s", test.reason, got, test.want)
		}
	}
}

// TestEqualOnRandom checks that pairs ascend and are equal, and that both functions leave over as few
// elements as possible.
func TestEqualOnRandom(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	list := func() []byte {
		elements := make([]byte, random.Intn(20))
		for i := range elements {
			elements[i] = byte(random.Intn(5))
		}
		return elements
	}
	for range 3000 {
		old, new := list(), list()
		want := longest(old, new)
		for name, pairs := range map[string][]Pair{"Equal": Equal(old, new, 100), "Exact": Exact(old, new)} {
			last, fits := Pair{-1, -1}, true
			for _, p := range pairs {
				fits = fits && p.Old > last.Old && p.New > last.New && old[p.Old] == new[p.New]
				last = p
			}
			if !fits || len(pairs) != want {
				t.Fatalf("%s of %v and %v: %v, want %d pairs", name, old, new, pairs, want)
			}
		}
	}
}
