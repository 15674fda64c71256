package judge

// This file plays what is not recorded on both versions, without recording: what a caller sees of a sequence tells
// many that deviate, at the price of running it. Of those that seem to deviate in the same way a few are recorded.

import (
	"context"
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/cmd/internal/choice"
	"github.com/spectradiff/spectradiff/cmd/internal/tally"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// Glanced counts the sequences that were played on both versions, but not recorded.
type Glanced struct {
	Indexes   []int
	Different int // of them: they seem to deviate, like others that were recorded
}

// A glance is a sequence that seems to deviate.
type glance struct {
	index int
	kind  string // what others have in common that deviate in the same way

	tally.Tally // of this sequence
}

// recordedAlike is how many sequences are recorded that seem to deviate in the same way.
const recordedAlike = judgedAlike

// glances plays sequences, and records some of those that seem to deviate.
func (r *replaying) glances(ctx context.Context, rest []int) (all []chunk, g Glanced, err error) {
	var different []glance
	parts := slices.Collect(slices.Chunk(rest, choice.ChunkSize))
	for size := choice.FirstWave; len(parts) > 0; size *= 2 {
		now := parts[:min(size, len(parts))]
		parts = parts[len(now):]
		chunks, err := r.wave(ctx, len(now), func(ctx context.Context, worker, i int) (c chunk, err error) {
			r.env.Report("comparing outcomes", len(rest)-len(parts)*choice.ChunkSize, len(rest))
			err = r.parts(&c, now[i], func(left []int) (int, error) { return r.glanceAt(ctx, worker, left, &c) })
			return c, err
		})
		if err != nil {
			return nil, g, err
		}
		for _, c := range chunks {
			different = append(different, c.different...)
			g.Indexes = append(g.Indexes, c.glanced...)
		}
		all = append(all, chunks...)
	}
	chosen, others := few(different)
	var unrecorded chunk
	for _, d := range others {
		unrecorded.Add(d.Tally)
		g.Indexes = append(g.Indexes, d.index)
	}
	g.Different = len(others)
	must := map[int]bool{}
	for _, i := range chosen {
		must[i] = true
	}
	chunks, _, err := r.waves(ctx, chosen, must)
	return append(append(all, unrecorded), chunks...), g, err
}

// few chooses a few sequences of each kind.
func few(different []glance) (chosen []int, others []glance) {
	kinds := map[string]int{}
	for _, d := range different {
		if kinds[d.kind]++; kinds[d.kind] <= recordedAlike {
			chosen = append(chosen, d.index)
		} else {
			others = append(others, d)
		}
	}
	return chosen, others
}

// glanceAt plays as many of some sequences as may be, until a clock ends one. It returns their number.
func (r *replaying) glanceAt(ctx context.Context, worker int, indexes []int, c *chunk) (int, error) {
	sequences, hung := r.alikeHung(indexes)
	played, err := r.Players.Both(ctx, worker, sequences, wire.ModeOutcomes, wire.MainSeed, limited(hung))
	if err != nil {
		return 0, err
	}
	for i := range played.New {
		r.glance(c, indexes[i], playedPair(played, i))
	}
	return len(played.New), nil
}

// glance compares what a caller sees of a sequence.
func (r *replaying) glance(c *chunk, index int, pair spectra.Pair[*replay.Played]) {
	ended := pair.Old.Clock == "" && pair.New.Clock == "" && pair.Old.Invalid == "" && pair.New.Invalid == ""
	if ended && (!sameOutputs(pair) || !sameStates(pair)) {
		different := glance{index: index, kind: r.kind(index, pair)}
		different.Note(pair, r.Watched)
		c.different = append(c.different, different)
		return
	}
	changed := c.Note(pair, r.Watched)
	switch {
	case ended:
		c.glanced = append(c.glanced, index)
	case pair.Old.Invalid != "" || pair.New.Invalid != "":
		c.Invalid++
	default:
		r.lose(c, index, pair, changed)
	}
}

// sameStates reports whether what the calls were handed was the same when they returned.
func sameStates(pair spectra.Pair[*replay.Played]) bool {
	return slices.EqualFunc(pair.Old.Results, pair.New.Results, func(x, y replay.StepResults) bool {
		return x.State == y.State
	})
}

// kind says what differs first, and after which call.
func (r *replaying) kind(index int, pair spectra.Pair[*replay.Played]) string {
	what := fmt.Sprintf("end %v %v", pair.Old.Spectrum.End.Kind, pair.New.Spectrum.End.Kind)
	old, new := pair.Old.Spectrum.Steps, pair.New.Spectrum.Steps
	for i := range min(len(old), len(new)) {
		if same := slices.Equal(old[i].Results, new[i].Results); !same || old[i].Panic != new[i].Panic {
			panics := [2]bool{old[i].Panic != "", new[i].Panic != ""}
			return fmt.Sprintln(what, r.Sequences[index].Statements[i].Op, same, panics)
		}
	}
	return what
}
