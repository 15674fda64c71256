package judge

// This file finds the example of a root: the shortest sequence that shows it.

import (
	"context"
	"slices"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/diff/root"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// minimiseTrials is how often a sequence is played while it is made shorter.
const minimiseTrials = 80

// An Example is a root with the shortest sequence that shows it.
type Example struct {
	Found      *root.Root // with all its deviations
	Sequence   sequence.Sequence
	Comparison *diff.Comparison
	Root       *root.Root // the same root, found in this sequence alone
	index      int        // the sequence's number in the cases of package root
}

// Outputs returns the outputs that show the root.
func (e Example) Outputs() []diff.OutputDifference {
	own := *e.Root
	own.Deviations = slices.DeleteFunc(slices.Clone(own.Deviations), func(ref root.Ref) bool {
		return ref.Sequence != e.index
	})
	return outputsOf(&own, e.Comparison)
}

// A shortening searches the shortest sequence that shows a root.
type shortening struct {
	*Played
	worker  int
	known   noise.Known // what is unstable, from all sequences
	found   *root.Root
	visible bool // an output must show the root
}

// example minimises a sequence that shows the root.
func (s *shortening) example(ctx context.Context, v *Verdict) (Example, error) {
	e := Example{s.found, s.Sequences[v.Suspect.Index].Sequence, v.Comparison, s.found, v.Suspect.Index}
	trials := 0
	var failed error
	short := sequence.Minimise(e.Sequence, func(q sequence.Sequence) bool {
		if trials++; trials > minimiseTrials || failed != nil {
			return false
		}
		shown, err := s.shows(ctx, q)
		failed = err
		return err == nil && shown
	})
	if failed != nil || len(short.Statements) == 0 {
		return e, failed
	}
	t := &trial{Played: s.Played, worker: s.worker, sequence: short, known: s.known}
	var again Verdict
	if err := t.judge(ctx, &again, wire.ModeValues); err != nil || !again.Confirmed() {
		return e, err
	}
	if alone := same(s.find(short, 0, again.Comparison), s.found); alone != nil {
		return Example{s.found, short, again.Comparison, alone, 0}, nil
	}
	return e, nil
}

// shows reports whether a sequence has the root, and also an output that shows it if s.visible is set.
func (s *shortening) shows(ctx context.Context, q sequence.Sequence) (bool, error) {
	t := &trial{Played: s.Played, worker: s.worker, sequence: q}
	recorded, err := t.play(ctx, wire.ModeDigests, wire.MainSeed)
	if err != nil {
		return false, err
	}
	c := s.compare(recorded, s.known.Adopt(noise.Suspects))
	alone := same(s.find(q, 0, c), s.found)
	return alone != nil && (!s.visible || len(outputsOf(alone, c)) > 0), nil
}

// outputsOf returns the outputs of one sequence that show a root. They are the outputs of the steps in
// which something deviates because of the root, and those of the whole sequence.
func outputsOf(found *root.Root, c *diff.Comparison) []diff.OutputDifference {
	steps := map[int]bool{-1: true}
	for _, ref := range found.Deviations {
		for _, step := range stepsOf(c, c.Deviations[ref.Deviation]) {
			steps[step] = true
		}
	}
	var list []diff.OutputDifference
	for _, o := range c.Outputs {
		if steps[o.Step] {
			list = append(list, o)
		}
	}
	return list
}

// same returns the root of the list that has the same cause as another one.
func same(list []*root.Root, other *root.Root) *root.Root {
	for _, r := range list {
		if r.Function == other.Function && r.Change == other.Change {
			return r
		}
	}
	return nil
}

// Visible reports whether an output shows a root. That is an output of a step in which something deviates
// because of the root, or an output of the whole sequence.
func Visible(found *root.Root, verdicts map[int]*Verdict) bool {
	return slices.ContainsFunc(found.Deviations, func(ref root.Ref) bool {
		c := verdicts[ref.Sequence].Comparison
		return Shows(c, c.Deviations[ref.Deviation])
	})
}

// Shows reports whether an output shows a deviation.
func Shows(c *diff.Comparison, d *diff.Deviation) bool {
	steps := stepsOf(c, d)
	return slices.ContainsFunc(c.Outputs, func(o diff.OutputDifference) bool {
		return o.Step < 0 || slices.Contains(steps, o.Step)
	})
}

// stepsOf returns the steps in which something deviates: that of the driven call above an execution. If no
// execution shows the deviation, they are those of the outputs that do.
func stepsOf(c *diff.Comparison, d *diff.Deviation) []int {
	if d.Node == nil && d.State == noise.Outputs {
		var steps []int
		for _, o := range c.Outputs {
			if o.Path == string(d.Path) {
				steps = append(steps, o.Step)
			}
		}
		return steps
	}
	for n := d.Node; n != nil && n.Parent != nil; n = n.Parent {
		if n.Parent.Parent == nil {
			return []int{n.Step}
		}
	}
	return nil
}
