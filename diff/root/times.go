package root

import (
	"math"
	"slices"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/spectra"
)

// This file orders the events in a tree by time.

// times numbers the entries and exits of a tree and remembers what ran.
type times struct {
	now          int
	enter, leave map[*diff.Node]int
	ran          map[spectra.Symbol]bool // declared functions
	changed      []moment                // entries and exits of changed functions, in order
}

type moment struct {
	at       int
	function *Function
}

func newTimes(root *diff.Node, x *index) *times {
	t := &times{enter: map[*diff.Node]int{}, leave: map[*diff.Node]int{}, ran: map[spectra.Symbol]bool{}}
	t.visit(root, x)
	return t
}

func (t *times) visit(n *diff.Node, x *index) {
	t.now++
	t.enter[n] = t.now
	t.note(n.Function, x)
	for i := 0; i <= len(n.Children); i++ {
		for _, h := range n.Hidden {
			if h.Before == i {
				t.now++
				t.note(h.Execution.Symbol, x)
			}
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
		t.changed = append(t.changed, moment{t.now, change})
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
	for _, m := range slices.Backward(t.changed) {
		if m.at < at && !slices.Contains(list, m.function) {
			list = append(list, m.function)
		}
	}
	return list
}
