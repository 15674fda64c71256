package search

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/coverage"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// An Input says what is played, and what the change may touch.
type TryoutInput struct {
	Players *replay.Players
	Jobs    int                           // parts of a batch that are played at the same time
	Blocks  int                           // of the old version; those of the new one are numbered behind them
	Watched spectra.Pair[map[uint32]bool] // numbers of the blocks in changed code
	Touched Touched

	Branches *coverage.Branches // whose sides are kept account of; nil: none

	Entries  bool            // what calls are handed is looked at too
	Reaching map[string]bool // operations that can reach changed code
	Expired  func() bool     // the time is up
}

// Touched is what the change may touch.
type Touched struct {
	Known  bool                         // false: it may be anything
	Blocks map[uint32]bool              // of the old version
	Brings func(sequence.Sequence) bool // whether a sequence makes values that the change may touch
}

// may reports whether a change may touch what a sequence did on the old version.
func (t *Touched) may(q sequence.Sequence, old *replay.Played) bool {
	return !t.Known || t.ran(old) || t.Brings(q)
}

func (t *Touched) ran(old *replay.Played) bool {
	return slices.ContainsFunc(old.Coverage, func(id uint32) bool { return t.Blocks[id] })
}

// A Tryout is one run of the generator.
type Tryout struct {
	TryoutInput
	lost  spectra.Pair[map[string]int] // calls that did not end, by what was called
	lists map[uint64][]uint32          // lists of blocks by their hash: many sequences have the same

	believed map[string]int // sequences that told the versions apart, by the way in which they did
}

// New begins a run.
func NewTryout(in TryoutInput) *Tryout {
	return &Tryout{
		TryoutInput: in, lists: map[uint64][]uint32{}, believed: map[string]int{},
		lost: spectra.MakePair(func(spectra.Side) map[string]int { return map[string]int{} }),
	}
}

// ErrBubble says that the module can't be run in time bubbles.
var ErrBubble = errors.New("code of the module does not work in a time bubble")

// A tried is what is known of a sequence that was played.
type memo struct {
	outcomes   spectra.Pair[*replay.Played] // without results; New is nil where it was not played or did not end
	difference string                       // as in selection.Sequence
	class      uint64                       // likewise
	ran        uint64                       // likewise
	reaches    bool                         // it ran code that the change may touch
	waited     bool                         // as in selection.Sequence
	panics     bool                         // likewise
}

// Changed reports whether a counter of an outcome lies in changed code.
func (t *Tryout) Changed(counter uint32) bool {
	if id := int(counter) - t.Blocks; id >= 0 {
		return t.Watched.New[uint32(id)]
	}
	return t.Watched.Old[counter]
}

// Execute plays a batch in as many processes as there are parts.
func (t *Tryout) Execute(ctx context.Context, batch []sequence.Sequence) ([]generate.Outcome, error) {
	outcomes := make([]generate.Outcome, 0, len(batch))
	parts, err := t.parts(ctx, batch, (*part).play)
	for _, p := range parts {
		outcomes = append(outcomes, p.outcomes...)
		for i := range p.outcomes {
			if way := p.outcomes[i].Difference; way != "" && !p.outcomes[i].Unsure {
				t.believed[way]++
			}
			t.took(p.outcomes[i].Coverage)
			t.settle(&p.outcomes[i])
		}
	}
	return outcomes, err
}

// took notes which sides of branches were taken.
func (t *Tryout) took(coverage []uint32) {
	if t.Branches == nil {
		return
	}
	for _, counter := range coverage {
		if id := int(counter) - t.Blocks; id >= 0 {
			t.Branches.Ran(spectra.New, uint32(id))
		} else {
			t.Branches.Ran(spectra.Old, counter)
		}
	}
}

// Keep plays sequences that were kept in an earlier run, and returns those that still fit, as if they were generated.
func (t *Tryout) Keep(ctx context.Context, sequences []sequence.Sequence) (kept []generate.Kept, err error) {
	for batch := range slices.Chunk(sequences, keptBatch) {
		outcomes, err := t.Execute(ctx, batch)
		if err != nil {
			return nil, err
		}
		for i, o := range outcomes {
			if !o.Missing && !o.Rejected {
				changed := slices.ContainsFunc(o.Coverage, t.Changed)
				kept = append(kept, generate.Kept{
					Sequence: batch[i], Reason: generate.NewCoverage, Changed: changed, Played: o.Played,
				})
			}
		}
	}
	return kept, nil
}

// keptBatch is how many kept sequences are played at once.
const keptBatch = 256

// Operands plays sequences on both versions and returns what was compared in each.
func (t *Tryout) Operands(ctx context.Context, batch []sequence.Sequence) ([]generate.Compared, error) {
	compared := make([]generate.Compared, 0, len(batch))
	parts, err := t.parts(ctx, batch, (*part).note)
	for _, p := range parts {
		compared = append(compared, p.compared...)
	}
	return compared, err
}

// Look plays sequences on the old version only, and tells what came of them and what their calls were handed. Fields of
// struct types may be left out of it. Nothing of it counts as covered.
func (t *Tryout) Look(
	ctx context.Context, batch []sequence.Sequence, without map[string][]string,
) ([]generate.Outcome, error) {
	outcomes := make([]generate.Outcome, 0, len(batch))
	parts, err := t.parts(ctx, batch, func(p *part, ctx context.Context) error {
		p.without = without
		return p.look(ctx)
	})
	for _, p := range parts {
		outcomes = append(outcomes, p.outcomes...)
	}
	return outcomes, err
}

