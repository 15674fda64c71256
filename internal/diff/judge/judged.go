package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/archive"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Judged is the result of playing suspects alone.
type Judged struct {
	*Played
	Verdicts   map[int]*Verdict // of the suspects that were judged, by the index of their sequence
	Uncompared Uncompared       // what could not be compared
	Findings   []*diff.Finding  // of everything that was confirmed, the most convincing first
}

// intended returns the findings of tests that pass on new alone, as such, and the others if these are asked for.
func intended(found []*diff.Finding, asked bool) (list []*diff.Finding) {
	for _, f := range found {
		cases := []*diff.Case{f.Example.Case}
		for _, o := range f.Deviations {
			cases = append(cases, o.Case)
		}
		i := slices.IndexFunc(cases, func(c *diff.Case) bool { return c != nil && c.Passes() })
		if i >= 0 {
			own := *f
			own.Intended, own.Only = cases[i], true
			list = append(list, &own)
		} else if asked {
			list = append(list, f)
		}
	}
	return list
}

// Against compares an example on old and on another build than new under other seeds, or once, under one. They are as
// few as usual: that chance does not lead to what the example shows was judged before.
func (p *Played) Against(
	ctx context.Context, worker int, o *replay.Players, f *diff.Finding, once bool,
) (*diff.Comparison, error) {
	played, subject := *p, *p.Subject
	subject.Players, subject.Reach, played.Subject = o, Reach{}, &subject // the blocks are those of new
	t := &trial{
		Played: &played, worker: worker, sequence: f.Example.Case.Sequence, known: f.Example.Known, example: true,
		once: once, few: true, shared: true,
	}
	if f.Effect.Tier == spectra.TierNondeterminism { // measured anew: the other build may not vary
		t.known, t.once, t.varies = p.Calibrated.Known, false, true
	}
	var v Verdict
	if f.Example.Effect.InDigests() && !t.varies {
		err := t.judge(ctx, &v, wire.ModeDigests)
		return v.Comparison, err
	}
	err := t.judgeAny(ctx, &v)
	return v.Comparison, err
}

// A Verdict is the result of judging a suspect.
type Verdict struct {
	Suspect    Suspect
	Recorded   spectra.Pair[*spectra.Spectrum] // nil once the suspect is refuted
	Comparison *diff.Comparison                // nil: not judged
	Known      noise.Known                     // what is unstable, in this sequence and elsewhere
	Endless    bool                            // one of the versions does not end
	runs       int                             // number of other seeds that it was played under
	mode       wire.Mode
	limit      func(*replay.Limits) // as in trial
	place      int                  // in the order of what is held
	dropped    bool                 // it deviates, but can't be held
}

// Confirmed reports whether the sequence deviates when it is played alone.
func (v *Verdict) Confirmed() bool { return v.Comparison != nil && len(v.Comparison.Deviations) > 0 }

// Unjudged reports whether nothing could tell if the sequence deviates.
func (v *Verdict) Unjudged() bool { return v.Comparison == nil || v.Comparison.Incomparable != "" }

// Judge finds out which suspects deviate when played alone, and the roots of these deviations. Only deviations that
// show again in a fresh process are believed.
func Judge(ctx context.Context, e *replay.Workers, p *Played) (*Judged, error) {
	e.Stage("confirm")
	chosen := ToJudge(p.Suspects, p.Sequences, p.costs, p.Patched)
	if !p.Patched {
		chosen = chosen[:min(len(chosen), judgedByChance)]
	}
	h, enough := p.newHolding(), p.enough(e)
	one, others := oneOfEach(chosen)
	list, err := judgeEach(ctx, e, p, one, h, nil)
	if err != nil {
		return nil, err
	}
	further, err := judgeEach(ctx, e, p, others, h, enough)
	if err != nil {
		return nil, err
	}
	list = append(list, further...)
	confirmed := Kinds{}
	for _, v := range list {
		if v.Confirmed() || v.dropped {
			confirmed.Add(v.Suspect)
		}
	}
	more, err := judgeEach(ctx, e, p, Again(p.Suspects, judged(list), confirmed, p.Sequences, p.costs), h, nil)
	if err != nil {
		return nil, err
	}
	list = append(list, more...)
	lost, err := judgeLosses(ctx, e, p, h)
	if err != nil {
		return nil, err
	}
	for _, v := range list {
		if !v.dropped {
			unjudged(&lost.left, v)
		}
	}
	list, p = append(list, lost.verdicts...), p.with(lost.suspects)
	known := p.Calibrated.Known
	for _, v := range list {
		for _, s := range spectra.Sides() {
			known = known.With(noise.Suspects, s, v.Known.Of(noise.Sequence, s))
		}
	}
	list = h.held(list, &lost.left)
	if list, err = shareNoise(ctx, e, p, list, known); err != nil {
		return nil, err
	}
	if err := keepSpectra(ctx, e, p, list); err != nil {
		return nil, err
	}
	j := &Judged{Played: p, Verdicts: map[int]*Verdict{}, Uncompared: lost.left}
	for _, v := range list {
		j.Verdicts[v.Suspect.Index] = v
	}
	e.Stage("roots")
	j.Findings, err = findCauses(ctx, e, p, list, known)
	if p.NewTests {
		j.Findings = intended(j.Findings, p.Asked)
	}
	return j, err
}

