package diff

import (
	"cmp"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/align"
)

// build fills the tree below root.
func (c *comparer) build(root *Node) {
	old, new := c.runs.Old, c.runs.New
	for i := range min(len(old.steps), len(new.steps)) {
		if old.Steps[i].Ran && new.Steps[i].Ran {
			c.children(root, old.steps[i], new.steps[i], i)
		}
	}
	c.children(root, old.stray, new.stray, -1)
}

// alike reports whether two lists of executions are equal, with all below them.
func alike(old, new []*facts) bool {
	return slices.EqualFunc(old, new, func(f, g *facts) bool { return f.sum == g.sum })
}

// children pairs the callees of an aligned pair and appends their nodes in the order of the new run. An
// execution that only the old run has stands behind the node of the execution that preceded it there.
func (c *comparer) children(parent *Node, old, new []*facts, step int) {
	if c.deviating && alike(old, new) {
		return
	}
	oldList, oldHidden := visible(old)
	newList, newHidden := visible(new)
	oldOf := match(oldList, newList)
	oldPlace, newPlace := make([]int, len(oldList)), make([]int, len(newList))
	first := len(parent.Children)
	add := func(o, n *facts, moved bool) int {
		child := &Node{Old: o.of(), New: n.of(), Parent: parent, Step: step, Moved: moved}
		parent.Children = append(parent.Children, child)
		c.node(child, o, n)
		return len(parent.Children)
	}
	alone := behind(oldOf, len(oldList))
	emitOld := func(j int) {
		for _, i := range alone[j] {
			oldPlace[i] = add(oldList[i], nil, false)
		}
	}
	emitOld(-1)
	last := -1
	for j, n := range newList {
		if i := oldOf[j]; i >= 0 {
			newPlace[j] = add(oldList[i], n, i < last && !n.execution.Go)
			oldPlace[i] = newPlace[j]
			last = max(last, i)
		} else {
			newPlace[j] = add(nil, n, false)
		}
		emitOld(j)
	}
	parent.hide(oldHidden, oldPlace, first)
	parent.hide(newHidden, newPlace, first)
}

// behind returns the indexes of the old executions without a counterpart, grouped by the index of the new
// execution that they stand behind; -1 = they come first. oldOf has an old index or -1 for each new
// execution.
func behind(oldOf []int, olds int) map[int][]int {
	newOf := make(map[int]int, olds)
	for j, i := range oldOf {
		if i >= 0 {
			newOf[i] = j
		}
	}
	alone := map[int][]int{}
	last := -1
	for i := range olds {
		if j, ok := newOf[i]; ok {
			last = j
		} else {
			alone[last] = append(alone[last], i)
		}
	}
	return alone
}

// hide notes the executions of functions that only one version has.
func (n *Node) hide(list []hidden, place []int, first int) {
	for _, h := range list {
		at := first
		if h.after > 0 {
			at = place[h.after-1]
		}
		n.Hidden = append(n.Hidden, Hidden{Execution: h.execution, Before: at})
	}
}

// A hidden is a transparent execution and the number of visible ones before it.
type hidden struct {
	execution *spectra.Execution
	after     int
}

// visible returns the executions of common functions in a list. In place of an execution of another function
// it returns its callees, and the execution itself in the second list.
func visible(list []*facts) ([]*facts, []hidden) {
	if !slices.ContainsFunc(list, func(f *facts) bool { return !f.common }) {
		return list, nil
	}
	var out []*facts
	var through []hidden
	var visit func(list []*facts)
	visit = func(list []*facts) {
		for _, f := range list {
			if f.common {
				out = append(out, f)
				continue
			}
			through = append(through, hidden{f.execution, len(out)})
			visit(f.callees)
		}
	}
	visit(list)
	return out, through
}

var problem = align.Problem[*facts]{Weight: weight, Compare: order}

func weight(f, g *facts) int {
	switch {
	case f.execution.Go != g.execution.Go || f.Symbol != g.Symbol:
		return 0
	case f.sameEntry(g):
		return align.Full
	}
	return 1
}

func (f *facts) sameEntry(g *facts) bool {
	return f.Entry == g.Entry && f.entryKnown == g.entryKnown
}

// order compares executions by the facts by which they are paired.
func order(f, g *facts) int {
	return cmp.Or(cmp.Compare(f.Symbol, g.Symbol), cmp.Compare(truth(f.execution.Go), truth(g.execution.Go)),
		slices.Compare(f.Entry[:], g.Entry[:]), cmp.Compare(truth(f.entryKnown), truth(g.entryKnown)))
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// match returns for each new execution the index of its old counterpart, or -1. First come equal
// entries in order, then equal entries out of order, then the same functions in order.
func match(old, new []*facts) []int {
	oldOf := make([]int, len(new))
	for j := range oldOf {
		oldOf[j] = -1
	}
	if len(old) == 0 || len(new) == 0 {
		return oldOf
	}
	taken := make([]bool, len(old))
	gap := 0
	oldGap, newGap := make([]int, len(old)), make([]int, len(new))
	i, j := 0, 0
	fill := func(oldEnd, newEnd int) {
		for ; i < oldEnd; i++ {
			oldGap[i] = gap
		}
		for ; j < newEnd; j++ {
			newGap[j] = gap
		}
		gap++
	}
	for _, p := range problem.Align(old, new) {
		if weight(old[p.Old], new[p.New]) == align.Full {
			oldOf[p.New], taken[p.Old] = p.Old, true
			fill(p.Old, p.New)
		}
	}
	fill(len(old), len(new))
	matchMoved(old, new, oldOf, taken)
	matchRest(old, new, oldOf, taken, oldGap, newGap)
	return oldOf
}

// matchMoved pairs what is left and has an equal entry somewhere, first with first.
func matchMoved(old, new []*facts, oldOf []int, taken []bool) {
	type key struct {
		symbol spectra.Symbol
		entry  spectra.Digest
		isGo   bool
	}
	keyOf := func(f *facts) key { return key{f.Symbol, f.Entry, f.execution.Go} }
	free := map[key][]int{}
	for i, f := range old {
		if !taken[i] && f.entryKnown {
			free[keyOf(f)] = append(free[keyOf(f)], i)
		}
	}
	for j, f := range new {
		if list := free[keyOf(f)]; oldOf[j] < 0 && f.entryKnown && len(list) > 0 {
			oldOf[j], taken[list[0]] = list[0], true
			free[keyOf(f)] = list[1:]
		}
	}
}

// matchRest pairs executions of the same function that are left, where they stand between the same pairs of
// equal entries.
func matchRest(old, new []*facts, oldOf []int, taken []bool, oldGap, newGap []int) {
	gaps := map[int]spectra.Pair[[]int]{}
	var order []int
	for j := range new {
		if oldOf[j] < 0 {
			g := gaps[newGap[j]]
			if g.New == nil {
				order = append(order, newGap[j])
			}
			g.New = append(g.New, j)
			gaps[newGap[j]] = g
		}
	}
	for i := range old {
		if g, ok := gaps[oldGap[i]]; ok && !taken[i] {
			g.Old = append(g.Old, i)
			gaps[oldGap[i]] = g
		}
	}
	for _, gap := range order {
		oldRest, newRest := gaps[gap].Old, gaps[gap].New
		for _, p := range problem.Align(pick(old, oldRest), pick(new, newRest)) {
			oldOf[newRest[p.New]] = oldRest[p.Old]
			taken[oldRest[p.Old]] = true
		}
	}
}

func pick(list []*facts, at []int) []*facts {
	out := make([]*facts, len(at))
	for k, i := range at {
		out[k] = list[i]
	}
	return out
}
