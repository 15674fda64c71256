// Package root finds the changes that deviations come from.
//
// In: the comparisons of many sequences, and what changed between the versions. Out: a few ranked roots, each
// with the deviations that it explains.
//
// Two heuristics are applied at every node of every call tree. They are those of Xie's dissertation, chapter
// 7: a deviation begins in a function before its first callee that is entered in another state, or in a
// function that ends in another state though none of its callees deviates. That region is cut with the
// changed lines. Where it has no changed code, the root is looked for among changed variables and constants,
// dependencies that the code calls, changed types, changed functions that ran earlier, and other
// dependencies, in this order.
//
// Every deviation belongs to exactly one root. A change of one function is one root, however many deviations
// it explains. The same input has the same roots in the same order. The package is pure: it never runs or
// reads anything. What it finds is likely, not proven.
package root

import (
	"cmp"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Case is one sequence and how its spectra compare.
type Case struct {
	Sequence   int // its number, for references
	Comparison *diff.Comparison
	// Driven holds the function that each step calls, by its new name; "" = none, or one that an earlier step
	// returned. A function without probes has no executions, so this is how a deviation of its output is
	// attributed.
	Driven []spectra.Symbol
}

// driven returns the function without executions that a region's deviation comes from; "" if there is none or it is not
// known.
func (c Case) driven(r *region) spectra.Symbol {
	switch {
	case r.deviation != nil && r.deviation.Node == nil:
		return c.output(r.deviation)
	case r.in.Parent == nil && r.at != nil && r.at.Class == diff.Follower:
		return c.handed(r.at.Step)
	}
	return ""
}

// output returns the function that was driven when the output of a deviation first differed, or the last one known
// before. An output of the whole run, such as its end, counts for the last step.
func (c Case) output(d *diff.Deviation) spectra.Symbol {
	step := len(c.Driven) - 1
	for _, o := range c.Comparison.Outputs {
		if o.Path == string(d.Path) && o.Step >= 0 {
			step = o.Step
			break
		}
	}
	return c.known(step)
}

// handed returns the function whose result was the first to differ before a step, which was handed it.
func (c Case) handed(step int) spectra.Symbol {
	first := step
	for _, o := range c.Comparison.Outputs {
		if 0 <= o.Step && o.Step < first {
			first = o.Step
		}
	}
	if first == step {
		return ""
	}
	return c.known(first)
}

// known returns the function that a step calls, or the last one known before.
func (c Case) known(step int) spectra.Symbol {
	for step = min(step, len(c.Driven)-1); step >= 0; step-- {
		if c.Driven[step] != "" {
			return c.Driven[step]
		}
	}
	return ""
}

// A Ref identifies a deviation: the number of a sequence, and the index in the deviations of its comparison.
type Ref struct {
	Sequence, Deviation int
}

// A Position is a range of lines.
type Position struct {
	Side          spectra.Side
	File          string // module-relative; "" = unknown
	Line, EndLine int
}

// A Root is a change that deviations come from.
type Root struct {
	Function   spectra.Symbol // the declared function; else the variable, constant, type or module
	Change     spectra.Change
	Position   Position
	Confidence spectra.Confidence
	Effect     diff.Effect // the worst of its deviations
	Summary    string      // one sentence
	Why        string      // why the heuristics name it, in words; "" where no execution shows it, or trials named it
	Sequences  int         // number of sequences in which it was found
	Evidence   int         // number of those in which a heuristic pointed at changed lines
	Deviations []Ref       // the deviations that it explains, in order
	// Example is the sequence that shows the worst effect best, and the execution that a printed tree marks as root.
	Example struct {
		Sequence int
		Node     *diff.Node // nil: no execution shows it
	}

	best *finding // the finding of Example
}

// Among returns the root of a list that has the same cause, nil if none has.
func (r *Root) Among(list []*Root) *Root {
	for _, other := range list {
		if r.Function == other.Function && r.Change == other.Change {
			return other
		}
	}
	return nil
}

// Steps returns the steps of a sequence in which something deviates because of the root.
func (r *Root) Steps(sequence int, c *diff.Comparison) (list []int) {
	for _, ref := range r.Deviations {
		if ref.Sequence != sequence {
			continue
		}
		for _, step := range c.Steps(c.Deviations[ref.Deviation]) {
			if !slices.Contains(list, step) {
				list = append(list, step)
			}
		}
	}
	return list
}

// Outputs returns the outputs of a sequence that show the root. They are the outputs of its steps, and those of the
// whole run.
func (r *Root) Outputs(sequence int, c *diff.Comparison) (list []diff.OutputDifference) {
	steps := r.Steps(sequence, c)
	for _, o := range c.Outputs {
		if o.Step < 0 || slices.Contains(steps, o.Step) {
			list = append(list, o)
		}
	}
	return list
}

// Find returns the roots of all deviations, those first that do the most harm, and of these the most convincing.
func Find(cases []Case, changes Changes) []*Root {
	index := newIndex(changes)
	var found []*finding
	for _, c := range cases {
		found = append(found, findings(c, index)...)
	}
	blameCommon(found)
	shareWholeRun(found)
	found = dropExplained(found)
	roots := merge(found, index)
	slices.SortStableFunc(roots, before)
	return roots
}

// before orders roots by the harm that they do, and then by how convincing they are.
func before(x, y *Root) int {
	return cmp.Or(
		x.Effect.Compare(y.Effect),
		cmp.Compare(x.best.via, y.best.via),
		cmp.Compare(y.Evidence, x.Evidence),
		cmp.Compare(y.Sequences, x.Sequences),
		cmp.Compare(x.Function, y.Function),
		cmp.Compare(x.Change, y.Change),
	)
}

// dropExplained drops a weak root if each of its sequences has a better one: it shows the effects of the
// better ones, which get its deviations.
func dropExplained(found []*finding) []*finding {
	best := map[int]*finding{}
	for _, f := range found {
		if b := best[f.sequence]; b == nil || f.via < b.via {
			best[f.sequence] = f
		}
	}
	alone := map[key]bool{} // roots for which some sequence has no better one
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
		to.effect = to.effect.Worse(f.effect)
	}
	return kept
}

// merge makes one root of all findings with the same cause.
func merge(found []*finding, x *index) []*Root {
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
		roots = append(roots, mergeGroup(groups[k], x))
	}
	return roots
}

func mergeGroup(group []*finding, x *index) *Root {
	best := slices.MinFunc(group, (*finding).compare)
	shown := slices.MinFunc(group, func(x, y *finding) int { return cmp.Or(x.effect.Compare(y.effect), x.compare(y)) })
	r := &Root{
		Function: best.function, Change: best.change, Position: best.position,
		Confidence: spectra.Likely, Effect: shown.effect, Summary: shown.summary(), Why: shown.why(x),
		best: best,
	}
	r.Example.Sequence, r.Example.Node = shown.sequence, shown.node()
	sequences, evidence := map[int]bool{}, map[int]bool{}
	for _, f := range group {
		sequences[f.sequence] = true
		if f.inChange {
			evidence[f.sequence] = true
		}
		r.Deviations = append(r.Deviations, f.deviations...)
	}
	r.Sequences, r.Evidence = len(sequences), len(evidence)
	slices.SortFunc(r.Deviations, func(x, y Ref) int {
		return cmp.Or(cmp.Compare(x.Sequence, y.Sequence), cmp.Compare(x.Deviation, y.Deviation))
	})
	return r
}
