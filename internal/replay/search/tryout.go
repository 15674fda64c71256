package search

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/coverage"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TryoutInput is the input of NewTryout.
type TryoutInput struct {
	Players *replay.Players
	Workers *replay.Workers               // who play the parts of a batch; nil: one after the other
	Blocks  int                           // of the old version; those of the new one are numbered behind them
	Watched spectra.Pair[map[uint32]bool] // numbers of the blocks in changed code
	Touched Touched
	Limits  replay.Limits // of one sequence; none: replay.GenerationLimits
	Steps   int64         // of all selected sequences on old; 0: replayedSteps
	Most    int           // of selected sequences; 0: Replayed

	// Unfit reports whether an outcome is left out. Nil: none is, and one whose time bubble failed ends all with
	// ErrBubble.
	Unfit func(spectra.Side, sequence.Sequence, *replay.Played) bool

	// Closed returns a sequence in the form in which it is played and kept. Nil: as it is.
	Closed func(sequence.Sequence) sequence.Sequence

	// Talks says that sequences print what depends on chance. What they print alone is not believed to tell the
	// versions apart.
	Talks bool

	// Uneven says that some sequences may take far longer than others.
	Uneven bool

	Branches *coverage.Branches // told which sides were taken; nil: no branch distances

	Entries  bool            // what calls are handed is looked at too
	Reaching map[string]bool // operations that can reach changed code
	Expired  func() bool     // the time is up
	Asking   time.Duration   // for so long each version plays sequences for their comparisons; 0: all of them
}

// Touched describes the code of the old version that the change may touch.
type Touched struct {
	Known  bool                         // false: all code
	Blocks map[uint32]bool              // of the old version
	Brings func(sequence.Sequence) bool // whether a sequence makes values that the change may touch
}

// may reports whether the change may touch the execution of a sequence on the old version.
func (t *Touched) may(q sequence.Sequence, old *replay.Played) bool {
	return !t.Known || t.ran(old) || t.Brings(q)
}

func (t *Touched) ran(old *replay.Played) bool {
	return slices.ContainsFunc(old.Coverage, func(id uint32) bool { return t.Blocks[id] })
}

// A Tryout plays sequences for the generator and remembers the outcomes of the kept ones.
//
// Every sequence is played on the old version. Those that run code that the change may touch are also played on the new
// version, without recording, to see whether a caller notices a difference. A batch has fixed parts, and each part has
// a process of its own, so outcomes do not depend on the number of workers.
type Tryout struct {
	TryoutInput
	lost  spectra.Pair[map[string]int] // number of calls that did not end, by operation
	lists map[uint64][]uint32          // lists of blocks by hash; many sequences share one

	played   int            // number of sequences
	believed map[string]int // number of sequences that told the versions apart, by difference

	reached map[uint32]bool // counters of changed code that some sequence hit
	news    time.Time       // when another one was, or the versions were told apart in another way
}

// NewTryout returns a Tryout without outcomes.
func NewTryout(in TryoutInput) *Tryout {
	if in.Limits == (replay.Limits{}) {
		in.Limits = replay.GenerationLimits()
	}
	return &Tryout{
		TryoutInput: in, lists: map[uint64][]uint32{}, believed: map[string]int{},
		reached: map[uint32]bool{},
		lost:    spectra.MakePair(func(spectra.Side) map[string]int { return map[string]int{} }),
	}
}

// ErrBubble reports that code of the module can't run in time bubbles.
var ErrBubble = errors.New("code of the module does not work in a time bubble")

// A memo holds all that is known of a played sequence.
type memo struct {
	outcomes   spectra.Pair[*replay.Played] // without results; New is nil if it was not played or did not end
	difference string                       // as in selection.Sequence
	class      uint64                       // likewise
	ran        uint64                       // likewise
	reaches    bool                         // it ran code that the change may touch
	waited     bool                         // as in selection.Sequence
	panics     bool                         // likewise
}

// Changed reports whether a counter of an outcome is in changed code.
func (t *Tryout) Changed(counter uint32) bool {
	if id := int(counter) - t.Blocks; id >= 0 {
		return t.Watched.New[uint32(id)]
	}
	return t.Watched.Old[counter]
}

// Execute plays a batch on the old version, and on the new one where needed. Each part of the batch has a process of
// its own.
func (t *Tryout) Execute(ctx context.Context, batch []sequence.Sequence) ([]generate.Outcome, error) {
	outcomes := make([]generate.Outcome, 0, len(batch))
	t.played += len(batch)
	parts, err := t.parts(ctx, batch, (*part).play)
	for _, p := range parts {
		outcomes = append(outcomes, p.outcomes...)
		for i := range p.outcomes {
			if way := p.outcomes[i].Difference; way != "" && !p.outcomes[i].Unsure {
				if t.believed[way]++; t.believed[way] == 1 {
					t.news = time.Now()
				}
			}
			t.took(p.outcomes[i].Coverage)
			t.reach(p.outcomes[i].Coverage)
			t.settle(&p.outcomes[i])
		}
	}
	return outcomes, err
}

// reach notes which counters of changed code were hit.
func (t *Tryout) reach(coverage []uint32) {
	for _, counter := range coverage {
		if !t.reached[counter] && t.Changed(counter) {
			t.reached[counter], t.news = true, time.Now()
		}
	}
}

// took notes the taken sides of branches.
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

// Keep plays sequences of an earlier run and returns those that still fit, in the form of generated ones.
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

// keptBatch is the number of kept sequences in one batch.
const keptBatch = 256

