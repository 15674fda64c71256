package match_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/match/matchtest"
)

const module = "example.com/m."

// versions has a renamed function, exchanged parameters and others. The cases make the points.
const versions = `-- old/go.mod --
module example.com/m
-- old/m.go --
package m

var seen, Total int

func before(n int) int {
	for range n {
		seen += n
	}
	return seen * 2
}
func swapped(low, high int) int { return high - low }
func stranger(n int) int        { return n + 1 }
func (t T) Value() int          { return int(t) }

type T int
-- new/go.mod --
module example.com/m
-- new/m.go --
package m

var met, Total int

func after(n int) int {
	for range n {
		met += n
	}
	return met * 2
}
func swapped(high, low int) int { return high - low }
func stranger(s string, more ...string) []string {
	for _, m := range more {
		s += m
	}
	return append(more, s)
}
func (t *T) Value() int { return int(*t) }

type T int
`

// point reads "F.func1=body@file:place p name type, s name type", file and place if there are any: r, p, c or s for
// receiver, parameter, captured variable, result.
func point(text string) spectra.Point {
	head, rest, _ := strings.Cut(text, " ")
	name, body, _ := strings.Cut(head, "=")
	body, file, _ := strings.Cut(body, "@")
	file, place, _ := strings.Cut(file, ":")
	p := spectra.Point{Symbol: spectra.Symbol(module + name), Body: body, File: file, Place: place}
	kinds := map[string]spectra.SlotKind{"r": spectra.Receiver, "p": spectra.Parameter, "c": spectra.Captured,
		"s": spectra.Result}
	for slot := range strings.SplitSeq(rest, ", ") {
		if fields := strings.Fields(slot); len(fields) == 3 {
			typ := strings.ReplaceAll(fields[2], "T", module+"T")
			p.Slots = append(p.Slots, spectra.SlotDecl{Kind: kinds[fields[0]], Name: fields[1], Type: typ})
		}
	}
	return p
}

// list reads points that are separated by semicolons.
func list(text string) (values []spectra.Point, pointers []*spectra.Point) {
	for line := range strings.SplitSeq(text, "; ") {
		if line != "" {
			values = append(values, point(line))
		}
	}
	for i := range values {
		pointers = append(pointers, &values[i])
	}
	return values, pointers
}

func pairs(t *testing.T, old, new string) *match.PointPairs {
	t.Helper()
	_, olds := list(old)
	_, news := list(new)
	return match.MatchPoints(matchtest.Match(t, versions), olds, news)
}

func TestMatch(t *testing.T) {
	for _, c := range []struct{ reason, old, new, want string }{
		{"a renamed function", "before=1 p n int", "after=2 p n int", "before=after"},
		{"its literals go with it", "before=1; before.func1=x", "after=1; after.func1=y",
			"before.func1=after.func1 before=after"},
		{"a function of that name that is another one", "stranger=1; stranger.func1=x",
			"stranger=2; stranger.func1=x", ""},
		{"only one version has it", "swapped=1", "other=1", ""},
		{"a function that is not recorded has literals", "swapped.func1=x", "swapped.func1=x",
			"swapped.func1=swapped.func1"},
		{"a literal was put before the others: bodies tell", "swapped=1; swapped.func1=x; swapped.func2=y",
			"swapped=1; swapped.func1=z; swapped.func2=x; swapped.func3=y",
			"swapped.func1=swapped.func2 swapped.func2=swapped.func3 swapped=swapped"},
		{"equal bodies in their order", "swapped.func1=x; swapped.func2=x", "swapped.func1=x; swapped.func2=x",
			"swapped.func1=swapped.func1 swapped.func2=swapped.func2"},
		{"another file came, with a literal like others", "glob..func1=x@b; glob..func2=x@c",
			"glob..func1=x@a; glob..func2=x@b; glob..func3=x@c",
			"glob..func1=glob..func2 glob..func2=glob..func3"},
		{"one like others came, of another variable", "glob..func1=x@a:b Run; glob..func2=x@a:c Run",
			"glob..func1=x@a:a Run; glob..func2=x@a:b Run; glob..func3=x@a:c Run",
			"glob..func1=glob..func2 glob..func2=glob..func3"},
		{"a variable was renamed", "glob..func1=x@a:b; glob..func2=x@a:c", "glob..func1=x@a:d; glob..func2=x@a:c",
			"glob..func1=glob..func1 glob..func2=glob..func2"},
		{"moved to another file, where another was before", "glob..func1=x@a:b; glob..func2=y@a:c",
			"glob..func1=y@a:c; glob..func2=x@d:e; glob..func3=x@d:b",
			"glob..func1=glob..func3 glob..func2=glob..func1"},
		{"other neighbours tell", "glob..func1=x; glob..func2=y; glob..func3=x; glob..func4=z",
			"glob..func1=y; glob..func2=x; glob..func3=z",
			"glob..func2=glob..func1 glob..func3=glob..func2 glob..func4=glob..func3"},
		{"changed bodies in their order, of equal signatures", "swapped.func1=a p n int; swapped.func2=b",
			"swapped.func1=c; swapped.func2=d p k int",
			"swapped.func1=swapped.func2 swapped.func2=swapped.func1"},
		{"one came: nobody knows which", "swapped.func1=a; swapped.func2=b",
			"swapped.func1=c; swapped.func2=d; swapped.func3=e", ""},
		{"one went: nobody knows which", "swapped.func1=a; swapped.func2=b; swapped.func3=c",
			"swapped.func1=d; swapped.func2=e", ""},
		{"captured variables are a matter of the body", "swapped.func1=a c n int", "swapped.func1=b c k int",
			"swapped.func1=swapped.func1"},
		{"one body and another signature", "swapped.func1=a p n int", "swapped.func1=a p n string", ""},
	} {
		var got []string
		for new, old := range pairs(t, c.old, c.new).Olds() {
			got = append(got, strings.ReplaceAll(string(old+"="+new), module, ""))
		}
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.reason, got, c.want)
		}
	}
}

