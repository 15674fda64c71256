package align

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// An element is written as a letter and a digit. Equal letters match weakly.
type element struct{ name, value byte }

var problem = Problem[element]{
	Weight: func(x, y element) int {
		switch {
		case x == y:
			return Full
		case x.name == y.name:
			return 1
		}
		return 0
	},
	Compare: func(x, y element) int {
		return slices.Compare([]byte{x.name, x.value}, []byte{y.name, y.value})
	},
}

func parse(s string) []element {
	var list []element
	for _, word := range strings.Fields(s) {
		list = append(list, element{word[0], word[1]})
	}
	return list
}

func TestAlign(t *testing.T) {
	for _, test := range []struct{ reason, old, new, want string }{
		{"nothing", "", "", "[]"},
		{"identical", "a1 b1", "a1 b1", "[{0 0} {1 1}]"},
		{"an insertion", "a1 b1", "a1 c1 b1", "[{0 0} {1 2}]"},
		{"a removal", "a1 c1 b1", "a1 b1", "[{0 0} {2 1}]"},
		{"the full match wins over the earlier weak one", "a2", "a1 a2", "[{0 1}]"},
		{"weak matches where nothing better is", "a1 b1", "a2 b2", "[{0 0} {1 1}]"},
		{"two weak ones are worth a full one: the earlier pair is taken", "a1 b1", "b1 a2", "[{1 0}]"},
		{"different names never pair", "a1", "b1", "[]"},
		{"shifted values", "a0 a1 a2", "a1 a2 a3", "[{1 0} {2 1}]"},
	} {
		if got := fmt.Sprint(problem.Align(parse(test.old), parse(test.new))); got != test.want {
			t.Errorf("%s: %s, want %s", test.reason, got, test.want)
		}
	}
}

func mirror(pairs []Pair) []Pair {
	var out []Pair
	for _, p := range pairs {
		out = append(out, Pair{p.New, p.Old})
	}
	return out
}

// check returns an error for a property that an alignment does not have.
func check(old, new []element) error {
	pairs := problem.Align(old, new)
	last := Pair{-1, -1}
	for _, p := range pairs {
		if p.Old <= last.Old || p.New <= last.New || p.Old >= len(old) || p.New >= len(new) {
			return fmt.Errorf("pair %v after %v is out of order", p, last)
		}
		if problem.Weight(old[p.Old], new[p.New]) == 0 {
			return fmt.Errorf("pair %v does not match", p)
		}
		last = p
	}
	if back := problem.Align(new, old); !slices.Equal(mirror(back), pairs) {
		return fmt.Errorf("%v, but exchanged %v", pairs, back)
	}
	for i, p := range problem.Align(old, old) {
		if p != (Pair{i, i}) {
			return fmt.Errorf("with itself: pair %d is %v", i, p)
		}
	}
	return nil
}

func decode(b []byte) []element {
	list := make([]element, len(b))
	for i, c := range b {
		list[i] = element{'a' + c%3, '0' + c/3%4}
	}
	return list
}

func FuzzAlign(f *testing.F) {
	f.Add([]byte("abcd"), []byte("acbd"))
	f.Fuzz(func(t *testing.T, old, new []byte) {
		if len(old)*len(new) > 1<<16 {
			return
		}
		if err := check(decode(old), decode(new)); err != nil {
			t.Error(err)
		}
		// Myers' algorithm must find a subsequence of the same length.
		if got, want := len(Equal(old, new, patience)), longest(old, new); got != want && len(old)+len(new) < patience {
			t.Errorf("%d pairs, the longest common subsequence has %d", got, want)
		}
	})
}

// longest returns the length of the longest common subsequence, from a table of all prefixes.
func longest(old, new []byte) int {
	row := make([]int, len(new)+1)
	for _, c := range old {
		diagonal := 0
		for j, d := range new {
			above := row[j+1]
			if c == d {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j], above)
			}
			diagonal = above
		}
	}
	return row[len(new)]
}

func TestAlignLong(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	old := make([]byte, 20_000)
	for i := range old {
		old[i] = byte(random.Intn(12))
	}
	edited := slices.Clone(old)
	for range 200 {
		i := random.Intn(len(edited) - 1)
		edited = slices.Delete(edited, i, i+1)
	}
	if n := len(problem.Align(decode(old), decode(edited))); n != len(edited) {
		t.Errorf("%d pairs after removals only, want all %d", n, len(edited))
	}
	shuffled := slices.Clone(old)
	random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for _, other := range [][]byte{edited, shuffled, nil} {
		if err := check(decode(old), decode(other)); err != nil {
			t.Errorf("%d against %d elements: %v", len(old), len(other), err)
		}
	}
}
