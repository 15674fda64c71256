// Package root finds the changes that deviations come from.
//
// In: the comparisons of many sequences, and what changed between the versions. Out: a few ranked roots, each with the
// deviations that it explains.
//
// Two heuristics are applied at every node of every call tree. They are those of Xie's dissertation, chapter 7: a
// deviation begins in a function before its first callee that is entered in another state, or in a function that ends
// in another state though none of its callees deviates. That region is cut with the changed lines. Where it has no
// changed code, the root is looked for among changed variables and constants, dependencies that the code calls, changed
// types, changed functions that ran earlier, and other dependencies, in this order.
//
// Every deviation belongs to exactly one root. A change of one function is one root, however many deviations it
// explains. The same input has the same roots in the same order. The package is pure: it never runs or reads anything.
// What it finds is likely, not proven. ChangesOf takes the changes
// from a plan.
package root

import (
	"cmp"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// driven returns the function without executions that a region's deviation comes from; "" if there is none or it is not
// known.
func driven(c *diff.Case, r *region) spectra.Symbol {
	switch {
	case r.deviation != nil && r.deviation.Node == nil:
		return drivenOutput(c, r.deviation)
	case r.in.Parent == nil && r.at != nil && r.at.Class == diff.Follower:
		return handed(c, r.at.Step)
	}
	return ""
}

// drivenOutput returns the function that was driven when the output of a deviation first differed, or the last one
// known before. An output of the whole run, such as its end, counts for the last step.
func drivenOutput(c *diff.Case, d *diff.Deviation) spectra.Symbol {
	step := len(c.Driven) - 1
	for _, o := range c.Comparison.Outputs {
		if o.Path == string(d.Path) && o.Step >= 0 {
			step = o.Step
			break
		}
	}
	return known(c, step)
}

// handed returns the function whose result was the first to differ before a step, which was handed it.
func handed(c *diff.Case, step int) spectra.Symbol {
	first := step
	for _, o := range c.Comparison.Outputs {
		if 0 <= o.Step && o.Step < first {
			first = o.Step
		}
	}
	if first == step {
		return ""
	}
	return known(c, first)
}

// known returns the function that a step calls, or the last one known before.
func known(c *diff.Case, step int) spectra.Symbol {
	for step = min(step, len(c.Driven)-1); step >= 0; step-- {
		if c.Driven[step] != "" {
			return c.Driven[step]
		}
	}
	return ""
}

// Find returns the roots of all deviations, those first that do the most harm, and of these the most convincing.
func Find(cases []*diff.Case, changes Changes) []*diff.Finding {
	index := newIndex(changes)
	var found []*clue
	for _, c := range cases {
		found = append(found, clues(c, index)...)
	}
	blameCommon(found)
	shareWholeRun(found)
	found = dropExplained(found)
	roots := merge(found, index)
	slices.SortStableFunc(roots, before)
	return roots
}

// before orders roots: those that need a method of a nil pointer come last. The others are ordered by the harm that
// they do, those that need a negative integer last, and then by how convincing they are.
func before(x, y *diff.Finding) int {
	return cmp.Or(
		truth(x.OnNil)-truth(y.OnNil),
		x.Effect.Compare(y.Effect),
		truth(x.OnNegative)-truth(y.OnNegative),
		cmp.Compare(x.Blamed.Evidence.Route, y.Blamed.Evidence.Route),
		cmp.Compare(y.Pointed, x.Pointed),
		cmp.Compare(y.Sequences, x.Sequences),
		cmp.Compare(x.Blamed.Symbol, y.Blamed.Symbol),
		cmp.Compare(x.Blamed.Change, y.Blamed.Change),
	)
}

// dropExplained drops a weak root if each of its sequences has a better one: it shows the effects of the
// better ones, which get its deviations.
func dropExplained(found []*clue) []*clue {
	best := map[int]*clue{}
	for _, f := range found {
		if b := best[f.of.Number]; b == nil || f.via < b.via {
			best[f.of.Number] = f
		}
	}
	alone := map[key]bool{} // roots for which some sequence has no better one
	for _, f := range found {
		if f.via <= diff.RouteDeclared || best[f.of.Number].via >= f.via {
			alone[f.key()] = true
		}
	}
	var kept []*clue
	for _, f := range found {
		if alone[f.key()] {
			kept = append(kept, f)
			continue
		}
		to := best[f.of.Number]
		to.deviations = append(to.deviations, f.deviations...)
		to.effect = to.effect.Worse(f.effect)
	}
	return kept
}

// merge makes one finding of all clues to the same cause.
func merge(found []*clue, x *index) []*diff.Finding {
	groups := map[key][]*clue{}
	var order []key
	for _, f := range found {
		if groups[f.key()] == nil {
			order = append(order, f.key())
		}
		groups[f.key()] = append(groups[f.key()], f)
	}
	var list []*diff.Finding
	for _, k := range order {
		list = append(list, mergeGroup(groups[k], x))
	}
	return list
}

func mergeGroup(group []*clue, x *index) *diff.Finding {
	best := slices.MinFunc(group, (*clue).compare)
	shown := slices.MinFunc(group, func(x, y *clue) int {
		return cmp.Or(
			truth(x.onNil())-truth(y.onNil()), x.effect.Compare(y.effect),
			truth(x.effect.Beside())-truth(y.effect.Beside()),
			truth(x.negative())-truth(y.negative()), x.compare(y),
		)
	})
	r := &diff.Finding{
		Blamed: diff.Cause{
			Symbol: best.function, Change: best.change, Position: best.position, Evidence: best.evidence(x),
			Upgrade: best.upgrade(),
		},
		Effect: shown.effect, OnNil: shown.onNil(), OnNegative: shown.negative(),
		Example: diff.Example{
			Case: shown.of, Effect: shown.effect, Evidence: shown.evidence(x), Node: shown.node(),
		},
	}
	r.Cause = r.Blamed
	sequences, evidence := map[int]bool{}, map[int]bool{}
	for _, f := range group {
		sequences[f.of.Number] = true
		if f.inChange {
			evidence[f.of.Number] = true
		}
		r.Deviations = append(r.Deviations, f.deviations...)
	}
	r.Sequences, r.Pointed = len(sequences), len(evidence)
	slices.SortFunc(r.Deviations, func(x, y diff.Occurrence) int {
		return cmp.Or(cmp.Compare(x.Case.Number, y.Case.Number), cmp.Compare(x.Index, y.Index))
	})
	return r
}
