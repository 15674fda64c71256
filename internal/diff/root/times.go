package root

import (
	"cmp"
	"math"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// times numbers the entries and exits of a tree and remembers the functions that ran.
type times struct {
	now          int
	enter, leave map[*diff.Node]int
	ran          map[spectra.Symbol]bool // declared functions
	changed      map[*Function][]int     // the entries and exits of changed functions, in order
}

func newTimes(root *diff.Node, x *index) *times {
	t := &times{
		enter: map[*diff.Node]int{}, leave: map[*diff.Node]int{}, ran: map[spectra.Symbol]bool{},
		changed: map[*Function][]int{},
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
		t.changed[change] = append(t.changed[change], t.now)
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
	last := map[*Function]int{}
	for change, moments := range t.changed {
		if i, _ := slices.BinarySearch(moments, at); i > 0 {
			last[change] = moments[i-1]
			list = append(list, change)
		}
	}
	slices.SortFunc(list, func(x, y *Function) int { return cmp.Compare(last[y], last[x]) })
	return list
}
