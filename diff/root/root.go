// Package root finds where deviations come from.
//
// In: the comparisons of many sequences and what changed between the versions. Out: few ranked
// roots, each with the deviations that it explains. First Xie's two heuristics point at a region
// of a function, at every node of every call tree; then the region is cut with the changed lines.
// Where a heuristic points at unchanged code, the root is looked for among changed variables and
// constants, dependencies that the code calls, changed types, changed functions that ran earlier,
// and other dependencies, in this order.
//
// It always holds that every deviation belongs to exactly one root, that roots of the same
// function are one, and that the same input gives the same roots in the same order. It is pure: it
// never runs or reads anything. What it finds is likely, not proven.
package root

import (
	"cmp"
	"slices"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/spectra"
)

// A Case is one sequence and how its spectra compare.
type Case struct {
	Sequence   int // its number, for references
	Comparison *diff.Comparison
	// Driven has the function that each step calls, by its new name; "" is none, or one that an earlier step
	// returned. Where no execution shows a deviation, because the function has no probes, it is the place to name.
	Driven []spectra.Symbol
}

// at returns the function that was driven when an output first differed, or last before that; "" if nothing
// says which. What ends the run differs in its last step.
func (c Case) at(d *diff.Deviation) spectra.Symbol {
	if d == nil || d.Node != nil {
		return ""
	}
	step := len(c.Driven) - 1
	for _, o := range c.Comparison.Outputs {
		if o.Path == string(d.Path) && o.Step >= 0 {
			step = o.Step
			break
		}
	}
	for step = min(step, len(c.Driven)-1); step >= 0; step-- {
		if c.Driven[step] != "" {
			return c.Driven[step]
		}
	}
	return ""
}

// A Ref names a deviation: the index in the deviations of a sequence's comparison.
type Ref struct {
	Sequence, Deviation int
}

// A Reach tells whether a caller or user could see a deviation.
type Reach string

// The reaches.
const (
	Visible Reach = "visible"
	Masked  Reach = "masked"
)

// Likely is the confidence in a root that was not proven.
const Likely = "likely"

// A Position is a range of lines.
type Position struct {
	Side          spectra.Side
	File          string // module-relative; "" = unknown
	Line, EndLine int
}

// A Root is a change that deviations come from.
type Root struct {
	Function   spectra.Symbol // the declared function; else the variable, constant, type or module
	Change     Change
	Position   Position
	Confidence string
	Reach      Reach
	Summary    string // one sentence
	Sequences  int    // in which it was found
	Evidence   int    // of those: a heuristic pointed into changed lines
	Deviations []Ref  // that it explains, in order
	// Example is where the root shows best; its node is what a tree marks.
	Example struct {
		Sequence int
		Node     *diff.Node // nil: no execution shows it
	}

	best *finding // that shows it best
}

// Find returns the roots of all deviations, most convincing first.
func Find(cases []Case, changes Changes) []*Root {
	index := newIndex(changes)
	var found []*finding
	for _, c := range cases {
		found = append(found, findings(c, index)...)
	}
	found = dropExplained(found)
	roots := merge(found)
	slices.SortStableFunc(roots, before)
	return roots
}

// before orders roots by how convincing they are.
func before(x, y *Root) int {
	return cmp.Or(
		cmp.Compare(x.best.via, y.best.via),
		cmp.Compare(y.Evidence, x.Evidence),
		cmp.Compare(y.Sequences, x.Sequences),
		-cmp.Compare(x.Reach, y.Reach), // visible first
		cmp.Compare(x.Function, y.Function),
		cmp.Compare(x.Change, y.Change),
	)
}

// dropExplained moves the deviations of a weak root to a better one where each of its sequences
// has one: the better one's effect propagated.
func dropExplained(found []*finding) []*finding {
	best := map[int]*finding{}
	for _, f := range found {
		if b := best[f.sequence]; b == nil || f.via < b.via {
			best[f.sequence] = f
		}
	}
	alone := map[key]bool{} // in some sequence there is nothing better
	for _, f := range found {
		if f.via <= declared || best[f.sequence].via >= f.via {
			alone[f.key()] = true
		}
	}
	var kept []*finding
	for _, f := range found {
		if alone[f.key()] {
			kept = append(kept, f)
			continue
		}
		to := best[f.sequence]
		to.deviations = append(to.deviations, f.deviations...)
	}
	return kept
}

// merge makes one root of all findings with the same cause.
func merge(found []*finding) []*Root {
	groups := map[key][]*finding{}
	var order []key
	for _, f := range found {
		if groups[f.key()] == nil {
			order = append(order, f.key())
		}
		groups[f.key()] = append(groups[f.key()], f)
	}
	var roots []*Root
	for _, k := range order {
		roots = append(roots, mergeGroup(groups[k]))
	}
	return roots
}

func mergeGroup(group []*finding) *Root {
	best := slices.MinFunc(group, (*finding).compare)
	r := &Root{
		Function: best.function, Change: best.change, Position: best.position,
		Confidence: Likely, Reach: Masked, Summary: best.summary(), best: best,
	}
	r.Example.Sequence, r.Example.Node = best.sequence, best.node()
	sequences, evidence := map[int]bool{}, map[int]bool{}
	for _, f := range group {
		sequences[f.sequence] = true
		if f.inChange {
			evidence[f.sequence] = true
		}
		if f.visible {
			r.Reach = Visible
		}
		r.Deviations = append(r.Deviations, f.deviations...)
	}
	r.Sequences, r.Evidence = len(sequences), len(evidence)
	slices.SortFunc(r.Deviations, func(x, y Ref) int {
		return cmp.Or(cmp.Compare(x.Sequence, y.Sequence), cmp.Compare(x.Deviation, y.Deviation))
	})
	return r
}