// Once a partForAll of the time to judge is over, one of each kind is enough: where each takes seconds, proving what
// they show says more.
const partForAll = 4

// enough returns a function that reports whether one of each kind is enough from now on.
func (p *Played) enough(e *replay.Workers) func() bool {
	if p.Counted {
		return e.Over
	}
	return e.Part(partForAll)
}

// oneOfEach separates the suspects that are of a kind which none before them is of. What seems to be mere noise, and so
// takes many runs, adds nothing to a function that others before it show.
func oneOfEach(chosen []Suspect) (one, others []Suspect) {
	known, shown := Kinds{}, map[string]bool{}
	for _, s := range chosen {
		of := s.Functions()
		unshown := func(function string) bool { return !shown[function] }
		if known.HasAll(s) || s.Noisy && len(of) > 0 && !slices.ContainsFunc(of, unshown) {
			others = append(others, s)
		} else {
			one = append(one, s)
		}
		known.Add(s)
		for _, function := range of {
			shown[function] = shown[function] || !s.Noisy
		}
	}
	return one, others
}

func judged(list []*Verdict) (suspects []Suspect) {
	for _, v := range list {
		suspects = append(suspects, v.Suspect)
	}
	return suspects
}

// judgeEach judges suspects until there are enough, and holds what was recorded of those that deviate.
func judgeEach(
	ctx context.Context, e *replay.Workers, p *Played, chosen []Suspect, h *holding, enough func() bool,
) ([]*Verdict, error) {
	list, first := make([]*Verdict, len(chosen)), h.Places(len(chosen))
	err := e.Each(ctx, len(chosen), "confirming", func(ctx context.Context, worker, n int) (err error) {
		i := len(chosen) - 1 - n // what takes long comes last in the list, and is begun first
		if enough != nil && enough() {
			return nil
		}
		e.Detailf("sequence %d deviates: %v", chosen[i].Index, chosen[i])
		if list[i], err = judgeOne(ctx, p, worker, chosen[i]); err == nil {
			list[i].place = first + i
			h.hold(first+i, list[i])
		}
		return err
	})
	return slices.DeleteFunc(list, func(v *Verdict) bool { return v == nil }), err
}

// judgeOne plays a suspect alone on both versions, and then under other seeds to see what is unstable in
// it.
func judgeOne(ctx context.Context, p *Played, worker int, s Suspect) (*Verdict, error) {
	t := &trial{Played: p, worker: worker, sequence: p.Sequences[s.Index].Sequence, known: p.Calibrated.Known}
	if p.heavy(s) {
		t.known = t.known.Adopt(noise.Calibration)
	} else { // the main seed alone does not show it
		t.varies = p.Calibrated.introduces(s.Index)
	}
	v := &Verdict{Suspect: s}
	err := t.judgeAny(ctx, v)
	if err == nil && v.Confirmed() {
		err = t.confirmSteps(ctx, v)
	}
	if errors.Is(err, ErrTimeUp) {
		return &Verdict{Suspect: s}, nil
	}
	if err == nil && !v.Confirmed() {
		v.Recorded = spectra.Pair[*spectra.Spectrum]{}
	}
	return v, err
}

// heavy reports whether playing a suspect under many seeds takes too long: what varies elsewhere is then hidden in it.
func (p *Played) heavy(s Suspect) bool { return p.costs[s.Index] >= HeavyNodes }

