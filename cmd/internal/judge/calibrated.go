package judge

// This file measures noise before the comparison: some of the kept sequences are played on both
// versions under several runtime seeds with values. What differs between two runs of one version is
// known to be unstable then, wherever it shows. Without the extended runtime all that a run gives may
// differ by chance, so there are more runs.

import (
	"context"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// A Calibration is what the sample showed.
type Calibration struct {
	Known          noise.Known // in the scope of the calibration
	Values, Masked int         // of the values of the sample
	Brought        []Suspect   // sequences in which only the new version is unstable
}

// The sample is this many sequences and one of so many of the others, as far as their steps are a
// small part of all.
const (
	sampledLeast   = 16
	sampledOneOf   = 80
	sampledStepsOf = 100     // one step of so many
	sampledSeeds   = 4       // beside the first: what is rare shows in suspects
	sampledBytes   = 2 << 20 // events of one sequence
)

// minimumSteps may be played for the calibration of every sequence, however short the others are.
const minimumSteps = 2_000

// calibrate plays a sample of the kept sequences.
func calibrate(ctx context.Context, e *env.Environment, s *Subject) (Calibration, error) {
	c := Calibration{Known: s.noise()}
	m := &measurement{Subject: s, sample: sample(s.Sequences)}
	if err := m.play(ctx, e); err != nil {
		return c, err
	}
	unstable := make([]spectra.Pair[*noise.Mask], len(m.sample))
	for i := range m.sample {
		for _, side := range spectra.Sides() {
			mask := m.unstable(side, i)
			*unstable[i].Of(side) = mask
			c.Known = c.Known.With(noise.Calibration, side, mask)
		}
	}
	for i := range m.sample {
		m.weigh(&c, i, unstable[i])
	}
	return c, nil
}

// sample picks sequences for the calibration: at equal distances among those that brought new code
// or another kind of outcome, and among all.
func sample(sequences []Sequence) []int {
	total := int64(0)
	var novel, all []int
	for i, k := range sequences {
		total += k.Steps
		if k.Waited {
			continue
		}
		all = append(all, i)
		if k.Novel {
			novel = append(novel, i)
		}
	}
	want := sampledLeast + len(all)/sampledOneOf
	left := max(total/sampledStepsOf, minimumSteps)
	chosen := make([]bool, len(sequences))
	for _, from := range [][]int{novel, all} {
		count := min(want/2, len(from))
		for n := range count {
			i := from[n*len(from)/count]
			if cost := sequences[i].Steps; cost <= left && !chosen[i] {
				chosen[i] = true
				left -= cost
			}
		}
	}
	var list []int
	for i := range chosen {
		if chosen[i] {
			list = append(list, i)
		}
	}
	return list
}

// A measurement plays the sample.
type measurement struct {
	*Subject
	sample []int                             // indexes of kept sequences
	runs   spectra.Pair[[]([]replay.Played)] // of a version, the first one under the main seed
}

// play plays the sample on both versions under all seeds.
func (m *measurement) play(ctx context.Context, e *env.Environment) error {
	others := OtherSeeds(m.Patched)
	seeds := append([]uint64{wire.MainSeed}, others[:min(len(others), sampledSeeds)]...)
	m.runs = spectra.MakePair(func(spectra.Side) [][]replay.Played { return make([][]replay.Played, len(seeds)) })
	var sequences []sequence.Sequence
	for _, i := range m.sample {
		sequences = append(sequences, m.Sequences[i].Sequence)
	}
	limit := func(p *replay.Player) { p.Limits.EventBytes, p.Fixed = sampledBytes, true }
	sides := spectra.Sides()
	return e.Each(ctx, len(sides)*len(seeds), "measuring noise", func(ctx context.Context, worker, i int) (err error) {
		s, run := sides[i%len(sides)], i/len(sides)
		player := m.Players.Player(s, worker, limit)
		(*m.runs.Of(s))[run], err = player.Play(ctx, sequences, wire.ModeValues, seeds[run])
		return err
	})
}

// recorded decodes the i-th sequence in a run of a version, and does not keep it.
func (m *measurement) recorded(s spectra.Side, run, i int) *spectra.Spectrum {
	one := (*m.runs.Of(s))[run][i]
	spectrum := *one.Spectrum
	one.Spectrum = &spectrum
	return one.Recorded()
}

// unstable returns what differs between the first run of the i-th sequence and the others.
func (m *measurement) unstable(s spectra.Side, i int) *noise.Mask {
	mask := &noise.Mask{}
	first := m.recorded(s, 0, i)
	for n := 1; n < len(*m.runs.Of(s)); n++ {
		mask.Union(unstableBetween(first, m.recorded(s, n, i), s))
	}
	return mask
}

// unstableBetween compares two runs of one version. Where the time bubble itself ended one of them,
// which finalizers can make happen, they say nothing.
func unstableBetween(first, second *spectra.Spectrum, s spectra.Side) *noise.Mask {
	if second.Burst && !first.Burst {
		return &noise.Mask{}
	}
	return diff.Unstable(first, second, s)
}

// weigh adds the values of the i-th sequence to those that were looked at, and notes it where
// something is unstable in the new version only.
func (m *measurement) weigh(c *Calibration, i int, unstable spectra.Pair[*noise.Mask]) {
	old := m.recorded(spectra.Old, 0, i)
	if old.Truncated {
		return
	}
	values, masked := diff.Weigh(old, unstable.Old)
	c.Values += values
	c.Masked += masked
	known := c.Known.With(noise.Sequence, spectra.Old, unstable.Old).With(noise.Sequence, spectra.New, unstable.New)
	if known.Brought().Size() == 0 {
		return
	}
	new := m.recorded(spectra.New, 0, i)
	comparison := m.compare(spectra.Pair[*spectra.Spectrum]{Old: old, New: new}, known)
	if len(comparison.Deviations) > 0 {
		c.Brought = append(c.Brought, m.newSuspect(m.sample[i], comparison))
	}
}
