package judge

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
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
	steps int64

	Tally // of this sequence
}

// Of the sequences that seem to deviate in the same way recordedAlike are recorded, but beyond the first mustAlike only
// if that is cheap.
const (
	recordedAlike = 6
	mustAlike     = 3
)

// glances plays sequences, as far as it isn't known what a caller sees of them, and records some of those that seem to
// deviate. The results that a caller sees tell many sequences that deviate, at the price of running them. Most are
// known from generating: on the old version those of all sequences, on the new one those of sequences that run code
// which the change may touch.
func (r *replaying) glances(ctx context.Context, rest []int) (all []chunk, g Glanced, err error) {
	r.env.Stage("outcomes")
	var known chunk
	var ends, hung []int
	for _, i := range rest {
		switch q := &r.Sequences[i]; {
		case q.Outcomes.Old != nil && q.Outcomes.New != nil:
			r.told(&known, i, q.Outcomes, q.Difference)
		case q.Hung:
			hung = append(hung, i)
		default:
			ends = append(ends, i)
		}
	}
	all = []chunk{known}
	different := known.different
	g.Indexes = known.glanced
	play := func(list []int, size int) error {
		chunks, err := r.glanced(ctx, list, size, &different, &g)
		all = append(all, chunks...)
		return err
	}
	if err = play(ends, selection.ChunkSize); err == nil {
		spared := max(0, r.wait-hungWait) // for what is recorded then
		r.wait -= spared
		err = play(hung, hungChunk)
		r.wait += spared
	}
	if err != nil {
		return nil, g, err
	}
	chunks, g, err := r.different(ctx, different, g)
	return append(all, chunks...), g, err
}

// What does not end on the old version is played in small parts, and no longer than hungWait in all.
const (
	hungChunk = 8
	hungWait  = 8 * time.Second
)

// glanced plays sequences in parts of a size, and notes which of them seem to deviate.
func (r *replaying) glanced(
	ctx context.Context, rest []int, size int, different *[]glance, g *Glanced,
) (all []chunk, err error) {
	parts := slices.Collect(slices.Chunk(rest, size))
	for now := selection.FirstWave; len(parts) > 0; now *= 2 {
		r.differ = 2*len(*different) > len(g.Indexes)
		wave := parts[:min(now, len(parts))]
		parts = parts[len(wave):]
		chunks, err := r.wave(ctx, len(wave), func(ctx context.Context, worker, i int) (c chunk, err error) {
			r.env.Report("comparing outcomes", len(rest)-len(parts)*size, len(rest))
			err = r.parts(&c, wave[i], func(left []int) (int, error) { return r.glanceAt(ctx, worker, left, &c) })
			return c, err
		})
		if err != nil {
			return nil, err
		}
		for _, c := range chunks {
			*different = append(*different, c.different...)
			g.Indexes = append(g.Indexes, c.glanced...)
		}
		all = append(all, chunks...)
	}
	return all, nil
}

// different records of those that seem to deviate in the same way a few. One that takes too long to record is left if
// another one of its kind was recorded.
func (r *replaying) different(ctx context.Context, all []glance, g Glanced) ([]chunk, Glanced, error) {
	kinds := map[int]string{}
	for _, d := range all {
		kinds[d.index] = d.kind
	}
	chosen, must := few(all)
	r.brief = true
	chunks, left, err := r.waves(ctx, chosen, must)
	recorded := map[string]bool{}
	for _, c := range chunks {
		for i := range c.costs {
			recorded[kinds[i]] = true
		}
	}
	for i := range chunks {
		chunks[i].losses = slices.DeleteFunc(chunks[i].losses, func(l Loss) bool {
			if recorded[kinds[l.Index]] {
				g.Indexes, g.Different = append(g.Indexes, l.Index), g.Different+1
			}
			return recorded[kinds[l.Index]]
		})
	}
	var unrecorded chunk
	for _, d := range all {
		if !slices.Contains(chosen, d.index) || slices.Contains(left, d.index) {
			unrecorded.Add(d.Tally)
			g.Indexes, g.Different = append(g.Indexes, d.index), g.Different+1
		}
	}
	return append(chunks, unrecorded), g, err
}