// shareNoise compares again what deviates, with all that other suspects showed to be unstable: it may vary in this too.
func shareNoise(
	ctx context.Context, e *replay.Workers, p *Played, first []*Verdict, known noise.Known,
) ([]*Verdict, error) {
	list := make([]*Verdict, len(first))
	err := e.Each(ctx, len(first), "", func(ctx context.Context, worker, i int) error {
		v := *first[i]
		list[i] = &v
		if !v.Confirmed() {
			return nil
		}
		for _, s := range spectra.Sides() {
			v.Known = v.Known.With(noise.Suspects, s, known.Of(noise.Suspects, s))
		}
		if p.heavy(v.Suspect) {
			v.Known = v.Known.Adopt(noise.Suspects)
		}
		t := &trial{
			Played: p, worker: worker, sequence: p.Sequences[v.Suspect.Index].Sequence, known: known, limit: v.limit,
			heavy: p.heavy(v.Suspect),
		}
		err := t.settle(ctx, &v)
		if errors.Is(err, ErrTimeUp) { // then all that may be noise is hidden, and nothing more was brought in
			seen, own := v.Known.Adopt(noise.Calibration, noise.Suspects), first[i].Known.Introduced()
			v = *first[i]
			v.Known = seen.Doubt(seen.Introduced().Without(own))
			t.decide(&v)
			err = nil
		}
		return err
	})
	return list, err
}

// keepSpectra saves the spectra of the sequences that were confirmed, each played alone.
func keepSpectra(ctx context.Context, e *replay.Workers, p *Played, list []*Verdict) error {
	if p.Keep == "" {
		return nil
	}
	return e.Each(ctx, len(list), "", func(ctx context.Context, worker, i int) error {
		v := list[i]
		if !v.Confirmed() {
			return nil
		}
		name := fmt.Sprintf("sequence-%d", v.Suspect.Index)
		kept, err := KeepSpectra(p.Keep, name, p.headers(v.mode == wire.ModeValues))
		if err != nil {
			return err
		}
		q := p.Sequences[v.Suspect.Index].Sequence
		t := &trial{Played: p, worker: worker, sequence: q}
		if !v.Endless { // of one that does not end, more time shows no more
			t.limit = v.limit
		}
		again, err := t.run(ctx, v.mode, wire.MainSeed)
		if err == nil {
			err = kept.Sequence(v.Suspect.Index, q, again)
		} else if errors.Is(err, ErrTimeUp) {
			err = nil
		}
		return errors.Join(err, kept.Close())
	})
}

// headers returns the headers of raw spectra.
func (s *Subject) headers(values bool) spectra.Pair[archive.Header] {
	headers := s.Headers
	headers.Old.Values, headers.New.Values = values, values
	return headers
}

// findCauses returns the findings of everything that was confirmed, each with its shortest sequence.
func findCauses(
	ctx context.Context, e *replay.Workers, p *Played, list []*Verdict, known noise.Known,
) ([]*diff.Finding, error) {
	verdicts := map[int]*Verdict{}
	var cases []*diff.Case
	for _, v := range list {
		if v.Confirmed() {
			verdicts[v.Suspect.Index] = v
			cases = append(cases, p.newCase(p.Sequences[v.Suspect.Index].Sequence, v.Suspect.Index, v.Comparison))
		}
	}
	all := root.Find(cases, p.Causes)
	found, h := make([]*diff.Finding, len(all)), p.newHolding()
	h.Places(len(all))
	err := e.Each(ctx, len(all), "", func(ctx context.Context, worker, i int) (err error) {
		s := &shortening{Played: p, worker: worker, known: known, found: all[i], held: h, place: i}
		found[i], err = s.example(ctx, verdicts[all[i].Example.Case.Number])
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, f := range all {
		if !h.Holds(i) {
			found[i] = unshortened(f, verdicts[f.Example.Case.Number])
		}
		one := found[i]
		one.Deviations = perSort(one.Deviations)
		one.Sequences = max(one.Sequences, suspected(p.Suspects, one.Blamed.Symbol))
		if shown := one.Example.Shown(); len(shown) > 0 {
			one.Own = shown[0]
		}
	}
	return found, nil
}

// Examples returns the sequences that show the findings.
func (j *Judged) Examples() (list []sequence.Sequence) {
	for _, f := range j.Findings {
		if f.Example.Case != nil {
			list = append(list, f.Example.Case.Sequence)
		}
	}
	return list
}
