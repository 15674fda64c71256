package judge

import (
	"context"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Reach is the code of the old version that the change may touch.
type Reach struct {
	Known  bool            // false: it may be any code
	Bodies bool            // nothing but bodies of functions changed, as in impact.Reach
	Blocks map[uint32]bool // numbers of the blocks
}

// A Pruning says which sequences were not recorded, because they run no code that the change may touch. Those can't
// deviate. A sample of them is recorded all the same, as a check.
type Pruning struct {
	Equal  int  // so many sequences were not recorded
	Proof  int  // so many others were, although nothing in them can deviate
	Failed bool // one of those deviates, not by chance, so all were recorded
}

// prune plays what seems to run no code that the change may touch on the old version, and returns the sequences
// of which that is true. The blocks that they hit are added to hits.
func (r *replaying) prune(ctx context.Context, hits map[uint32]bool) ([]int, error) {
	if !r.Reach.Known {
		return nil, nil
	}
	r.env.Stage("reach")
	var candidates []int
	for i, k := range r.Sequences {
		if !k.Reaches && !k.Waited && !k.Hung {
			candidates = append(candidates, i)
		}
	}
	parts := selection.Chunks(candidates)
	covered := make([]map[uint32]bool, len(parts))
	err := r.env.Each(ctx, len(parts), "looking for what the change reaches", func(
		ctx context.Context, worker, i int,
	) (err error) {
		covered[i] = map[uint32]bool{}
		parts[i], err = r.untouched(ctx, worker, parts[i], covered[i])
		return err
	})
	for _, ids := range covered {
		for id := range ids {
			hits[id] = true
		}
	}
	return slices.Concat(parts...), err
}

// untouched returns those of some sequences that run no code that the change may touch, when none that does so ran
// before in the same process: it may leave something behind.
func (r *replaying) untouched(ctx context.Context, worker int, list []int, hits map[uint32]bool) ([]int, error) {
	for len(list) > 0 {
		var sequences []sequence.Sequence
		for _, i := range list {
			sequences = append(sequences, r.Sequences[i].Sequence)
		}
		one := func(p *replay.Player) { p.Limits.Losses = 1 }
		played, err := r.Players.Player(spectra.Old, worker, one).Play(ctx, sequences, wire.ModeOutcomes, wire.MainSeed)
		if err != nil {
			return nil, err
		}
		var rest []int
		for n := range played {
			if !r.touched(&played[n]) {
				rest = append(rest, list[n])
			}
		}
		if len(rest) == len(list) {
			for _, p := range played {
				for _, id := range p.Coverage {
					hits[id] = true
				}
			}
			return list, nil
		}
		list = rest
	}
	return nil, nil
}

// touched reports whether a sequence ran code that the change may touch. One that did not come to its end may.
func (r *replaying) touched(p *replay.Played) bool {
	return p.Invalid != "" || p.Clock != "" ||
		p.Spectrum.End.Kind != wire.EndDone && p.Spectrum.End.Kind != wire.EndBlocked ||
		slices.ContainsFunc(p.Coverage, func(id uint32) bool { return r.Reach.Blocks[id] })
}

// apart reports whether a sequence can't deviate because of the change, whatever was seen in its two runs. Then
// something varies that no other run has shown: what takes turns in real time, say. A test may start a process, whose
// blocks nobody counts.
func (s *Subject) apart(played spectra.Pair[*replay.Played]) bool {
	if !s.Reach.Bodies || played.Old == nil || played.New == nil {
		return false
	}
	apart := true
	played.Each(func(side spectra.Side, p *replay.Played) {
		apart = apart && p.Counted && p.Invalid == "" && !(s.Tests && p.Spectrum.Outside) &&
			!slices.ContainsFunc(p.Coverage, func(id uint32) bool { return (*s.Watched.Of(side))[id] })
	})
	return apart
}

// pruned plays the sequences that may deviate, and the proof. If one of the proof deviates, all may, unless only bodies
// of functions changed: then chance decides there.
func (r *replaying) pruned(ctx context.Context, p *Played) ([]chunk, error) {
	p.Tally = Tally{Hits: spectra.Pair[map[uint32]bool]{Old: map[uint32]bool{}}}
	equal, err := r.prune(ctx, p.Hits.Old)
	if err != nil {
		return nil, err
	}
	sample := selection.Proof(r.Sequences, equal)
	r.left = map[int]bool{}
	for _, i := range equal {
		r.left[i] = !sample[i]
	}
	p.Pruning = Pruning{Equal: len(equal) - len(sample), Proof: len(sample)}
	chunks, rest, err := r.waves(ctx, selection.Order(r.Sequences, r.left, sample), sample)
	if err == nil && !r.Reach.Bodies && deviates(chunks, sample) {
		r.env.Logf("a sequence that runs nothing of the change deviates: others are recorded too")
		p.Pruning.Equal, p.Pruning.Failed = 0, true
		recorded := map[int]bool{}
		for i := range r.Sequences {
			recorded[i] = !r.left[i]
		}
		for _, i := range rest {
			recorded[i] = false
		}
		r.left = nil
		r.ledger.Resume()
		var others []chunk
		others, rest, err = r.waves(ctx, selection.Order(r.Sequences, recorded, nil), nil)
		chunks = append(chunks, others...)
	}
	if err != nil {
		return nil, err
	}
	glances, glanced, err := r.glances(ctx, rest)
	p.Glanced = glanced
	return append(chunks, glances...), err
}

// deviates reports whether a sequence of the proof seems to deviate, or did not end.
func deviates(chunks []chunk, proof map[int]bool) bool {
	return slices.ContainsFunc(chunks, func(c chunk) bool {
		return slices.ContainsFunc(c.suspects, func(s Suspect) bool { return proof[s.Index] && !s.Noisy }) ||
			slices.ContainsFunc(c.losses, func(l Loss) bool { return proof[l.Index] })
	})
}
