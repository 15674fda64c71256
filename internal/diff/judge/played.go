package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Played is the result of playing every sequence on both versions.
type Played struct {
	*Subject
	Calibrated Calibration
	Suspects   []Suspect
	Losses     []Loss // in the order of the sequences
	Unplayed   []Unplayed
	Pruning    Pruning
	Tally

	Glanced Glanced
	costs   map[int]int64 // of the sequences that were recorded, in nodes
	Elapsed time.Duration // without the calibration
}

// heldEvents limits the bytes of events of one version that each worker has in memory. The sequence that
// exceeds the limit is the last one before the events are dropped.
const heldEvents = 32 << 20

// Play plays all sequences on both versions with digests, and measures noise.
func Play(ctx context.Context, e *replay.Workers, s *Subject) (*Played, error) {
	p := &Played{Subject: s}
	elapsed := replay.Stopwatch()
	r := &replaying{
		Subject: s, env: e, known: s.noise(), wait: replayWait(s.Budget),
		ledger: selection.Ledger{Whole: s.Whole}, kinds: Kinds{},
	}
	chunks, err := r.pruned(ctx, p)
	if err != nil {
		return nil, err
	}
	p.costs = map[int]int64{}
	for _, c := range chunks {
		maps.Copy(p.costs, c.costs)
		p.Add(c.Tally)
		p.Suspects = append(p.Suspects, c.suspects...)
		p.Losses = append(p.Losses, c.losses...)
		p.Unplayed = append(p.Unplayed, c.unplayed...)
	}
	slices.SortFunc(p.Losses, func(x, y Loss) int { return cmp.Compare(x.Index, y.Index) })
	p.Elapsed = elapsed()
	if p.Calibrated, err = calibrate(ctx, e, s, p.costs); err != nil {
		return nil, err
	}
	p.Suspects = WithSuspects(p.Suspects, p.Calibrated.Introduced)
	return p, nil
}

// replaying plays chunks of the sequences, several at the same time.
type replaying struct {
	*Subject
	env    *replay.Workers
	known  noise.Known      // before anything was measured
	left   map[int]bool     // sequences that can't deviate and are not recorded
	ledger selection.Ledger // what was recorded so far
	kinds  Kinds            // of the suspects so far
	differ bool             // most of what is not recorded seems to deviate
	brief  bool             // what takes long need not be recorded
	played int              // chunks that were recorded so far
	losses []Loss           // in earlier waves
	wait   time.Duration    // how long may still be waited for sequences that don't end
	share  time.Duration    // how long a chunk of this wave may wait for them
}

// waves records sequences in their order until enough is known, and returns the others. Those in must are recorded in
// any case.
func (r *replaying) waves(ctx context.Context, queue []int, must map[int]bool) (all []chunk, rest []int, err error) {
	r.env.Stage("record")
	rest = queue
	for parts := selection.FirstWave; len(rest) > 0; parts *= 2 {
		if r.ledger.Enough() && !slices.ContainsFunc(rest, func(i int) bool { return must[i] }) {
			break
		}
		var lists [][]int
		lists, rest = r.ledger.Wave(rest, parts)
		chunks, err := r.wave(ctx, len(lists), func(ctx context.Context, worker, i int) (chunk, error) {
			defer r.env.Report("replaying", len(queue)-len(rest), len(queue))
			return r.chunk(ctx, worker, fmt.Sprintf("digests-%04d", r.played+i), lists[i])
		})
		if err != nil {
			return nil, nil, err
		}
		var left []int
		for i := range chunks {
			r.ledger.Add(chunks[i].nodes, len(chunks[i].costs), r.news(chunks[i].suspects))
			left = append(left, chunks[i].left...)
		}
		rest = append(left, rest...)
		all, r.played = append(all, chunks...), r.played+len(lists)
		r.env.Detailf("recorded %d of %d sequences: %v", len(queue)-len(rest), len(queue), &r.ledger)
	}
	return all, rest, nil
}

// news reports whether some of the suspects are of a kind that there was not before.
func (r *replaying) news(suspects []Suspect) (found bool) {
	for _, s := range suspects {
		found = found || !r.kinds.HasAll(s)
		r.kinds.Add(s)
	}
	return found
}

// wave plays chunks, and notes the sequences that were lost in them.
func (r *replaying) wave(
	ctx context.Context, n int, play func(ctx context.Context, worker, i int) (chunk, error),
) ([]chunk, error) {
	chunks := make([]chunk, n)
	r.share = r.wait / time.Duration(n)
	err := r.env.Each(ctx, n, "", func(ctx context.Context, worker, i int) (err error) {
		chunks[i], err = play(ctx, worker, i)
		return err
	})
	for _, c := range chunks {
		r.losses = append(r.losses, c.losses...)
		r.wait -= c.waited
	}
	return chunks, err
}

