package judge

// This file judges one sequence: what deviates in it, and which of that is noise.

import (
	"context"
	"slices"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// variedSeeds is the number of other seeds under which a suspect is played if something varies in it. If
// what deviates in it varies in another sequence, the number is doubtSeeds. Else it is the length of
// OtherSeeds.
const (
	variedSeeds = 4
	doubtSeeds  = 16
)

// That something is unstable in the new version only is believed if it varies under broughtShown of at
// most broughtSeeds seeds, while the old version is stable under all of them. However rarely something
// varies, two equal versions lead to that less than once in a thousand times.
const (
	broughtShown = 8
	broughtSeeds = 32
)

// valueBytes limits what a run with values may record. A sequence that needs more is judged by digests.
const valueBytes = 6 << 20

// A trial judges one sequence, in the sandbox of one worker.
type trial struct {
	*Played
	worker   int
	sequence sequence.Sequence
	known    noise.Known // what is unstable, from other sequences
}

// judge plays the sequence and fills the verdict.
func (t *trial) judge(ctx context.Context, v *Verdict, mode wire.Mode) (err error) {
	v.Known, v.mode, v.runs = t.known, mode, 0
	if v.Recorded, err = t.play(ctx, mode, wire.MainSeed); err != nil {
		return err
	}
	return t.settle(ctx, v)
}

// settle plays the sequence under other seeds, until it is certain what deviates.
func (t *trial) settle(ctx context.Context, v *Verdict) error {
	if !t.Patched { // chance decides every run, so what varies in other sequences is hidden at once
		v.Known = v.Known.Adopt(noise.Calibration, noise.Suspects)
	}
	t.decide(v)
	for v.Confirmed() && v.runs < t.needed(v) {
		before := v.Known.Size(noise.Sequence)
		if _, err := t.again(ctx, v, otherSeed+uint64(v.runs)); err != nil {
			return err
		}
		v.runs++
		if v.Known.Size(noise.Sequence) > before {
			t.decide(v)
		}
	}
	if err := t.confirmBrought(ctx, v); err != nil {
		return err
	}
	if !v.Confirmed() && v.Comparison.Incomparable == "" {
		v.Recorded = spectra.Pair[*spectra.Spectrum]{} // they may be large
	}
	return nil
}

// needed returns the number of other seeds under which the sequence must be played.
func (t *trial) needed(v *Verdict) int {
	needed := len(OtherSeeds(t.Patched))
	if v.Known.Size(noise.Sequence) > 0 {
		needed = max(needed, variedSeeds)
	}
	elsewhere := v.Known.Elsewhere()
	if elsewhere.Size() > 0 &&
		len(t.compare(v.Recorded, v.Known, elsewhere).Deviations) < len(v.Comparison.Deviations) {
		needed = max(needed, doubtSeeds)
	}
	return needed
}

// again plays the sequence under another seed and notes what is unstable. It returns what is unstable in
// the new version.
func (t *trial) again(ctx context.Context, v *Verdict, seed uint64) (*noise.Mask, error) {
	recorded, err := t.play(ctx, v.mode, seed)
	if err != nil {
		return nil, err
	}
	unstable := spectra.MakePair(func(s spectra.Side) *noise.Mask {
		return unstableBetween(*v.Recorded.Of(s), *recorded.Of(s), s)
	})
	unstable.Each(func(s spectra.Side, mask *noise.Mask) { v.Known = v.Known.With(noise.Sequence, s, mask) })
	return unstable.New, nil
}

// confirmBrought is called when something seems to be unstable in the new version only. It plays the
// sequence under more seeds, until that is certain. What stays uncertain counts as unstable in both
// versions.
func (t *trial) confirmBrought(ctx context.Context, v *Verdict) error {
	var shown noise.Tally
	for seed := uint64(otherSeed); seed < otherSeed+broughtSeeds && doubtful(v.Comparison, shown); seed++ {
		unstable, err := t.again(ctx, v, seed)
		if err != nil {
			return err
		}
		shown = shown.With(unstable)
		t.decide(v)
	}
	if doubtful(v.Comparison, shown) {
		v.Known = v.Known.Doubt(v.Known.Unsure(shown, broughtShown))
		t.decide(v)
	}
	return nil
}

// doubtful reports whether a deviation rests on something that varied under too few seeds in the new
// version.
func doubtful(c *diff.Comparison, shown noise.Tally) bool {
	return slices.ContainsFunc(c.Deviations, func(d *diff.Deviation) bool {
		site := noise.Site{Function: d.Function, State: d.State, Path: d.Path}
		return d.Kind == diff.KindNondeterminism && shown.Times(site) < broughtShown
	})
}

// decide compares both versions without what is known to be unstable.
func (t *trial) decide(v *Verdict) { v.Comparison = t.compare(v.Recorded, v.Known) }

// play plays the sequence on both versions, each in a process of its own.
func (t *trial) play(
	ctx context.Context, mode wire.Mode, seed uint64,
) (recorded spectra.Pair[*spectra.Spectrum], err error) {
	played, err := t.Players.Both(ctx, t.worker, []sequence.Sequence{t.sequence}, mode, seed, limitValues(mode))
	if err != nil {
		return recorded, err
	}
	return decode(playedPair(played, 0)), nil
}

// limitValues returns a function that limits what a run with values may record.
func limitValues(mode wire.Mode) func(*replay.Player) {
	return func(p *replay.Player) {
		if mode == wire.ModeValues {
			p.Limits.EventBytes = valueBytes
		}
	}
}
