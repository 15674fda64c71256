package root

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// times numbers the entries and exits of a tree and remembers the functions that ran.
type times struct {
	now          int
	enter, leave map[*diff.Node]int
	ran          map[spectra.Symbol]bool // declared functions
	changed      []moment                // entries and exits of changed functions, in order
	functions    map[*Function]bool      // these functions
}

type moment struct {
	at       int
	function *Function
}

func newTimes(root *diff.Node, x *index) *times {
	t := &times{
		enter: map[*diff.Node]int{}, leave: map[*diff.Node]int{}, ran: map[spectra.Symbol]bool{},
		functions: map[*Function]bool{},
	}
	t.visit(root, x)
	return t
}

func (t *times) visit(n *diff.Node, x *index) {
	t.now++
	t.enter[n] = t.now
	t.note(n.Function, x)
	hidden := slices.Clone(n.Hidden)
	slices.SortStableFunc(hidden, func(a, b diff.Hidden) int { return cmp.Compare(a.Before, b.Before) })
	for i := 0; i <= len(n.Children); i++ {
		for len(hidden) > 0 && hidden[0].Before <= i {
			t.now++
			t.note(hidden[0].Execution.Symbol, x)
			hidden = hidden[1:]
		}
		if i < len(n.Children) {
			t.visit(n.Children[i], x)
		}
	}
	t.now++
	t.leave[n] = t.now
	t.note(n.Function, x)
}

func (t *times) note(s spectra.Symbol, x *index) {
	t.ran[s.Declared()] = true
	if change := x.changed(s); change != nil {
		t.changed, t.functions[change] = append(t.changed, moment{t.now, change}), true
	}
}

// of returns the time at which the deviation of a region shows first.
func (t *times) of(r *region) int {
	switch {
	case r.heuristic == 2:
		return t.leave[r.in]
	case r.at != nil:
		return t.enter[r.at]
	case r.in.Parent != nil:
		return t.leave[r.in]
	}
	return math.MaxInt
}

// before returns the changed functions that were entered or left before a time, the last one first.
func (t *times) before(at int) (list []*Function) {
	n := sort.Search(len(t.changed), func(i int) bool { return t.changed[i].at >= at })
	for _, m := range slices.Backward(t.changed[:n]) {
		if len(list) == len(t.functions) {
			break
		}
		if !slices.Contains(list, m.function) {
			list = append(list, m.function)
		}
	}
	return list
}
