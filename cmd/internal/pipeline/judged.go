package pipeline

// This file plays suspects again, alone in fresh processes and with values: isolation is the judge.

import (
	"context"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/diff/root"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/spectra"
)

// A judged is what is known once suspects were played alone.
type judged struct {
	*played
	verdicts map[int]*verdict // of the suspects that were judged, by the index of their sequence
	roots    []example        // of all that was confirmed, most convincing first
}

// A verdict is what judging a suspect gave.
type verdict struct {
	suspect    suspect
	recorded   spectra.Pair[*spectra.Spectrum] // nil once it is refuted
	comparison *diff.Comparison                // nil: not judged
	known      noise.Known                     // what is unstable in this sequence, and elsewhere
	runs       int                             // other seeds that it was played under
	mode       replay.Mode
}

// confirmed reports whether the sequence deviates on its own.
func (v *verdict) confirmed() bool { return v.comparison != nil && len(v.comparison.Deviations) > 0 }

// judge finds out which suspects deviate on their own, and the roots of what deviates.
func judge(ctx context.Context, env *environment, p *played) (*judged, error) {
	chosen := choose(p.suspects, p.kept)
	if !p.patched() {
		chosen = chosen[:min(len(chosen), judgedByChance)]
	}
	list := make([]*verdict, len(chosen))
	err := env.each(ctx, len(chosen), "confirming", func(ctx context.Context, worker, i int) (err error) {
		env.detail("sequence %d deviates: %v", chosen[i].index, chosen[i].likeness())
		list[i], err = judgeOne(ctx, p, worker, chosen[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	known := p.calibrated.known
	for _, v := range list {
		for _, s := range spectra.Sides() {
			known = known.With(noise.Suspects, s, v.known.Of(noise.Sequence, s))
		}
	}
	if list, err = shareNoise(ctx, env, p, list, known); err != nil {
		return nil, err
	}
	if err := keepSpectra(ctx, env, p, list); err != nil {
		return nil, err
	}
	j := &judged{played: p, verdicts: map[int]*verdict{}}
	for _, v := range list {
		j.verdicts[v.suspect.index] = v
	}
	j.roots, err = findRoots(ctx, env, p, list, known)
	return j, err
}

// judgeOne plays a suspect alone on both versions, and then under other seeds to see what is
// unstable in it.
func judgeOne(ctx context.Context, p *played, worker int, s suspect) (*verdict, error) {
	t := &trial{played: p, worker: worker, sequence: p.kept[s.index].sequence, known: p.calibrated.known}
	v := &verdict{suspect: s}
	err := t.judge(ctx, v, replay.Values)
	if err == nil && v.comparison.Incomparable != "" {
		err = t.judge(ctx, v, replay.Digests)
	}
	return v, err
}

// shareNoise looks at what deviates again with what the other suspects showed to be unstable: a
// sequence may show by chance only once what varies.
func shareNoise(
	ctx context.Context, env *environment, p *played, first []*verdict, known noise.Known,
) ([]*verdict, error) {
	list := make([]*verdict, len(first))
	err := env.each(ctx, len(first), "", func(ctx context.Context, worker, i int) error {
		v := *first[i]
		list[i] = &v
		if !v.confirmed() {
			return nil
		}
		for _, s := range spectra.Sides() {
			v.known = v.known.With(noise.Suspects, s, known.Of(noise.Suspects, s))
		}
		t := &trial{played: p, worker: worker, sequence: p.kept[v.suspect.index].sequence, known: known}
		return t.settle(ctx, &v)
	})
	return list, err
}

// findRoots returns the roots of all that was confirmed, each with its shortest sequence.
func findRoots(
	ctx context.Context, env *environment, p *played, list []*verdict, known noise.Known,
) ([]example, error) {
	verdicts := map[int]*verdict{}
	var cases []root.Case
	for _, v := range list {
		if v.confirmed() {
			verdicts[v.suspect.index] = v
			cases = append(cases, root.Case{Sequence: v.suspect.index, Comparison: v.comparison})
		}
	}
	all := root.Find(cases, p.causes)
	examples := make([]example, len(all))
	err := env.each(ctx, len(all), "", func(ctx context.Context, worker, i int) (err error) {
		s := &shortening{played: p, worker: worker, known: known, found: all[i], visible: visible(all[i], verdicts)}
		examples[i], err = s.example(ctx, verdicts[all[i].Example.Sequence])
		return err
	})
	return examples, err
}