// A chunk is the result of playing a part of the sequences.
type chunk struct {
	Tally
	suspects  []Suspect
	losses    []Loss
	unplayed  []Unplayed
	different []glance      // sequences that were played without recording, and seem to deviate
	glanced   []int         // others that were played so
	waited    time.Duration // the limits of the clocks that ended sequences
	costs     map[int]int64 // of each sequence that was recorded, in nodes on both versions
	nodes     int64         // that all of it took
	left      []int         // sequences that were not played, because the chunk had cost enough
}

// chunk records some of the sequences on both versions, those last that don't end on the old one, until that has cost
// enough. If there are too many events to hold, it plays one part after the other; and after each sequence that a clock
// ended.
func (r *replaying) chunk(ctx context.Context, worker int, name string, list []int) (c chunk, err error) {
	kept, err := KeepSpectra(r.Keep, name, r.headers(false))
	if err != nil {
		return c, err
	}
	err = r.parts(&c, list, func(left []int) (int, error) { return r.part(ctx, worker, left, &c, kept) })
	return c, errors.Join(err, kept.Close())
}

// parts plays sequences part by part, those last that don't end on the old version. Play returns how many it played.
func (r *replaying) parts(c *chunk, list []int, play func([]int) (int, error)) (err error) {
	var left, hung []int
	for _, i := range list {
		if r.Sequences[i].Hung {
			hung = append(hung, i)
		} else {
			left = append(left, i)
		}
	}
	left = append(left, hung...)
	left = r.skip(c, left)
	for len(left) > 0 && err == nil && (r.Whole || c.nodes < selection.ChunkNodes) {
		var n int
		n, err = play(left)
		left = r.skip(c, left[n:])
	}
	c.left = left
	return err
}

// skip returns the sequences that are still worth playing.
func (r *replaying) skip(c *chunk, left []int) []int {
	late := r.env.Over() || c.waited > 0 && c.waited >= r.share || r.share <= 0
	return slices.DeleteFunc(left, func(i int) bool {
		u := Unplayed{Index: i, Changed: r.Sequences[i].Changed}
		if !late {
			u.Operation = endless(r.Sequences[i], r.losses, c.losses)
		}
		if late || u.Operation != "" {
			c.unplayed = append(c.unplayed, u)
		}
		return late || u.Operation != ""
	})
}

// part plays as many of the sequences as may be held, until a clock ends one. It returns their number.
func (r *replaying) part(
	ctx context.Context, worker int, indexes []int, c *chunk, kept *Spectra,
) (int, error) {
	sequences, hung := r.alikeHung(indexes)
	first, err := r.both(ctx, worker, sequences, wire.MainSeed, hung)
	if err != nil {
		return 0, err
	}
	var found []Suspect
	var at []int // the place of each among the sequences
	var others []reordering
	for i := range first.New {
		pair := playedPair(first, i)
		if err := kept.Sequence(indexes[i], sequences[i], pair); err != nil {
			return 0, err
		}
		s, deviates := r.look(c, indexes[i], pair)
		switch {
		case deviates:
			found, at = append(found, s), append(at, i)
		case s.Exposure.Trace:
			others = append(others, reordering{i, s.Exposure})
		}
	}
	if err := r.countReordered(ctx, worker, c, sequences, first, others); err != nil {
		return 0, err
	}
	if slices.ContainsFunc(found, func(s Suspect) bool { return !r.kinds.HasAll(s) }) { // of others it is known
		if found, err = r.withoutNoise(ctx, worker, sequences, first, found, at); err != nil {
			return 0, err
		}
	}
	c.suspects = append(c.suspects, found...)
	return len(first.New), nil
}

// alikeHung returns the first of some sequences, as far as all of them end on the old version, or none does.
func (r *replaying) alikeHung(indexes []int) (sequences []sequence.Sequence, hung bool) {
	hung = r.Sequences[indexes[0]].Hung
	for _, i := range indexes {
		if r.Sequences[i].Hung == hung {
			sequences = append(sequences, r.Sequences[i].Sequence)
		}
	}
	return sequences, hung
}

// both plays sequences on both versions and records digests. It plays as many as may be held, until a clock ends
// one. For those that are known not to end on the old version it waits no longer than was waited when they were made.
func (r *replaying) both(
	ctx context.Context, worker int, sequences []sequence.Sequence, seed uint64, hung bool,
) (spectra.Pair[[]replay.Played], error) {
	brief := func(p *replay.Player) {
		if r.brief {
			briefly(&p.Limits)
		}
	}
	slow := func(p *replay.Player) {
		if r.Tests {
			p.Limits.HeldTime = heldTests
		}
	}
	return r.Players.Both(ctx, worker, sequences, wire.ModeDigests, seed, limited(hung), brief, slow)
}

