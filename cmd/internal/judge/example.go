package judge

// This file finds the example of a root: the shortest sequence that shows it.

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/spectradiff/spectradiff/cmd/internal/choice"
	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/diff/root"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// minimiseTrials is how many shorter sequences are played, and minimiseNodes what playing them may take in nodes, on both
// versions. What has cost that much is as short as it was then.
const (
	minimiseTrials = 240
	minimiseNodes  = 60_000_000
)

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
	trials  int
	nodes   int64 // what the trials took
	held    *holding
	place   int // of the example in the order of what is held
}

// unshortened returns the sequence of a verdict as the example of a root.
func (p *Played) unshortened(found *root.Root, v *Verdict) Example {
	return Example{found, p.Sequences[v.Suspect.Index].Sequence, v.Comparison, found, v.Suspect.Index}
}

// example minimises a sequence that shows the root. What shows it beside other sequences may not show it alone: then the
// one that was shown before is tried, and at last the sequence stays as it is.
func (s *shortening) example(ctx context.Context, v *Verdict) (Example, error) {
	e := s.unshortened(s.found, v)
	s.endless = v.Endless
	var failed error
	var shorter []sequence.Sequence
	sequence.Minimise(e.Sequence, s.steps(v), func(batch []sequence.Sequence) []bool {
		shown := make([]bool, len(batch))
		if failed == nil {
			failed = s.show(ctx, batch, shown)
		}
		for i, ok := range shown {
			if ok && len(batch[i].Statements) > 0 {
				shorter = append(shorter, batch[i])
			}
		}
		return shown
	})
	if errors.Is(failed, errTimeUp) {
		failed = nil
	}
	slices.Reverse(shorter) // the last ones are the simplest
	slices.SortStableFunc(shorter, func(x, y sequence.Sequence) int {
		return cmp.Compare(len(x.Statements), len(y.Statements))
	})
	for _, q := range shorter[:min(len(shorter), triedAlone)] {
		again, err := s.again(ctx, q, v)
		switch {
		case err != nil:
			return e, err
		case again != nil && s.held.take(s.place, again.Recorded):
			return s.exampleOf(q, again), nil
		case again != nil:
			return e, failed // others are as large
		}
	}
	return e, failed
}

// triedAlone is how many of the shortest sequences are tried alone.
const triedAlone = 3

// steps returns the statements of the sequence in which the root shows: those with an output first.
func (s *shortening) steps(v *Verdict) (list []int) {
	add := func(step int) {
		if step >= 0 && !slices.Contains(list, step) && len(list) < slicedSteps {
			list = append(list, step)
		}
	}
	own := *s.found
	own.Deviations = slices.DeleteFunc(slices.Clone(own.Deviations), func(ref root.Ref) bool {
		return ref.Sequence != v.Suspect.Index
	})
	for _, o := range outputsOf(&own, v.Comparison) {
		add(o.Step)
	}
	for _, ref := range own.Deviations {
		for _, step := range stepsOf(v.Comparison, v.Comparison.Deviations[ref.Deviation]) {
			add(step)
		}
	}
	return list
}

// slicedSteps is how many statements are tried with only what they need.
const slicedSteps = 6

// exampleOf returns a shorter sequence that shows the root as its example.
func (s *shortening) exampleOf(short sequence.Sequence, v *Verdict) Example {
	return Example{s.found, short, v.Comparison, same(s.find(short, 0, v.Comparison), s.found), 0}
}

// again judges a shorter sequence alone. It returns nil if that does not show the root.
func (s *shortening) again(ctx context.Context, short sequence.Sequence, v *Verdict) (*Verdict, error) {
	t := &trial{
		Played: s.Played, worker: s.worker, sequence: short, known: s.known.Adopt(noise.Suspects), example: true,
	}
	var again Verdict
	var err error
	if s.endless {
		err = t.judgeShorter(ctx, &again)
	} else {
		t.limit = v.limit
		err = t.judgeAny(ctx, &again)
	}
	if err != nil || !again.Confirmed() || same(s.find(short, 0, again.Comparison), s.found) == nil {
		return nil, err
	}
	return &again, nil
}

// show notes which sequences have the root, and also an output that shows it if s.visible is set.
func (s *shortening) show(ctx context.Context, batch []sequence.Sequence, shown []bool) error {
	batch = batch[:max(0, min(len(batch), minimiseTrials-s.trials))]
	if s.nodes > minimiseNodes || len(batch) == 0 {
		return nil
	}
	s.trials += len(batch)
	for size := s.together(len(batch)); len(batch) > 0 && s.waits < endlessTrials; {
		list, err := s.compared(ctx, batch[:min(size, len(batch))])
		if err != nil || len(list) == 0 {
			return err
		}
		for i, c := range list {
			if c != nil {
				alone := same(s.find(batch[i], 0, c), s.found)
				shown[i] = alone != nil && (!s.visible || len(outputsOf(alone, c)) > 0)
			}
		}
		batch, shown = batch[len(list):], shown[len(list):]
	}
	return nil
}

// together returns how many of so many sequences one process plays.
func (s *shortening) together(n int) int {
	if s.endless || !s.Patched {
		return 1
	}
	return n
}

// compared plays sequences and compares them. Nil stands for those where that does not help to shorten them.
func (s *shortening) compared(ctx context.Context, batch []sequence.Sequence) ([]*diff.Comparison, error) {
	if s.endless {
		c, err := s.trial(ctx, batch[0])
		return []*diff.Comparison{c}, err
	}
	limit := func(p *replay.Player) { p.Limits.Held, p.Limits.Losses = heldEvents, 1 }
	played, err := s.Players.Both(ctx, s.worker, batch, wire.ModeDigests, wire.MainSeed, limit)
	if err != nil {
		return nil, err
	}
	list := make([]*diff.Comparison, len(played.New))
	known := s.known.Adopt(noise.Suspects)
	for i := range list {
		pair := playedPair(played, i)
		if pair.Old.Clock != "" || pair.New.Clock != "" {
			s.waits++
			continue
		}
		s.nodes += choice.Cost(pair.Old) + choice.Cost(pair.New)
		list[i] = s.compare(decode(pair), known)
	}
	return list, nil
}

// endlessTrials is how often a shorter sequence may be waited for that does not end.
const endlessTrials = 10

// trial plays a sequence that may not end, and compares it. It returns nil if that does not help to shorten it.
func (s *shortening) trial(ctx context.Context, q sequence.Sequence) (*diff.Comparison, error) {
	t := &trial{Played: s.Played, worker: s.worker, sequence: q}
	known := s.known.Adopt(noise.Suspects)
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
