package pipeline

// This file measures noise before the comparison: some of the kept sequences are played on both
// versions under several runtime seeds with values. What differs between two runs of one version is
// known to be unstable then, wherever it shows. Without the extended runtime all that a run gives may
// differ by chance, so there are more runs.

import (
	"context"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra"
)

// The sample is this many sequences and one of so many of the others, as far as their steps are a
// small part of all.
const (
	sampledLeast   = 16
	sampledOneOf   = 80
	sampledStepsOf = 100     // one step of so many
	sampledSeeds   = 4       // beside the first: what is rare shows in suspects
	sampledBytes   = 2 << 20 // events of one sequence
)

// seeds are other runtime seeds: enough to see what varies. One of the first two has the collector
// run during sequences.
func (r *run) seeds() []uint64 {
	n := 2
	if !r.patched() {
		n = plainSeeds
	}
	seeds := make([]uint64, n)
	for i := range seeds {
		seeds[i] = otherSeed + uint64(i)
	}
	return seeds
}

// plainSeeds is how many further runs of a version show what is left to chance. Of 26 equal runs of
// one version the first 13 agree on one thing and the others on another once in ten million times.
const plainSeeds = 12

func (r *run) patched() bool { return r.old.build.binary.Patched && r.new.build.binary.Patched }

// A calibration is what the sample showed.
type calibration struct {
	sample           []int                          // indexes in run.kept
	runs             map[string][]([]replay.Played) // version → its runs, the first one under the main seed
	oldMask, newMask *noise.Mask
	values, masked   int
	brought          []suspect // sequences in which only the new version is unstable
}

func (r *run) calibrate(ctx context.Context) error {
	r.causes = r.rootChanges()
	c := &r.calibrated
	c.sample = r.sample()
	c.oldMask, c.newMask = &noise.Mask{}, &noise.Mask{}
	if err := r.playSample(ctx); err != nil {
		return err
	}
	masks := make([]map[string]*noise.Mask, len(c.sample))
	for i := range c.sample {
		masks[i] = map[string]*noise.Mask{}
		for _, version := range []string{"old", "new"} {
			var err error
			if masks[i][version], err = c.unstable(version, i); err != nil {
				return err
			}
		}
		c.oldMask.Union(masks[i]["old"])
		c.newMask.Union(masks[i]["new"])
	}
	for i := range c.sample {
		if err := r.measure(i, masks[i]["old"], masks[i]["new"]); err != nil {
			return err
		}
	}
	c.runs = nil
	return nil
}

// playSample plays the sample on both versions under all seeds.
func (r *run) playSample(ctx context.Context) error {
	c := &r.calibrated
	others := r.seeds()
	seeds := append([]uint64{mainSeed}, others[:min(len(others), sampledSeeds)]...)
	c.runs = map[string][][]replay.Played{"old": make([][]replay.Played, len(seeds)), "new": make([][]replay.Played, len(seeds))}
	var sequences []sequence.Sequence
	for _, i := range c.sample {
		sequences = append(sequences, r.kept[i].sequence)
	}
	sides := []*side{r.old, r.new}
	return r.each(ctx, len(sides)*len(seeds), "measuring noise", func(ctx context.Context, worker, i int) (err error) {
		s := sides[i%2]
		player := r.player(s, worker)
		player.Limits.EventBytes = sampledBytes
		player.Fixed = true
		c.runs[s.name][i/2], err = player.Play(ctx, sequences, replay.Values, seeds[i/2])
		return err
	})
}

// sample picks sequences for the calibration: at equal distances among those that brought new code
// or another kind of outcome, and among all.
func (r *run) sample() []int {
	total := int64(0)
	var novel, all []int
	for i, k := range r.kept {
		total += r.costs[k.sequence.Key()]
		if r.waits[k.sequence.Key()] {
			continue
		}
		all = append(all, i)
		if k.novel {
			novel = append(novel, i)
		}
	}
	want := sampledLeast + len(all)/sampledOneOf
	left := max(total/sampledStepsOf, minimumSteps)
	chosen := make([]bool, len(r.kept))
	for _, from := range [][]int{novel, all} {
		count := min(want/2, len(from))
		for n := range count {
			i := from[n*len(from)/count]
			if cost := r.costs[r.kept[i].sequence.Key()]; cost <= left && !chosen[i] {
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

// minimumSteps may be played for the calibration of every sequence, however short the others are.
const minimumSteps = 2_000

// recorded decodes the i-th sequence in a run of a version, and does not keep it.
func (c *calibration) recorded(version string, run, i int) (*spectra.Spectrum, error) {
	played := c.runs[version][run][i]
	spectrum := *played.Spectrum
	played.Spectrum = &spectrum
	return played.Recorded()
}

// unstable returns what differs between the first run of the i-th sequence and the others.
func (c *calibration) unstable(version string, i int) (*noise.Mask, error) {
	mask := &noise.Mask{}
	first, err := c.recorded(version, 0, i)
	for n := 1; n < len(c.runs[version]) && err == nil; n++ {
		var again *spectra.Spectrum
		if again, err = c.recorded(version, n, i); err == nil {
			mask.Union(unstableBetween(first, again, version))
		}
	}
	return mask, err
}

// unstableBetween compares two runs of one version. Where the time bubble itself ended one of them,
// which finalizers can make happen, they say nothing.
func unstableBetween(first, second *spectra.Spectrum, version string) *noise.Mask {
	if burst(second) && !burst(first) {
		return &noise.Mask{}
	}
	return diff.Unstable(first, second, spectra.Side(version))
}

// measure adds the values of the i-th sequence to those that were looked at, and notes it where
// something is unstable in the new version only.
func (r *run) measure(i int, oldMask, newMask *noise.Mask) error {
	c := &r.calibrated
	old, err := c.recorded("old", 0, i)
	if err != nil || old.Truncated {
		return err
	}
	values, masked := diff.Weigh(old, oldMask)
	c.values += values
	c.masked += masked
	brought := newMask.Without(c.oldMask.Renamed(r.matched))
	if brought.Size() == 0 {
		return nil
	}
	new, err := c.recorded("new", 0, i)
	if err != nil {
		return err
	}
	mask := &noise.Mask{}
	mask.Union(oldMask.Renamed(r.matched), newMask)
	comparison := diff.Compare(old, new, diff.Options{Common: r.matched, Mask: r.withQuestions(mask), Brought: brought})
	if len(comparison.Deviations) > 0 {
		c.brought = append(c.brought, r.suspect(c.sample[i], comparison))
	}
	return nil
}
