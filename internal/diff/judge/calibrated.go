package judge

import (
	"context"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Calibration is the result of playing the sample.
type Calibration struct {
	Known          noise.Known // what is unstable, in the scope of the calibration
	Values, Masked int         // number of values in the sample, and of those that are masked

	// Introduced are sequences that are suspects because something in them is unstable in the new version
	// and stable in the old one; see noise.Known.Introduced.
	Introduced []Suspect
}

// introduces reports whether something in a sequence seems to be unstable in the new version only.
func (c *Calibration) introduces(index int) bool {
	return slices.ContainsFunc(c.Introduced, func(s Suspect) bool { return s.Index == index })
}

// Limits of the runs of the sample.
const (
	sampledSeeds = 4       // besides the first; what varies rarely shows in suspects
	sampledBytes = 2 << 20 // events of one sequence
)

// calibrate plays the sample and measures noise in it. The costs are those of the sequences that were recorded. A value
// that differs between two runs of one version is then known to be unstable in all sequences. Without the extended
// runtime anything may differ by chance, so there are more runs.
func calibrate(ctx context.Context, e *replay.Workers, s *Subject, costs map[int]int64) (Calibration, error) {
	e.Stage("noise")
	c := Calibration{Known: s.noise()}
	m := &measurement{Subject: s, sample: selection.Sample(s.Sequences, costs)}
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

// A measurement plays the sample.
type measurement struct {
	*Subject
	sample []int                             // indexes of kept sequences
	runs   spectra.Pair[[]([]replay.Played)] // of a version; the first run is under the main seed
}

// play plays the sample on both versions under all seeds.
func (m *measurement) play(ctx context.Context, e *replay.Workers) error {
	others := otherSeeds(m.Patched)
	seeds := append([]uint64{wire.MainSeed}, others[:min(len(others), sampledSeeds)]...)
	m.runs = spectra.MakePair(func(spectra.Side) [][]replay.Played { return make([][]replay.Played, len(seeds)) })
	var sequences []sequence.Sequence
	for _, i := range m.sample {
		sequences = append(sequences, m.Sequences[i].Sequence)
	}
	limit := func(p *replay.Player) { p.Limits.EventBytes, p.Limits.Losses, p.Fixed = sampledBytes, 1, true }
	sides := spectra.Sides()
	err := e.Each(ctx, len(sides)*len(seeds), "measuring noise", func(ctx context.Context, worker, i int) (err error) {
		s, run := sides[i%len(sides)], i/len(sides)
		player := m.Players.Player(s, worker, limit)
		(*m.runs.Of(s))[run], err = player.Play(ctx, sequences, wire.ModeValues, seeds[run])
		return err
	})
	m.shorten()
	return err
}

// shorten leaves sequences out of the sample that some run did not play, or not to the end.
func (m *measurement) shorten() {
	m.runs.Each(func(_ spectra.Side, runs [][]replay.Played) {
		for _, played := range runs {
			ended := slices.IndexFunc(played, func(p replay.Played) bool { return p.Clock != "" })
			if ended < 0 {
				ended = len(played)
			}
			m.sample = m.sample[:min(len(m.sample), ended)]
		}
	})
}

// recorded returns the i-th sequence of a run of a version, to be decoded. What that leads to is not kept in the run.
func (m *measurement) recorded(s spectra.Side, run, i int) *replay.Played {
	one := (*m.runs.Of(s))[run][i]
	return &one
}

// unstable returns the places that differ between the first run of the i-th sequence and the other runs.
func (m *measurement) unstable(s spectra.Side, i int) *noise.Mask {
	mask := &noise.Mask{}
	first := m.recorded(s, 0, i)
	recorded := first.Recorded()
	for n := 1; n < len(*m.runs.Of(s)); n++ {
		if other := m.recorded(s, n, i); !repeats(first, other) {
			other.Beside(first)
			mask.Union(unstableBetween(recorded, other.Recorded(), s, mask))
		}
	}
	return mask
}

// unstableBetween returns what differs between two runs of one version beside what is known to. If the time bubble
// failed in only the second run, which finalizers can cause, the runs can't be compared and nothing counts as unstable.
func unstableBetween(first, second *spectra.Spectrum, s spectra.Side, known *noise.Mask) *noise.Mask {
	if second.Burst && !first.Burst {
		return &noise.Mask{}
	}
	return diff.Unstable(first, second, s, known)
}

// weigh counts the values of the i-th sequence. If the sequence deviates because something is unstable
// only in the new version, weigh adds it to c.Introduced.
func (m *measurement) weigh(c *Calibration, i int, unstable spectra.Pair[*noise.Mask]) {
	old := m.recorded(spectra.Old, 0, i).Recorded()
	if old.Truncated {
		return
	}
	values, masked := diff.Weigh(old, unstable.Old)
	c.Values += values
	c.Masked += masked
	known := c.Known.With(noise.Sequence, spectra.Old, unstable.Old).With(noise.Sequence, spectra.New, unstable.New)
	if known.Introduced().Size() == 0 {
		return
	}
	new := m.recorded(spectra.New, 0, i).Recorded()
	comparison := m.compare(spectra.Pair[*spectra.Spectrum]{Old: old, New: new}, known)
	if len(comparison.Deviations) > 0 {
		c.Introduced = append(c.Introduced, m.newSuspect(m.sample[i], comparison))
	}
}
