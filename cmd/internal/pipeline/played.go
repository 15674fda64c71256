package pipeline

// This file plays the kept sequences on both versions and finds those that deviate.

import (
	"context"
	"errors"
	"fmt"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/diff/root"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/report"
	"github.com/spectradiff/spectradiff/spectra"
)

// A played is what is known once both versions played every kept sequence.
type played struct {
	*generated
	causes     root.Changes // what a deviation may come from
	calibrated calibration
	suspects   []suspect
	tally
	seconds float64 // without the calibration
}

// chunkSize is how many sequences one process of each version plays.
const chunkSize = 100

// heldEvents is how many bytes of events of one version are in memory at once, for each worker:
// those of the sequences after which there were more come last.
const heldEvents = 64 << 20

// play measures noise, and plays all kept sequences on both versions with digests.
func play(ctx context.Context, env *environment, g *generated) (*played, error) {
	p := &played{generated: g, causes: g.rootChanges()}
	var err error
	if p.calibrated, err = calibrate(ctx, env, g, p.causes); err != nil {
		return nil, err
	}
	elapsed := stopwatch()
	chunks := make([]chunk, (len(g.kept)+chunkSize-1)/chunkSize)
	r := &replaying{env: env, generated: g, causes: p.causes}
	err = env.each(ctx, len(chunks), "replaying", func(ctx context.Context, worker, i int) (err error) {
		from := i * chunkSize
		chunks[i], err = r.chunk(ctx, worker, from, min(from+chunkSize, len(g.kept)))
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, c := range chunks {
		p.tally = p.tally.plus(c.tally)
		p.suspects = append(p.suspects, c.suspects...)
	}
	p.suspects = withBrought(p.suspects, p.calibrated.brought)
	p.seconds = report.Seconds(elapsed())
	return p, nil
}

// replaying plays chunks of the kept sequences; several at the same time.
type replaying struct {
	*generated
	env    *environment
	causes root.Changes
}

// A chunk is what a part of the sequences gave.
type chunk struct {
	tally
	suspects []suspect
}

// chunk plays some of the kept sequences on both versions, a part after the other where their
// events are too many to be held.
func (r *replaying) chunk(ctx context.Context, worker, from, to int) (c chunk, err error) {
	keep, err := keepRaw(r.env, r.built, fmt.Sprintf("digests-%06d", from), false)
	if err != nil {
		return c, err
	}
	for from < to && err == nil {
		var n int
		n, err = r.part(ctx, worker, from, to, &c, keep)
		from += n
	}
	return c, errors.Join(err, keep.close())
}

// part plays as many of the sequences as may be held, at least one, and returns how many.
func (r *replaying) part(ctx context.Context, worker, from, to int, c *chunk, keep *keeper) (int, error) {
	var sequences []sequence.Sequence
	for _, k := range r.kept[from:to] {
		sequences = append(sequences, k.sequence)
	}
	first, err := r.both(ctx, worker, sequences, mainSeed)
	if err != nil {
		return 0, err
	}
	var found []suspect
	for i := range first.New {
		pair := playedPair(first, i)
		if err := keep.sequence(from+i, sequences[i], pair); err != nil {
			return 0, err
		}
		s, err := r.look(&c.tally, from+i, pair)
		if err != nil {
			return 0, err
		}
		if s != nil {
			found = append(found, *s)
		}
	}
	if len(found) > 0 {
		if found, err = r.withoutNoise(ctx, worker, from, sequences, first, found); err != nil {
			return 0, err
		}
	}
	c.suspects = append(c.suspects, found...)
	return len(first.New), nil
}

// both plays sequences on both versions, recording digests: as many as may be held.
func (r *replaying) both(
	ctx context.Context, worker int, sequences []sequence.Sequence, seed uint64,
) (spectra.Pair[[]replay.Played], error) {
	hold := func(p *replay.Player) { p.Limits.Held = heldEvents }
	return r.players.both(ctx, worker, sequences, replay.Digests, seed, hold)
}

// playedPair returns what the i-th sequence gave on both versions.
func playedPair(list spectra.Pair[[]replay.Played], i int) spectra.Pair[*replay.Played] {
	return spectra.Pair[*replay.Played]{Old: &list.Old[i], New: &list.New[i]}
}

// look compares what a sequence gave on both versions; nil if nothing deviates.
func (r *replaying) look(t *tally, index int, pair spectra.Pair[*replay.Played]) (*suspect, error) {
	t.note(pair, r.watched)
	if pair.Old.Invalid != "" || pair.New.Invalid != "" {
		t.invalid++
		r.env.detail("sequence %d does not fit: old %q, new %q", index, pair.Old.Invalid, pair.New.Invalid)
		return nil, nil
	}
	if pair.Old.SameTrace(pair.New) && sameOutputs(pair) {
		return nil, nil
	}
	defer r.env.alone(pair.Old, pair.New)()
	recorded, err := decode(pair)
	if err != nil {
		return nil, err
	}
	comparison := r.withoutBrought(recorded, r.noise())
	if comparison.Incomparable != "" {
		t.incomparable++
		return nil, nil
	}
	if len(comparison.Deviations) == 0 {
		return nil, nil
	}
	s := newSuspect(index, comparison, r.causes)
	return &s, nil
}

// sameOutputs reports whether a caller and the system saw the same of both versions.
func sameOutputs(pair spectra.Pair[*replay.Played]) bool {
	return len(diff.Compare(pair.Old.Spectrum, pair.New.Spectrum, diff.Options{}).Outputs) == 0
}

// decode returns the recorded spectra of a sequence.
func decode(pair spectra.Pair[*replay.Played]) (recorded spectra.Pair[*spectra.Spectrum], err error) {
	if recorded.Old, err = pair.Old.Recorded(); err == nil {
		recorded.New, err = pair.New.Recorded()
	}
	return recorded, err
}

// noise returns what is known to be unstable before anything was measured.
func (b *built) noise() noise.Known { return noise.For(b.matched, b.expected) }

// compare compares what both versions gave, without what is known to be unstable and further sites.
func (b *built) compare(recorded spectra.Pair[*spectra.Spectrum], known noise.Known, further ...*noise.Mask) *diff.Comparison {
	return diff.Compare(recorded.Old, recorded.New, diff.Options{
		Common: b.matched, Mask: known.Hidden(further...), Brought: known.Brought(),
	})
}

// withoutBrought compares digests: without values nothing tells what only the new version is unstable in.
func (b *built) withoutBrought(recorded spectra.Pair[*spectra.Spectrum], known noise.Known) *diff.Comparison {
	return diff.Compare(recorded.Old, recorded.New, diff.Options{Common: b.matched, Mask: known.Hidden()})
}

// withoutNoise looks at suspects again without the states that differ between two runs of one
// version. Without values that hides whole states, so what is left is certain, and what is not
// may still deviate.
func (r *replaying) withoutNoise(
	ctx context.Context, worker, from int, sequences []sequence.Sequence, first spectra.Pair[[]replay.Played], found []suspect,
) ([]suspect, error) {
	again, err := r.both(ctx, worker, sequences[:len(first.New)], otherSeed)
	if err != nil {
		return nil, err
	}
	var list []suspect
	for _, s := range found {
		if i := s.index - from; i < len(again.New) { // of the others isolation will tell
			if s, err = r.suspectWithoutNoise(s, playedPair(first, i), playedPair(again, i)); err != nil {
				return nil, err
			}
		}
		list = append(list, s)
	}
	return list, nil
}

func (r *replaying) suspectWithoutNoise(s suspect, first, again spectra.Pair[*replay.Played]) (suspect, error) {
	defer r.env.alone(first.Old, again.Old, first.New, again.New)()
	recorded, err := decode(first)
	if err != nil {
		return s, err
	}
	second, err := decode(again)
	if err != nil {
		return s, err
	}
	known := r.noise()
	for _, side := range spectra.Sides() {
		unstable := diff.Unstable(*recorded.Of(side), *second.Of(side), side)
		known = known.With(noise.Sequence, side, unstable)
	}
	if known.Size(noise.Sequence) == 0 {
		return s, nil
	}
	comparison := r.withoutBrought(recorded, known)
	if len(comparison.Deviations) == 0 {
		s.noisy = true
		return s, nil
	}
	return newSuspect(s.index, comparison, r.causes), nil
}
