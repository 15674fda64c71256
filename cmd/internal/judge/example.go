package judge

// This file finds the example of a root: the shortest sequence that shows it.

import (
	"context"
	"errors"
	"slices"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/diff/root"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra"
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
	endless bool // of a sequence that does not end on one of the versions
	waits   int  // trials that did not end
	held    *holding
	place   int // of the example in the order of what is held
}

// unshortened returns the sequence of a verdict as the example of a root.
func (p *Played) unshortened(found *root.Root, v *Verdict) Example {
	return Example{found, p.Sequences[v.Suspect.Index].Sequence, v.Comparison, found, v.Suspect.Index}
}

// example minimises a sequence that shows the root.
func (s *shortening) example(ctx context.Context, v *Verdict) (Example, error) {
	e := s.unshortened(s.found, v)
	s.endless = v.Endless
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
	if failed == nil && len(short.Statements) > 0 {
		var again Example
		if again, failed = s.again(ctx, e, short, v); failed == nil {
			return again, nil
		}
	}
	if errors.Is(failed, errTimeUp) {
		failed = nil
	}
	return e, failed
}

// again judges the shorter sequence alone. It returns the longer one's example if the shorter one does not show the
// root then, or can't be held.
func (s *shortening) again(ctx context.Context, e Example, short sequence.Sequence, v *Verdict) (Example, error) {
	t := &trial{Played: s.Played, worker: s.worker, sequence: short, known: s.known}
	var again Verdict
	var err error
	if s.endless {
		err = t.judgeShorter(ctx, &again)
	} else {
		t.limit = v.limit
		err = t.judge(ctx, &again, wire.ModeValues)
	}
	if err != nil || !again.Confirmed() {
		return e, err
	}
	alone := same(s.find(short, 0, again.Comparison), s.found)
	if alone != nil && s.held.take(s.place, again.Recorded) {
		return Example{s.found, short, again.Comparison, alone, 0}, nil
	}
	return e, nil
}

// shows reports whether a sequence has the root, and also an output that shows it if s.visible is set.
func (s *shortening) shows(ctx context.Context, q sequence.Sequence) (bool, error) {
	c, err := s.trial(ctx, q)
	if c == nil || err != nil {
		return false, err
	}
	alone := same(s.find(q, 0, c), s.found)
	return alone != nil && (!s.visible || len(outputsOf(alone, c)) > 0), nil
}

// endlessTrials is how often a shorter sequence may be waited for that does not end.
const endlessTrials = 10

// trial plays a sequence and compares it. It returns nil if that does not help to shorten it.
func (s *shortening) trial(ctx context.Context, q sequence.Sequence) (*diff.Comparison, error) {
	t := &trial{Played: s.Played, worker: s.worker, sequence: q}
	known := s.known.Adopt(noise.Suspects)
	if !s.endless {
		recorded, err := t.play(ctx, wire.ModeDigests, wire.MainSeed)
		if err != nil {
			return nil, err
		}
		return s.compare(recorded, known), nil
	}
	if s.waits >= endlessTrials {
		return nil, nil
	}
	t.limit = briefly // what is seen then is judged again
	played, err := t.run(ctx, wire.ModeDigests, wire.MainSeed)
	if err != nil {
		return nil, err
	}
	side, ok := oneEndless(clocks(played))
	if clocks(played) != (spectra.Pair[replay.Clock]{}) {
		s.waits++
	}
	if !ok {
		return nil, nil
	}
	return s.compareEndless(unfinished(decode(played), decode(played), side), known), nil
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