// few chooses a few sequences of each kind, those that take the fewest steps. The first of each kind come first, and
// are returned as must too: one in any case, others if they are not heavy.
func few(different []glance) (chosen []int, must map[int]bool) {
	list := slices.Clone(different)
	slices.SortStableFunc(list, func(x, y glance) int { return cmp.Compare(x.steps, y.steps) })
	places, must := map[int]int{}, map[int]bool{}
	count := map[string]int{}
	for _, d := range list {
		place := count[d.kind]
		count[d.kind]++
		if place < recordedAlike {
			chosen, places[d.index] = append(chosen, d.index), place
			must[d.index] = place == 0 || place < mustAlike && d.steps <= selection.HeavySteps
		}
	}
	slices.SortStableFunc(chosen, func(i, j int) int { return cmp.Compare(places[i], places[j]) })
	return chosen, must
}

// glanceAt plays as many of some sequences as may be, until a clock ends one. It returns their number.
func (r *replaying) glanceAt(ctx context.Context, worker int, indexes []int, c *chunk) (int, error) {
	sequences, hung := r.alikeHung(indexes)
	indexes = indexes[:len(sequences)]
	if r.differ {
		return r.glanceBoth(ctx, worker, indexes, c)
	}
	player := r.Players.Player(spectra.New, worker, limited(hung), soon)
	played, err := player.Play(ctx, sequences, wire.ModeOutcomes, wire.MainSeed)
	if err != nil {
		return 0, err
	}
	var differ []int
	for i := range played {
		pair := spectra.Pair[*replay.Played]{Old: r.Sequences[indexes[i]].Outcomes.Old, New: &played[i]}
		switch {
		case selection.SameOutcomes(pair):
			r.alikeAtAGlance(c, indexes[i], pair)
		case hung && pair.Old != nil && pair.Old.Clock == pair.New.Clock:
			r.lose(c, indexes[i], pair, c.Note(pair, r.Watched), glanceLimits())
		default:
			differ = append(differ, indexes[i])
		}
	}
	for len(differ) > 0 && err == nil {
		var n int
		n, err = r.glanceBoth(ctx, worker, differ, c)
		differ = r.skip(c, differ[n:])
	}
	return len(played), err
}

// soon lets the clocks end what takes more than twice as long as it may when it is made. Whether it ends is judged with
// longer limits.
func soon(p *replay.Player) {
	short := glanceLimits()
	p.Limits.CPU, p.Limits.Idle = min(p.Limits.CPU, short.CPU), min(p.Limits.Idle, short.Idle)
}

func glanceLimits() replay.Limits { return replay.GenerationLimits().Longer(2) }

// glanceBoth plays as many of some sequences on both versions as may be, until a clock ends one.
func (r *replaying) glanceBoth(ctx context.Context, worker int, indexes []int, c *chunk) (int, error) {
	sequences, hung := r.alikeHung(indexes)
	played, err := r.Players.Both(ctx, worker, sequences, wire.ModeOutcomes, wire.MainSeed, limited(hung), soon)
	if err != nil {
		return 0, err
	}
	for i := range played.New {
		r.glance(c, indexes[i], playedPair(played, i))
	}
	return len(played.New), nil
}

// told notes whether what a caller saw of a sequence tells the versions apart.
func (r *replaying) told(c *chunk, index int, pair spectra.Pair[*replay.Played], apart string) {
	if apart == "" {
		r.alikeAtAGlance(c, index, pair)
		return
	}
	different := glance{index: index, kind: apart, steps: pair.Old.Steps + pair.New.Steps}
	different.Note(pair, r.Watched)
	c.different = append(c.different, different)
}

func (r *replaying) alikeAtAGlance(c *chunk, index int, pair spectra.Pair[*replay.Played]) {
	c.Note(pair, r.Watched)
	c.glanced = append(c.glanced, index)
}

// glance compares the results that a caller sees of a sequence.
func (r *replaying) glance(c *chunk, index int, pair spectra.Pair[*replay.Played]) {
	if selection.Whole(pair.Old) && selection.Whole(pair.New) {
		r.told(c, index, pair, selection.Difference(r.Sequences[index].Sequence, pair))
		return
	}
	changed := c.Note(pair, r.Watched)
	switch {
	case pair.Old.Invalid != "" || pair.New.Invalid != "":
		c.Invalid++
	default:
		r.lose(c, index, pair, changed, glanceLimits())
	}
}