// heldTests is how long tests are played on one version before the other plays them: what only one played when the time
// of the run ends is lost.
const heldTests = 3 * time.Second

// limited returns the limits for the sequences of a part.
func limited(hung bool) func(*replay.Player) {
	return func(p *replay.Player) {
		if hung {
			p.Limits = replay.GenerationLimits()
		}
		p.Limits.Held, p.Limits.HeldNodes, p.Limits.Losses = heldEvents, selection.ChunkNodes/2, 1
	}
}

// look compares the results of a sequence on both versions. If nothing deviates, the number or the order of executions
// may differ.
func (r *replaying) look(c *chunk, index int, pair spectra.Pair[*replay.Played]) (s Suspect, deviates bool) {
	changed := c.Note(pair, r.Watched)
	if pair.Old.Clock != "" || pair.New.Clock != "" {
		r.lose(c, index, pair, changed, replay.DefaultLimits())
		return s, false
	}
	if pair.Old.Invalid != "" || pair.New.Invalid != "" {
		c.Invalid++
		r.env.Detailf("sequence %d does not fit: old %q, new %q", index, pair.Old.Invalid, pair.New.Invalid)
		return s, false
	}
	c.pay(index, pair)
	if pair.Old.SameTrace(pair.New) && selection.SameOutputs(pair) {
		return s, false
	}
	c.nodes += selection.Compared(pair.Old) + selection.Compared(pair.New)
	defer r.env.Alone(pair.Old, pair.New)()
	comparison := r.withoutIntroduced(decode(pair), r.known)
	if comparison.Incomparable != "" {
		c.losses = append(c.losses, Loss{Index: index, Changed: changed || r.Sequences[index].Changed, Large: true})
		return s, false
	}
	if len(comparison.Deviations) == 0 {
		return Suspect{Index: index, Exposure: comparison.Exposure}, false
	}
	return r.newSuspect(index, comparison), true
}

// pay notes the cost of recording a sequence.
func (c *chunk) pay(index int, pair spectra.Pair[*replay.Played]) {
	if c.costs == nil {
		c.costs = map[int]int64{}
	}
	c.costs[index] = selection.Cost(pair.Old) + selection.Cost(pair.New)
	c.nodes += c.costs[index]
}

// repeats reports whether two runs of one version were the same.
func repeats(first, again *replay.Played) bool {
	return first.SameTrace(again) && selection.SameOutputs(spectra.Pair[*replay.Played]{Old: first, New: again})
}

// withoutNoise compares suspects again, without the states that differ between two runs of one version.
// Digests can only hide whole states. So what still deviates certainly does, and what does not may still
// deviate.
func (r *replaying) withoutNoise(
	ctx context.Context, worker int, sequences []sequence.Sequence, first spectra.Pair[[]replay.Played],
	found []Suspect, at []int,
) ([]Suspect, error) {
	ended := len(first.New)
	if first.Old[ended-1].Clock != "" || first.New[ended-1].Clock != "" {
		ended-- // it is not waited for again
	}
	again, err := r.both(ctx, worker, sequences[:ended], otherSeed, false)
	if err != nil {
		return nil, err
	}
	var list []Suspect
	for n, s := range found {
		if i := at[n]; i < len(again.New) && again.Old[i].Clock == "" && again.New[i].Clock == "" {
			s = r.suspectWithoutNoise(s, playedPair(first, i), playedPair(again, i))
		} // of the others isolation will tell
		list = append(list, s)
	}
	return list, nil
}

func (r *replaying) suspectWithoutNoise(s Suspect, first, again spectra.Pair[*replay.Played]) Suspect {
	if repeats(first.Old, again.Old) && repeats(first.New, again.New) {
		return s
	}
	defer r.env.Alone(first.Old, again.Old, first.New, again.New)()
	recorded, second := decode(first), decode(again)
	known := r.known
	for _, side := range spectra.Sides() {
		unstable := diff.Unstable(*recorded.Of(side), *second.Of(side), side, nil)
		known = known.With(noise.Sequence, side, unstable)
	}
	if known.Size(noise.Sequence) == 0 {
		return s
	}
	comparison := r.withoutIntroduced(recorded, known)
	if len(comparison.Deviations) == 0 {
		s.Noisy = true
		return s
	}
	return r.newSuspect(s.Index, comparison)
}
