package diff

import (
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// node fills in a new node and everything below it.
func (c *comparer) node(n *Node, old, new *facts) {
	if old != nil && new != nil {
		n.Function = new.Symbol
		c.classify(n, old, new)
	} else {
		n.Entry, n.Exit = Undecided, Undecided
		if new != nil {
			n.Function, n.Class = new.Symbol, alone(new, NewOnly, c.runs.Old)
		} else {
			n.Function, n.Class = old.Symbol, alone(old, OldOnly, c.runs.New)
		}
	}
	c.children(n, old.children(), new.children(), -1)
}

func alone(f *facts, class Class, other *run) Class {
	switch {
	case f.unstable || !f.entryKnown || !f.outKnown:
		return Unknown
	case other.holds(f):
		return Reordered
	}
	return class
}

func (c *comparer) classify(n *Node, old, new *facts) {
	n.Entry = c.compareState(noise.Entry, old, new)
	n.Exit = c.compareState(noise.Exit, old, new)
	if old.How != new.How {
		n.Exit = Different
	}
	n.Left = old.Left != new.Left
	switch {
	case n.Entry == Undecided && old.How == new.How:
		n.Class = Unknown
	case n.Entry == Different:
		n.Class = Follower
	case n.Exit == Different, n.Left:
		n.Class = Container
	default:
		n.Class = Same
	}
	if !n.Class.Deviates() {
		return
	}
	if n.Class == Follower && (old.unstable || new.unstable) {
		n.Class = Unknown
	} else if c.runs.New.holds(old) && c.runs.Old.holds(new) {
		n.Class = Reordered
	}
}

// compareState compares one state of a pair. Different digests of equal values (a field that only one
// version has) are no difference.
func (c *comparer) compareState(at noise.State, old, new *facts) Match {
	oldSum, newSum, known := old.Entry, new.Entry, old.entryKnown && new.entryKnown
	if at == noise.Exit {
		oldSum, newSum, known = old.Exit, new.Exit, old.outKnown && new.outKnown
	}
	switch {
	case !known:
		old.vague, new.vague = true, true
		return Undecided
	case oldSum == newSum:
		return Equal
	}
	oldState, newState := stateOf(old.execution, at), stateOf(new.execution, at)
	recorded := oldState.Recorded() && newState.Recorded()
	if !recorded || len(c.differences(new.Symbol, at, oldState, newState)) > 0 {
		return Different
	}
	c.alike[oldSum] = newSum
	return Equal
}

func stateOf(e *spectra.Execution, at noise.State) spectra.State {
	if at == noise.Entry {
		return e.Entry
	}
	return e.Exit
}

// differences lists how two states differ, as far as the values of both are known.
func (c *comparer) differences(function spectra.Symbol, at noise.State, old, new spectra.State) []Difference {
	if !old.Recorded() || !new.Recorded() {
		return nil
	}
	return differences(old.Slots(), new.Slots(), c.Mask.Under(function, at), func(s string) string {
		name, _ := c.oldFunction(spectra.Symbol(s))
		return string(name)
	})
}