// parts divides a batch, and has each part played.
func (t *Tryout) parts(
	ctx context.Context, batch []sequence.Sequence, play func(*part, context.Context) error,
) ([]*part, error) {
	const count = 2 // fixed: what a process has played before may matter
	parts := make([]*part, count)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(t.Jobs, 1))
	for i := range parts {
		parts[i] = &part{Tryout: t, number: i, sequences: batch[len(batch)*i/count : len(batch)*(i+1)/count]}
		parts[i].lost = spectra.MakePair(func(spectra.Side) map[string]int { return map[string]int{} })
		g.Go(func() error { return play(parts[i], ctx) })
	}
	err := g.Wait()
	for _, p := range parts {
		for _, s := range spectra.Sides() {
			for operation, n := range *p.lost.Of(s) {
				(*t.lost.Of(s))[operation] += n
			}
		}
	}
	return parts, err
}

// settle drops what is not needed of a sequence once its batch was compared. Of one that a clock ended all is needed.
func (t *Tryout) settle(o *generate.Outcome) {
	of, ok := o.Played.(*memo)
	if !ok {
		return
	}
	of.outcomes = spectra.MakePair(func(s spectra.Side) *replay.Played {
		p := *of.outcomes.Of(s)
		if p == nil || p.Clock != "" {
			return p
		}
		return &replay.Played{
			OutcomeDigest: p.OutcomeDigest, Steps: p.Steps, Coverage: t.shared(p.Coverage),
			Spectrum: &spectra.Spectrum{End: spectra.End{Kind: p.Spectrum.End.Kind}},
		}
	})
}

// sharedLists is how many different lists are remembered at most.
const sharedLists = 1 << 14

// shared returns an equal list of blocks that others have too.
func (t *Tryout) shared(list []uint32) []uint32 {
	h := fnv.New64a()
	for _, id := range list {
		h.Write(binary.LittleEndian.AppendUint32(nil, id))
	}
	key := h.Sum64()
	if len(t.lists) == sharedLists {
		clear(t.lists)
	}
	if !slices.Equal(t.lists[key], list) {
		t.lists[key] = list
	}
	return t.lists[key]
}

// Of the sequences that were kept so many are replayed at most, and so many steps of the old
// version.
const (
	Replayed      = 4000
	replayedSteps = 15_000_000
)

// Select picks what is replayed when generation kept more than replaying has time for: first
// what brought new code or a new kind of outcome, then what ran changed code, then the rest.
func (t *Tryout) Select(all []generate.Kept) []selection.Sequence {
	of := make([]selection.Sequence, len(all))
	for i, k := range all {
		of[i] = t.known(k)
		of[i].Novel = k.Class() == 0
	}
	chosen := make([]bool, len(all))
	count, steps := 0, int64(0)
	for want := range generate.Classes {
		for i, k := range all {
			if k.Class() != want || count == Replayed || steps > replayedSteps {
				continue
			}
			chosen[i] = true
			count++
			steps += of[i].Steps
		}
	}
	var list []selection.Sequence
	for i := range of {
		if chosen[i] {
			list = append(list, of[i])
		}
	}
	return list
}

// known returns what is known of a sequence that was kept.
func (t *Tryout) known(k generate.Kept) selection.Sequence {
	q := selection.Sequence{
		Sequence: k.Sequence,
		Reaches:  t.Touched.Brings != nil && t.Touched.Brings(k.Sequence),
		Changed: k.Changed || slices.ContainsFunc(k.Sequence.Statements, func(st sequence.Statement) bool {
			return t.Reaching[st.Op]
		}),
	}
	if of, ok := k.Played.(*memo); ok {
		q.Outcomes, q.Difference, q.Class, q.Ran, q.Waited = of.outcomes, of.difference, of.class, of.ran, of.waited
		q.Panics = of.panics
		q.Steps, q.Hung = of.outcomes.Old.Steps, of.outcomes.Old.Clock != ""
		q.Reaches = q.Reaches || of.reaches
	}
	return q
}

// endlessCalls is how many calls of an operation must not end until it is no longer called.
const endlessCalls = 3

// Endless reports whether an operation is no longer called, because several calls of it did not end: waiting for it
// takes as long as playing hundreds of other sequences.
func (t *Tryout) Endless(operation string) bool {
	return t.lost.Old[operation]+t.lost.New[operation] >= endlessCalls
}

// Warnings names the operations that were no longer called.
func (t *Tryout) Warnings() []string {
	var list []string
	lost := maps.Clone(t.lost.New)
	maps.Copy(lost, t.lost.Old)
	for _, operation := range slices.Sorted(maps.Keys(lost)) {
		if !t.Endless(operation) {
			continue
		}
		version := "old"
		if t.lost.New[operation] > t.lost.Old[operation] {
			version = "new"
		}
		list = append(list, fmt.Sprintf(
			"%s does not end with some arguments in the %s version; it was no longer called after %d such calls",
			operation, version, t.lost.Old[operation]+t.lost.New[operation]))
	}
	return list
}

// waited reports whether a sequence with that end took its time: the clock ended it, and without a bubble
// that is what ends one that is blocked too.
func (t *Tryout) waited(end wire.End) bool {
	return end == wire.EndTimeout || end == wire.EndBlocked && !t.Players.Bubbles()
}
