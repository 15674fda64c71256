package judge

import (
	"context"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// That a sequence does not end is believed if it does not within shorterWait times the ordinary limits of processor
// time and of waiting, nor within longerWait times those in a second run. Neither depends on how busy the machine is.
const (
	shorterWait = 2
	longerWait  = 4
)

// stepsTimes is how many times the ordinary number of steps a sequence may take that used all of them.
const stepsTimes = 10

// Where chance decides every run, the version on which a sequence ends must end that often, and the other one must not
// end that often more.
const (
	endedByChance   = 2 * plainSeeds
	endlessByChance = 4
)

// An outcome is the result of judging a loss.
type outcome uint8

const (
	notJudged outcome = iota // there was no time
	undecided
	ended       // on both versions; the verdict says whether they deviate
	neitherEnds // and both did the same up to there
	oneEnds     // the verdict holds the deviation
)

// judgeLoss judges a sequence that a clock ended.
func (t *trial) judgeLoss(ctx context.Context, v *Verdict) (outcome, error) {
	v.Known, v.mode, v.runs = t.known.Adopt(noise.Calibration), wire.ModeValues, 0
	first, err := t.wait(ctx, v, shorterWait)
	if err == nil && (first.Old.Spectrum.Truncated || first.New.Spectrum.Truncated) {
		v.mode = wire.ModeDigests
		first, err = t.wait(ctx, v, shorterWait)
	}
	if err != nil {
		return undecided, err
	}
	by := clocks(first)
	if by == (spectra.Pair[replay.Clock]{}) {
		return t.judgeEnded(ctx, v)
	}
	side, ok := oneEndless(by)
	if !ok {
		if t.alike(decode(first), by) {
			return neitherEnds, nil
		}
		return undecided, nil
	}
	if t.Reach.Bodies && (*first.Of(side.Other())).Counted && !t.ranChanged(decode(first)) { // chance decides
		return undecided, nil
	}
	second, err := t.wait(ctx, v, longerWait)
	if err != nil {
		return undecided, err
	}
	switch clocks(second) {
	case spectra.Pair[replay.Clock]{}:
		return t.judgeEnded(ctx, v)
	case by:
		if steady, err := t.steady(ctx, v, side, second); err != nil || !steady {
			return undecided, err
		}
		t.conclude(v, first, second, side)
		if v.Confirmed() {
			return oneEnds, nil
		}
	}
	return undecided, nil
}

// judgeShorter judges a sequence that is shorter than one that was judged so, with the ordinary limits. The verdict is
// confirmed if it does not end on one of the versions.
func (t *trial) judgeShorter(ctx context.Context, v *Verdict) error {
	v.Known, v.mode = t.known.Adopt(noise.Calibration, noise.Suspects), wire.ModeValues
	t.limit = briefly
	first, err := t.run(ctx, v.mode, wire.MainSeed)
	if err != nil {
		return err
	}
	second, err := t.wait(ctx, v, 1)
	if err != nil {
		return err
	}
	if side, ok := oneEndless(clocks(second)); ok && clocks(first) == clocks(second) {
		t.conclude(v, first, second, side)
	}
	return nil
}

// briefly sets the clocks as they are for sequences that are tried out.
func briefly(l *replay.Limits) {
	short := replay.GenerationLimits()
	l.CPU, l.Idle, l.Time = short.CPU, short.Idle, short.Time
}

// wait plays the sequence with so many times the ordinary limits of the clocks.
func (t *trial) wait(ctx context.Context, v *Verdict, times int) (spectra.Pair[*replay.Played], error) {
	t.limit = func(l *replay.Limits) { *l = l.Longer(times) }
	v.limit = t.limit
	return t.run(ctx, v.mode, wire.MainSeed)
}

// oneEndless returns the version on which a sequence does not end, if it is one of the two and that does not depend on
// the machine.
func oneEndless(by spectra.Pair[replay.Clock]) (spectra.Side, bool) {
	switch {
	case by.Old == replay.Wall || by.New == replay.Wall:
	case by.Old == "" && by.New != "":
		return spectra.New, true
	case by.New == "" && by.Old != "":
		return spectra.Old, true
	}
	return "", false
}

// judgeEnded judges the sequence as others are, with the longer limits.
func (t *trial) judgeEnded(ctx context.Context, v *Verdict) (outcome, error) {
	err := t.judge(ctx, v, v.mode)
	if err == nil && v.Confirmed() {
		err = t.confirmSteps(ctx, v)
	}
	if err != nil || v.Comparison.Incomparable != "" {
		return undecided, err
	}
	return ended, nil
}

// steady reports whether a sequence that does not end on one version does so on the other one under other seeds, and
// notes what is unstable there. Where it does not always, chance may be what differs.
func (t *trial) steady(
	ctx context.Context, v *Verdict, endless spectra.Side, second spectra.Pair[*replay.Played],
) (bool, error) {
	other := endless.Other()
	seeds, repeated := otherSeeds(t.Patched), 0
	if !t.Patched {
		repeated = endlessByChance
		for len(seeds) < endedByChance {
			seeds = append(seeds, otherSeed+uint64(len(seeds)))
		}
	}
	t.limit = nil
	recorded := (*second.Of(other)).Recorded()
	for _, seed := range seeds {
		played, err := t.alone(ctx, v, other, seed)
		if err != nil || played.Clock != "" {
			return false, err
		}
		v.runs++
		v.Known = v.Known.With(noise.Sequence, other, unstableBetween(recorded, played.Recorded(), other, nil))
	}
	for i := range repeated {
		played, err := t.alone(ctx, v, endless, seeds[i])
		if err != nil || played.Clock == "" {
			return false, err
		}
	}
	return true, nil
}

// alone plays the sequence on one version.
func (t *trial) alone(ctx context.Context, v *Verdict, s spectra.Side, seed uint64) (*replay.Played, error) {
	player := t.Players.Player(s, t.worker, t.limitValues(v.mode), t.adjust)
	played, err := player.Play(ctx, []sequence.Sequence{t.sequence}, v.mode, seed)
	if err == nil && len(played) == 0 {
		err = ErrTimeUp
	}
	if err != nil {
		return nil, err
	}
	return &played[0], nil
}

// conclude compares a sequence that does not end on one version, up to there.
func (t *trial) conclude(v *Verdict, first, second spectra.Pair[*replay.Played], endless spectra.Side) {
	v.Endless, v.Recorded = true, unfinished(decode(first), decode(second), endless)
	t.decide(v)
	if !slices.ContainsFunc(
		v.Comparison.Deviations,
		func(d *diff.Deviation) bool { return d.Kind == spectra.KindExit },
	) {
		v.Comparison = nil // how it ends is hidden: nothing is sure
	}
}

// unfinished returns the second recordings, that of the version that does not end without what depends on when it was
// killed.
func unfinished(first, second spectra.Pair[*spectra.Spectrum], endless spectra.Side) spectra.Pair[*spectra.Spectrum] {
	cut := CutUnended(*first.Of(endless), *second.Of(endless), *second.Of(endless.Other()))
	cut.End = (*second.Of(endless)).End
	*second.Of(endless) = cut
	return second
}

// confirmSteps is called when a sequence deviates. If it used up its steps on one version alone, it is played again
// with many times as many: only if it still does not end that is a deviation.
func (t *trial) confirmSteps(ctx context.Context, v *Verdict) error {
	limited := func(s *spectra.Spectrum) bool { return s.End.Kind == wire.EndStepLimit }
	if limited(v.Recorded.Old) == limited(v.Recorded.New) {
		return nil
	}
	t.limit = func(l *replay.Limits) {
		*l = l.Longer(longerWait)
		l.Steps, l.Nodes = stepsTimes*l.Steps, stepsTimes*l.Nodes
	}
	again, err := t.run(ctx, wire.ModeOutcomes, wire.MainSeed)
	if err != nil {
		return err
	}
	for _, s := range spectra.Sides() {
		if end := (*again.Of(s)).Spectrum.End.Kind; end == wire.EndStepLimit || end == wire.EndTimeout {
			return nil
		}
	}
	v.limit = t.limit
	return t.judge(ctx, v, wire.ModeDigests)
}