func TestSlots(t *testing.T) {
	for _, c := range []struct{ reason, old, new, want string }{
		{"all in their order need no list", "before=1 p n int, s ret0 int", "after=1 p k int, s ret0 int", ""},
		{"exchanged parameters", "swapped=1 p low int, p high int", "swapped=1 p high int, p low int",
			"[{0 false} {1 false}] [{1 false} {0 false}]"},
		{"a receiver became a pointer", "T.Value=1 r t T", "(*T).Value=1 r t *T", "[{0 false}] [{0 true}]"},
		{"nothing in common is an empty list", "before=1 p n int", "after=1 p s string", "[] []"},
	} {
		p := pairs(t, c.old, c.new)
		slots, got := p.Slots(), ""
		for new, old := range p.Olds() {
			if list := slots.Old[old]; list != nil {
				got = fmt.Sprint(list, " ", slots.New[new])
			}
		}
		if got != c.want || len(p.Olds()) != 1 {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}

func TestNamedLeavesThePointsAlone(t *testing.T) {
	values, olds := list("swapped=1 p low int, p high int, s ret0 int; other=2 p n int")
	_, news := list("swapped=1 p high int, p low int, s sum int")
	named := match.MatchPoints(matchtest.Match(t, versions), olds, news).Named(values)
	text := func(p spectra.Point) string {
		var names []string
		for _, s := range p.Slots {
			names = append(names, s.Name)
		}
		return strings.Join(names, " ")
	}
	for i, want := range []string{"low high ret0", "n"} {
		if got := text(named[i]); got != want {
			t.Errorf("named: %s, want %s", got, want)
		}
	}
	if got := text(values[0]); got != "low high ret0" {
		t.Errorf("the point itself has the slots %s now", got)
	}
}

func TestTouched(t *testing.T) {
	p := pairs(t, "before=1; swapped=2", "after=1; swapped=2")
	symbols := func(function string, names ...string) map[spectra.Symbol][]string {
		var full []string
		for _, name := range names {
			full = append(full, module+name)
		}
		return map[spectra.Symbol][]string{spectra.Symbol(module + function): full}
	}
	for _, c := range []struct {
		reason   string
		constant spectra.Pair[map[string]bool]
		want     string
	}{
		{"what either touches, by old's names", spectra.Pair[map[string]bool]{}, "before [0 1] after [0 1]"},
		{"constant in both is left out", spectra.Pair[map[string]bool]{
			Old: map[string]bool{module + "seen": true}, New: map[string]bool{module + "met": true},
		}, "before [0] after [0]"},
		{"constant in one is not", spectra.Pair[map[string]bool]{Old: map[string]bool{module + "seen": true}},
			"before [0 1] after [0 1]"},
	} {
		touched := p.Touched(spectra.Pair[map[spectra.Symbol][]string]{
			Old: symbols("before", "seen"), New: symbols("after", "met", "Total", "unknown"),
		}, c.constant)
		var got []string
		touched.Each(func(_ spectra.Side, list map[spectra.Symbol][]int) {
			for _, symbol := range slices.Sorted(maps.Keys(list)) {
				got = append(got, fmt.Sprint(strings.TrimPrefix(string(symbol), module), " ", list[symbol]))
			}
		})
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.reason, got, c.want)
		}
	}
}

func TestNumbersAreTheSameInBoth(t *testing.T) {
	p := pairs(t, "swapped=2; init=3; init=4; before=1", "init=3; init=4; after=1; swapped=2")
	numbers, olds := p.Numbers(), p.Olds()
	seen := map[uint32]bool{}
	for new, number := range numbers.New {
		if numbers.Old[olds[new]] != number || seen[number] || int(number) >= len(olds) {
			t.Errorf("%s has the number %d, its counterpart %d", new, number, numbers.Old[olds[new]])
		}
		seen[number] = true
	}
	if len(seen) != 3 {
		t.Errorf("%d functions have numbers, want 3: all that are called init have one", len(seen))
	}
}
