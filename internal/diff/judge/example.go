package judge

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// minimiseTrials is how many shorter sequences are played, and minimiseNodes what playing them may take in nodes, on
// both versions. What has cost that much is as short as it was then.
const (
	minimiseTrials = 240
	minimiseNodes  = 30_000_000
)

// A shortening searches the shortest sequence that shows a root.
type shortening struct {
	*Played
	worker  int
	known   noise.Known // what is unstable, from all sequences
	found   *diff.Finding
	endless bool // of a sequence that does not end on one of the versions
	waits   int  // trials that did not end
	trials  int
	nodes   int64 // what the trials took
	held    *holding
	place   int // of the example in the order of what is held
}

// unshortened returns the finding with the sequence of a verdict as its example. Whether it needs all of that is not
// known.
func unshortened(found *diff.Finding, v *Verdict) *diff.Finding {
	f := *found
	f.OnNegative = false
	f.Example.Endless, f.Example.Known = v.Endless, v.Known
	f.Example.Outputs = found.Outputs(f.Example.Case)
	return &f
}

// shortened returns the finding with a shorter sequence as its example, in which alone is the same finding. It has the
// effect that this sequence shows, if that is worse than all that were seen before.
func (s *shortening) shortened(alone *diff.Finding, v *Verdict) *diff.Finding {
	f := *s.found
	worse := alone.Effect.Compare(f.Effect) < 0
	if worse {
		f.Effect = alone.Effect
	}
	f.OnNegative = alone.OnNegative && (worse || f.OnNegative)
	f.Cause, f.Example = alone.Blamed, alone.Example
	f.Example.Endless, f.Example.Known = s.endless, v.Known
	f.Example.Outputs = alone.Outputs(alone.Example.Case)
	return &f
}

// example minimises a sequence that shows the finding. What shows it beside other sequences may not show it alone: then
// the one that was shown before is tried, and at last the sequence stays as it is.
func (s *shortening) example(ctx context.Context, v *Verdict) (*diff.Finding, error) {
	s.endless = v.Endless
	var failed error
	var shorter []sequence.Sequence
	of := s.found.Example.Case
	shortest := sequence.Minimise(of.Sequence, s.steps(of), func(batch []sequence.Sequence) []bool {
		shown := make([]bool, len(batch))
		same, at := s.sameParts(batch, of.Sequence)
		if some := make([]bool, len(same)); failed == nil {
			failed = s.show(ctx, same, some)
			for i, ok := range some {
				shown[at[i]] = ok
			}
		}
		for i, ok := range shown {
			if ok && len(batch[i].Statements) > 0 {
				shorter = append(shorter, batch[i])
			}
		}
		return shown
	})
	if errors.Is(failed, ErrTimeUp) {
		failed = nil
	}
	long := unshortened(s.found, v)
	if len(shorter) == 0 && v.mode != wire.ModeDigests { // else an example may have values
		return long, failed
	}
	slices.Reverse(shorter) // the last ones are the simplest
	slices.SortStableFunc(shorter, func(x, y sequence.Sequence) int {
		return cmp.Compare(len(x.Statements), len(y.Statements))
	})
	for _, q := range append([]sequence.Sequence{shortest}, shorter[:min(len(shorter), triedAlone-1)]...) {
		again, alone, err := s.again(ctx, q, v)
		switch {
		case errors.Is(err, ErrTimeUp):
			return long, nil // it deviates all the same
		case err != nil:
			return long, err
		case alone != nil && s.held.take(s.place, again.Recorded):
			return s.shortened(alone, &again), nil
		case alone != nil:
			return long, failed // others are as large
		}
	}
	return long, failed
}

// sameParts returns the sequences that are simpler than another one for a reader, too, and their places. All of a test
// is a simpler call than one of its subtests, but no shorter run, and no one calls methods of nil pointers.
func (s *shortening) sameParts(batch []sequence.Sequence, of sequence.Sequence) (same []sequence.Sequence, at []int) {
	for i, q := range batch {
		if q.OnNil() && !of.OnNil() {
			continue
		}
		if !s.Tests || len(q.Statements) > 0 && suite.Part(q.Statements[0]) == suite.Part(of.Statements[0]) {
			same, at = append(same, q), append(at, i)
		}
	}
	return same, at
}

// triedAlone is how many of the shortest sequences are tried alone.
const triedAlone = 3

// steps returns the statements of the sequence in which the root shows: those with an output first.
func (s *shortening) steps(of *diff.Case) (list []int) {
	add := func(step int) {
		if step >= 0 && !slices.Contains(list, step) && len(list) < slicedSteps {
			list = append(list, step)
		}
	}
	for _, o := range s.found.Outputs(of) {
		add(o.Step)
	}
	for _, step := range s.found.Steps(of) {
		add(step)
	}
	return list
}

// slicedSteps is how many statements are tried with only what they need.
const slicedSteps = 6

// again judges a shorter sequence alone, and returns the root as it shows it; nil if it does not.
func (s *shortening) again(
	ctx context.Context, short sequence.Sequence, v *Verdict,
) (again Verdict, alone *diff.Finding, err error) {
	t := &trial{
		Played: s.Played, worker: s.worker, sequence: short, known: s.known.Adopt(noise.Suspects), example: true,
	}
	if s.endless {
		err = t.judgeShorter(ctx, &again)
	} else {
		t.limit = v.limit
		if v.mode == wire.ModeDigests && short.Key() == s.found.Example.Case.Sequence.Key() {
			t.digested = v
		}
		err = t.judgeAny(ctx, &again)
	}
	if err == nil && again.Confirmed() {
		alone = s.shownBy(short, again.Comparison)
	}
	return again, alone, err
}

// shownBy returns the root as a sequence shows it, with an effect that is no better; nil if it does not.
func (s *shortening) shownBy(q sequence.Sequence, c *diff.Comparison) *diff.Finding {
	alone := s.found.Among(s.find(q, 0, c))
	if alone != nil && alone.Effect.Compare(s.found.Effect) > 0 {
		return nil
	}
	return alone
}

// show notes which sequences have the root, with an effect that is no better.
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
			shown[i] = c != nil && s.shownBy(batch[i], c) != nil
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
	mode := wire.ModeDigests
	if s.found.Effect.Visible && !s.found.Effect.InDigests() {
		mode = wire.ModeValues // only values tell where it shows
	}
	played, err := s.Players.Both(ctx, s.worker, batch, mode, wire.MainSeed, limit, limitEvents(mode, valueBytes))
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
		s.nodes += selection.Cost(pair.Old) + selection.Cost(pair.New)
		if !s.apart(pair) {
			list[i] = s.compare(decode(pair), known)
		}
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
