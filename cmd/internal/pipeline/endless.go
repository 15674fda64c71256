package pipeline

// This file plays a part of a batch of generated sequences. An operation of which several calls did not end is
// not called any more: waiting for it takes as long as playing hundreds of other sequences.

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/cmd/internal/choice"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/generate"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// endlessCalls is how many calls of an operation must not end until it is no longer called.
const endlessCalls = 3

// endless reports whether an operation is no longer called.
func (t *tryout) endless(operation string) bool { return t.lost[operation] >= endlessCalls }

// endlessWarnings names the operations that were no longer called.
func (t *tryout) endlessWarnings() []string {
	var list []string
	for _, operation := range slices.Sorted(maps.Keys(t.lost)) {
		if t.endless(operation) {
			list = append(list, fmt.Sprintf(
				"%s does not end with some arguments in the old version; it was no longer called after %d such calls",
				operation, t.lost[operation]))
		}
	}
	return list
}

// A part is a part of a batch, played in one process after the other.
type part struct {
	*tryout
	number    int
	sequences []sequence.Sequence
	outcomes  []generate.Outcome // one for each
	costs     []cost
	lost      map[string]int      // calls in this part that did not end, by operation
	ran       map[uint64][]uint32 // as in tryout
}

// play plays the sequences, but those that call what turned out not to end.
func (p *part) play(ctx context.Context) error {
	p.outcomes, p.costs = make([]generate.Outcome, len(p.sequences)), make([]cost, len(p.sequences))
	p.lost, p.ran = map[string]int{}, map[uint64][]uint32{}
	var left []int
	for i := range p.sequences {
		p.outcomes[i].Missing = true
		left = append(left, i)
	}
	limit := func(own *replay.Player) {
		own.Limits, own.Over = replay.GenerationLimits(), p.expired
	}
	for len(left) > 0 && !p.expired() {
		var batch []sequence.Sequence
		for _, i := range left {
			batch = append(batch, p.sequences[i])
		}
		player := p.players.Player(spectra.Old, p.number, limit)
		played, err := player.Play(ctx, batch, wire.ModeOutcomes, wire.MainSeed)
		if err != nil {
			return err
		}
		for i := range played {
			if err := p.note(left[i], &played[i]); err != nil {
				return err
			}
		}
		left = slices.DeleteFunc(left[len(played):], p.skips)
	}
	return nil
}

// note keeps what came of a sequence.
func (p *part) note(i int, played *replay.Played) error {
	if p.players.Bubbles() && played.Spectrum.Burst {
		return errBubble
	}
	end := played.Spectrum.End.Kind
	p.outcomes[i] = outcome(played)
	ran, fresh := p.split(played.Coverage)
	panicked := slices.ContainsFunc(played.Spectrum.Steps, func(s spectra.StepOutcome) bool { return s.Panic != "" })
	class := choice.Class(ran, p.sequences[i].Statements[len(p.sequences[i].Statements)-1].Op, end, panicked)
	p.ran[class] = ran
	p.costs[i] = cost{
		class: class, seen: played.Seen, end: end, fresh: fresh,
		steps: played.Steps, waited: p.waited(end),
		reaches: slices.ContainsFunc(played.Coverage, func(id uint32) bool { return p.touched.Blocks[id] }),
	}
	if end == wire.EndTimeout {
		p.costs[i].hung = played
		if operation := p.sequences[i].Driven(len(played.Results)); operation != "" {
			p.lost[operation]++
		}
	}
	return nil
}

// split splits blocks that were hit into those of changed code, sorted, and the others, of which only those are known
// that were not hit before in the same process.
func (p *part) split(hit []uint32) (ran, fresh []uint32) {
	for _, id := range hit {
		if p.watched.Old[id] {
			ran = append(ran, id)
		} else {
			fresh = append(fresh, id)
		}
	}
	slices.Sort(ran)
	return slices.Compact(ran), fresh
}

// skips reports whether a sequence calls what turned out not to end while this part was played. What was known
// before, the generator has taken into account.
func (p *part) skips(i int) bool {
	for operation, n := range p.lost {
		before := p.tryout.lost[operation]
		if before < endlessCalls && before+n >= endlessCalls && p.sequences[i].Drives(operation) {
			return true
		}
	}
	return false
}

// reaching returns the operations that can reach changed code.
func (b *built) reaching() map[string]bool {
	names := map[string]bool{}
	for _, op := range b.callable.Operations.Old {
		names[op.Name] = op.Reaches
	}
	return names
}
