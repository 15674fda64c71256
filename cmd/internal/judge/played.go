package judge

// This file plays the kept sequences on both versions and finds those that deviate.

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/cmd/internal/keep"
	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// A Played is the result of playing every sequence on both versions.
type Played struct {
	*Subject
	Calibrated Calibration
	Suspects   []Suspect
	Tally
	Elapsed time.Duration // without the calibration
}

// chunkSize is how many sequences one process of each version plays.
const chunkSize = 100

// heldEvents limits the bytes of events of one version that each worker has in memory. The sequence that
// exceeds the limit is the last one before the events are dropped.
const heldEvents = 64 << 20

// Play measures noise, and plays all sequences on both versions with digests.
func Play(ctx context.Context, e *env.Environment, s *Subject) (*Played, error) {
	p := &Played{Subject: s}
	var err error
	if p.Calibrated, err = calibrate(ctx, e, s); err != nil {
		return nil, err
	}
	elapsed := env.Stopwatch()
	chunks := make([]chunk, (len(s.Sequences)+chunkSize-1)/chunkSize)
	r := &replaying{s, e, s.noise()}
	err = e.Each(ctx, len(chunks), "replaying", func(ctx context.Context, worker, i int) (err error) {
		from := i * chunkSize
		chunks[i], err = r.chunk(ctx, worker, from, min(from+chunkSize, len(s.Sequences)))
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, c := range chunks {
		p.Tally = p.Tally.plus(c.Tally)
		p.Suspects = append(p.Suspects, c.suspects...)
	}
	p.Suspects = withBrought(p.Suspects, p.Calibrated.Brought)
	p.Elapsed = elapsed()
	return p, nil
}

// replaying plays chunks of the sequences, several at the same time.
type replaying struct {
	*Subject
	env   *env.Environment
	known noise.Known // before anything was measured
}

// A chunk is the result of playing a part of the sequences.
type chunk struct {
	Tally
	suspects []Suspect
}

// chunk plays some of the sequences on both versions. If there are too many events to hold, it plays one
// part after the other.
func (r *replaying) chunk(ctx context.Context, worker, from, to int) (c chunk, err error) {
	kept, err := keep.Folder(r.env.Keep).Spectra(fmt.Sprintf("digests-%06d", from), r.headers(false))
	if err != nil {
		return c, err
	}
	for from < to && err == nil {
		var n int
		n, err = r.part(ctx, worker, from, to, &c, kept)
		from += n
	}
	return c, errors.Join(err, kept.Close())
}

// part plays as many of the sequences as may be held, but at least one. It returns their number.
func (r *replaying) part(ctx context.Context, worker, from, to int, c *chunk, kept *keep.Spectra) (int, error) {
	var sequences []sequence.Sequence
	for _, k := range r.Sequences[from:to] {
		sequences = append(sequences, k.Sequence)
	}
	first, err := r.both(ctx, worker, sequences, wire.MainSeed)
	if err != nil {
		return 0, err
	}
	var found []Suspect
	for i := range first.New {
		pair := playedPair(first, i)
		if err := kept.Sequence(from+i, sequences[i], pair); err != nil {
			return 0, err
		}
		if s := r.look(&c.Tally, from+i, pair); s != nil {
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

// both plays sequences on both versions and records digests. It plays as many as may be held.
func (r *replaying) both(
	ctx context.Context, worker int, sequences []sequence.Sequence, seed uint64,
) (spectra.Pair[[]replay.Played], error) {
	hold := func(p *replay.Player) { p.Limits.Held = heldEvents }
	return r.Players.Both(ctx, worker, sequences, wire.ModeDigests, seed, hold)
}

// look compares the results of a sequence on both versions. It returns nil if nothing deviates.
func (r *replaying) look(t *Tally, index int, pair spectra.Pair[*replay.Played]) *Suspect {
	t.note(pair, r.Watched)
	if pair.Old.Invalid != "" || pair.New.Invalid != "" {
		t.Invalid++
		r.env.Detailf("sequence %d does not fit: old %q, new %q", index, pair.Old.Invalid, pair.New.Invalid)
		return nil
	}
	if pair.Old.SameTrace(pair.New) && sameOutputs(pair) {
		return nil
	}
	defer r.env.Alone(pair.Old, pair.New)()
	comparison := r.withoutBrought(decode(pair), r.known)
	if comparison.Incomparable != "" {
		t.Incomparable++
		return nil
	}
	if len(comparison.Deviations) == 0 {
		return nil
	}
	s := r.newSuspect(index, comparison)
	return &s
}

// sameOutputs reports whether a caller and the system saw the same of both versions.
func sameOutputs(pair spectra.Pair[*replay.Played]) bool {
	return len(diff.Compare(pair.Old.Spectrum, pair.New.Spectrum, diff.Options{}).Outputs) == 0
}

// withoutNoise compares suspects again, without the states that differ between two runs of one version.
// Digests can only hide whole states. So what still deviates certainly does, and what does not may still
// deviate.
func (r *replaying) withoutNoise(
	ctx context.Context, worker, from int, sequences []sequence.Sequence, first spectra.Pair[[]replay.Played],
	found []Suspect,
) ([]Suspect, error) {
	again, err := r.both(ctx, worker, sequences[:len(first.New)], otherSeed)
	if err != nil {
		return nil, err
	}
	var list []Suspect
	for _, s := range found {
		if i := s.Index - from; i < len(again.New) { // of the others isolation will tell
			s = r.suspectWithoutNoise(s, playedPair(first, i), playedPair(again, i))
		}
		list = append(list, s)
	}
	return list, nil
}

func (r *replaying) suspectWithoutNoise(s Suspect, first, again spectra.Pair[*replay.Played]) Suspect {
	defer r.env.Alone(first.Old, again.Old, first.New, again.New)()
	recorded, second := decode(first), decode(again)
	known := r.known
	for _, side := range spectra.Sides() {
		unstable := diff.Unstable(*recorded.Of(side), *second.Of(side), side)
		known = known.With(noise.Sequence, side, unstable)
	}
	if known.Size(noise.Sequence) == 0 {
		return s
	}
	comparison := r.withoutBrought(recorded, known)
	if len(comparison.Deviations) == 0 {
		s.Noisy = true
		return s
	}
	return r.newSuspect(s.Index, comparison)
}
