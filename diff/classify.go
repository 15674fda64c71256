package diff

import (
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/spectra"
)

// This file defines how nodes are classified.

// node fills in a new node and everything below it.
func (c *comparer) node(n *Node) {
	f := c.facts[n.Execution()]
	n.Function = f.Symbol
	if n.Old != nil && n.New != nil {
		c.classify(n)
		c.children(n, n.Old.Children, n.New.Children, -1)
		return
	}
	n.Entry, n.Exit = Undecided, Undecided
	if n.New != nil {
		n.Class = c.alone(f, NewOnly, c.seenOld)
		c.children(n, nil, n.New.Children, -1)
	} else {
		n.Class = c.alone(f, OldOnly, c.seenNew)
		c.children(n, n.Old.Children, nil, -1)
	}
}

func (c *comparer) alone(f *facts, class Class, other map[spectra.Entity]bool) Class {
	switch {
	case f.unstable || !f.entryKnown || !f.outKnown:
		return Unknown
	case f.occurs(other):
		return Reordered
	}
	return class
}

func (c *comparer) classify(n *Node) {
	old, new := c.facts[n.Old], c.facts[n.New]
	n.Entry = c.compareState(n, noise.Entry, old.Entry, new.Entry, old.entryKnown && new.entryKnown)
	n.Exit = c.compareState(n, noise.Exit, old.Exit, new.Exit, old.outKnown && new.outKnown)
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
	} else if old.occurs(c.seenNew) && new.occurs(c.seenOld) {
		n.Class = Reordered
	}
}

// compareState compares one state of a pair. Different digests of equal values (a field that only one
// version has) are no difference.
func (c *comparer) compareState(n *Node, at noise.State, old, new spectra.Digest, known bool) Match {
	switch {
	case !known:
		c.vague[n.Old], c.vague[n.New] = true, true
		return Undecided
	case old == new:
		return Equal
	}
	oldState, newState := stateOf(n.Old, at), stateOf(n.New, at)
	if oldState.Slots == nil || newState.Slots == nil || len(c.differences(n.Function, at, oldState, newState)) > 0 {
		return Different
	}
	c.alike[old] = new
	return Equal
}

func stateOf(e *spectra.Execution, at noise.State) spectra.State {
	if at == noise.Entry {
		return e.Entry
	}
	return e.Exit
}

func (c *comparer) differences(function spectra.Symbol, at noise.State, old, new spectra.State) []Difference {
	return differences(old.Slots, new.Slots, c.Mask.Under(function, at), func(s string) string {
		name, _ := c.oldFunction(spectra.Symbol(s))
		return string(name)
	})
}