// Operands plays sequences on both versions and returns the comparisons of each, none of those for which Asking has no
// time.
func (t *Tryout) Operands(ctx context.Context, batch []sequence.Sequence) ([]generate.Compared, error) {
	compared := make([]generate.Compared, 0, len(batch))
	parts, err := t.parts(ctx, batch, (*part).note)
	for _, p := range parts {
		compared = append(compared, p.compared...)
	}
	return compared, err
}

// Look plays sequences on the old version only and returns their outcomes with the entry states of calls. The fields in
// without are left out of the states. Nothing counts as covered.
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

// Printed plays sequences on one version only and returns what each prints. Nothing counts as covered.
func (t *Tryout) Printed(ctx context.Context, s spectra.Side, batch []sequence.Sequence) ([]string, error) {
	printed := make([]string, 0, len(batch))
	parts, err := t.parts(ctx, batch, func(p *part, ctx context.Context) error { return p.read(ctx, s) })
	for _, p := range parts {
		printed = append(printed, p.printed...)
	}
	return printed, err
}

// A batch has two parts, if its sequences take very different times more: of so many sequences, and so many at most.
// This depends on nothing else, because earlier sequences of a process may matter.
const (
	usualParts = 2
	unevenPart = 16
	mostParts  = 16
)

// parts divides a batch into parts and plays each part.
func (t *Tryout) parts(
	ctx context.Context, batch []sequence.Sequence, play func(*part, context.Context) error,
) ([]*part, error) {
	count := usualParts
	if t.Uneven {
		count = min(max(count, len(batch)/unevenPart), mostParts)
	}
	closed := batch
	if t.Closed != nil {
		closed = make([]sequence.Sequence, len(batch))
		for i, q := range batch {
			closed[i] = t.Closed(q)
		}
	}
	parts := make([]*part, count)
	for i := range parts {
		from, to := len(batch)*i/count, len(batch)*(i+1)/count
		parts[i] = &part{Tryout: t, over: t.Expired, sequences: closed[from:to], generated: batch[from:to]}
		parts[i].lost = spectra.MakePair(func(spectra.Side) map[string]int { return map[string]int{} })
	}
	workers := cmp.Or(t.Workers, &replay.Workers{})
	err := workers.Each(ctx, count, "", func(ctx context.Context, worker, i int) error {
		parts[i].worker = worker
		return play(parts[i], ctx)
	})
	for _, p := range parts {
		for _, s := range spectra.Sides() {
			for operation, n := range *p.lost.Of(s) {
				(*t.lost.Of(s))[operation] += n
			}
		}
	}
	return parts, err
}

// settle drops the parts of an outcome that are not needed once its batch was compared. A sequence that a clock ended
// keeps all.
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

// sharedLists is the maximum number of remembered lists.
const sharedLists = 1 << 14

// shared returns an equal list of blocks that is shared with others.
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

// The maximum number of kept sequences that are replayed, and of their steps on the old version.
const (
	Replayed      = 4000
	replayedSteps = 15_000_000
)

// Select chooses sequences to replay if more were kept than replaying has time for: first those with new code or a new
// kind of outcome, then those that ran changed code, then the rest.
func (t *Tryout) Select(all []generate.Kept) []selection.Sequence {
	of := make([]selection.Sequence, len(all))
	for i, k := range all {
		of[i] = t.known(k)
		of[i].Novel = k.Class() == 0
	}
	chosen := make([]bool, len(all))
	count, most, steps, mostSteps := 0, cmp.Or(t.Most, Replayed), int64(0), cmp.Or(t.Steps, replayedSteps)
	for want := range generate.Classes {
		for i, k := range all {
			if k.Class() != want || count == most || steps > mostSteps {
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

// known returns a kept sequence with all that is known of it.
func (t *Tryout) known(k generate.Kept) selection.Sequence {
	q := selection.Sequence{
		Sequence: k.Sequence,
		Changed: k.Changed || slices.ContainsFunc(k.Sequence.Statements, func(st sequence.Statement) bool {
			return t.Reaching[st.Op]
		}),
	}
	if t.Closed != nil {
		q.Sequence = t.Closed(q.Sequence)
	}
	q.Reaches = t.Touched.Brings != nil && t.Touched.Brings(q.Sequence)
	if of, ok := k.Played.(*memo); ok {
		q.Outcomes, q.Difference, q.Class, q.Ran, q.Waited = of.outcomes, of.difference, of.class, of.ran, of.waited
		q.Panics = of.panics
		q.Steps, q.Hung = of.outcomes.Old.Steps, of.outcomes.Old.Clock != ""
		q.Reaches = q.Reaches || of.reaches
	}
	return q
}

// endlessCalls is the number of unended calls after which an operation is no longer called.
const endlessCalls = 3

// Endless reports whether an operation is no longer called because several calls did not end. Waiting for one takes as
// long as playing hundreds of other sequences.
func (t *Tryout) Endless(operation string) bool {
	return t.lost.Old[operation]+t.lost.New[operation] >= endlessCalls
}

// Warnings names the operations that are no longer called.
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
		text := "%s does not end with some arguments in the %s version; it was no longer called after %d such calls"
		if t.Closed != nil {
			text = "%s does not end with some other values in the %s version; it was not varied after %d such runs"
		}
		list = append(list, fmt.Sprintf(text, operation, version, t.lost.Old[operation]+t.lost.New[operation]))
	}
	return list
}

// waited reports whether such an end took time: a clock ended the sequence, or, outside bubbles, it was blocked, which
// only a clock shows.
func (t *Tryout) waited(end wire.End) bool {
	return end == wire.EndTimeout || end == wire.EndBlocked && !t.Players.Bubbles()
}
