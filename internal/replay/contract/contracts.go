package contract

import (
	"cmp"
	"context"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Search is the input of Find.
type Search struct {
	Operations []*api.Operation
	Types      []api.Type // types that a sequence may name
	Kept       []generate.Kept
	Players    *replay.Players
	Limits     replay.Limits // of one sequence

	// Keep plays sequences as if they were generated and returns those that fit.
	Keep func(context.Context, []sequence.Sequence) ([]generate.Kept, error)
}

// A Broken is a contract that one or both versions break.
type Broken struct {
	Contract Contract
	Function spectra.Symbol // of the old version
	On       spectra.Pair[bool]
	Sequence sequence.Sequence
	Detail   string // what the new version does if it breaks the contract, else the old one
}

// Sides returns the versions that break the contract.
func (b *Broken) Sides() (list []spectra.Side) {
	for _, s := range spectra.Sides() {
		if *b.On.Of(s) {
			list = append(list, s)
		}
	}
	return list
}

// Found is the result of Find.
type Found struct {
	Broken []Broken        // broken by new only, by both, by old only; each part sorted by function and contract
	Kept   []generate.Kept // sequences that tell the versions apart
	Stats  generate.Stats  // without Reached
}

// Limits on the sequences that are played besides the probes.
const (
	mostChecks  = 120 // in all
	checksOfOne = 4   // of one contract of one operation
	mostKept    = 40
	lostMost    = 3 // sequences that a clock may end before playing stops
)

// Find looks for broken contracts.
func Find(ctx context.Context, in Search) (Found, error) {
	probes := Plan(Input{Operations: in.Operations, Types: in.Types, Made: madeOf(in.Kept)})
	if len(probes) == 0 {
		return Found{}, nil
	}
	f := finder{in: in}
	var list []sequence.Sequence
	for _, p := range probes {
		list = append(list, p.Sequence)
	}
	seen, err := f.play(ctx, list)
	if err != nil {
		return f.out, err
	}
	var checks []Check
	for i, p := range probes {
		if seen[i].Old != nil && seen[i].New != nil {
			checks = append(checks, p.Checks(steps(seen[i].Old), steps(seen[i].New))...)
		}
	}
	if err := f.check(ctx, few(checks)); err != nil {
		return f.out, err
	}
	slices.SortStableFunc(f.out.Broken, func(x, y Broken) int {
		return cmp.Or(
			cmp.Compare(rank(x.On), rank(y.On)),
			cmp.Compare(x.Function, y.Function), cmp.Compare(x.Contract, y.Contract),
		)
	})
	return f.out, nil
}

// rank orders contracts by the versions that break them.
func rank(on spectra.Pair[bool]) int {
	switch {
	case !on.Old:
		return 0
	case on.New:
		return 1
	}
	return 2
}

// madeOf returns the kept sequences: first those that tell the versions apart, then those that ran changed code, the
// short ones first.
func madeOf(kept []generate.Kept) (list []Made) {
	class := func(k generate.Kept) int {
		switch {
		case k.Reason == generate.NewDifference:
			return 0
		case k.Changed:
			return 1
		}
		return 2
	}
	kept = slices.DeleteFunc(slices.Clone(kept), func(k generate.Kept) bool { return k.Reason == generate.NewEnd })
	slices.SortStableFunc(kept, func(x, y generate.Kept) int {
		return cmp.Or(
			cmp.Compare(class(x), class(y)), cmp.Compare(len(x.Sequence.Statements), len(y.Sequence.Statements)),
		)
	})
	for _, k := range kept {
		panics := k.Reason == generate.NewPanic
		list = append(list, Made{Sequence: k.Sequence, Panics: panics})
		if k.Reason == generate.NewDifference {
			list = append(list, Made{Sequence: k.Sequence, Panics: true}) // it may panic on one version
		}
	}
	return list
}

// few returns the shortest checks for each contract of each operation.
func few(checks []Check) []Check {
	slices.SortStableFunc(checks, func(x, y Check) int {
		return cmp.Compare(len(x.Sequence.Statements), len(y.Sequence.Statements))
	})
	type key struct {
		contract Contract
		op       string
	}
	times := map[key]int{}
	checks = slices.DeleteFunc(checks, func(c Check) bool {
		k := key{c.Contract, c.Operation.Name}
		times[k]++
		return times[k] > checksOfOne
	})
	return checks[:min(len(checks), mostChecks)]
}

// A finder plays sequences.
type finder struct {
	in  Search
	out Found
}

// check plays checks, lists the broken contracts, and keeps sequences that tell the versions apart.
func (f *finder) check(ctx context.Context, checks []Check) error {
	var list, apart []sequence.Sequence
	for _, c := range checks {
		list = append(list, c.Sequence)
	}
	seen, err := f.play(ctx, list)
	if err != nil {
		return err
	}
	type key struct {
		contract Contract
		function spectra.Symbol
		on       spectra.Pair[bool]
	}
	listed := map[key]bool{}
	for i, c := range checks {
		if seen[i].Old == nil || seen[i].New == nil {
			continue
		}
		if len(apart) < mostKept && c.Contract != NoFault && selection.Difference(c.Sequence, seen[i]) != "" {
			apart = append(apart, c.Sequence)
		}
		b := broken(c, seen[i])
		k := key{b.Contract, b.Function, b.On}
		if b.On == (spectra.Pair[bool]{}) || listed[k] {
			continue
		}
		same, err := f.again(ctx, c, b.On)
		if err != nil {
			return err
		}
		if same {
			listed[k] = true
			f.out.Broken = append(f.out.Broken, b)
		}
	}
	kept, err := f.in.Keep(ctx, apart)
	for _, k := range kept {
		k.Reason = generate.NewDifference
		f.out.Kept = append(f.out.Kept, k)
	}
	f.out.Stats.Kept = len(f.out.Kept)
	return err
}

// broken returns the versions on which a check breaks its contract. There are none if one version does not make the
// values.
func broken(c Check, seen spectra.Pair[*replay.Played]) Broken {
	b := Broken{Contract: c.Contract, Function: c.Operation.Symbol, Sequence: c.Sequence}
	old, new := steps(seen.Old), steps(seen.New)
	if !c.Applies(old) || !c.Applies(new) {
		return b
	}
	if b.Detail, b.On.Old = c.broken(run{c.Sequence.Statements, old}); !b.On.Old {
		b.Detail = ""
	}
	if detail, broken := c.broken(run{c.Sequence.Statements, new}); broken {
		b.Detail, b.On.New = detail, true
	}
	return b
}

// again reports whether a check breaks its contract on the same versions once more, alone and under another seed.
func (f *finder) again(ctx context.Context, c Check, on spectra.Pair[bool]) (bool, error) {
	seen, err := f.both(ctx, []sequence.Sequence{c.Described()}, wire.MainSeed+1)
	if err != nil || len(seen) == 0 || seen[0].Old == nil || seen[0].New == nil {
		return false, err
	}
	return broken(c, seen[0]).On == on, nil
}

// play plays sequences on both versions. An outcome is nil if the sequence was not played or did not end by itself.
func (f *finder) play(ctx context.Context, list []sequence.Sequence) ([]spectra.Pair[*replay.Played], error) {
	var seen []spectra.Pair[*replay.Played]
	for lost := 0; len(seen) < len(list); {
		if lost == lostMost {
			seen = append(seen, make([]spectra.Pair[*replay.Played], len(list)-len(seen))...)
			break
		}
		some, err := f.both(ctx, list[len(seen):], wire.MainSeed)
		if err != nil {
			return nil, err
		}
		seen = append(seen, some...)
		if lost++; len(some) == 0 { // the time of the run is up
			lost = lostMost
		}
	}
	f.out.Stats.Sequences += len(list)
	for _, pair := range seen {
		if pair.Old != nil {
			f.out.Stats.Steps += len(pair.Old.Results)
		}
	}
	return seen, nil
}

// both plays as many of the sequences on both versions as the limits allow.
func (f *finder) both(
	ctx context.Context, list []sequence.Sequence, seed uint64,
) ([]spectra.Pair[*replay.Played], error) {
	limit := func(p *replay.Player) { p.Limits = f.in.Limits }
	played, err := f.in.Players.Both(ctx, 0, list, wire.ModeOutcomes, seed, limit)
	if err != nil {
		return nil, err
	}
	var seen []spectra.Pair[*replay.Played]
	for i := range played.Old {
		pair := spectra.Pair[*replay.Played]{Old: &played.Old[i], New: &played.New[i]}
		if !whole(pair.Old) {
			pair.Old = nil
		}
		if !whole(pair.New) {
			pair.New = nil
		}
		seen = append(seen, pair)
	}
	return seen, nil
}

// whole reports whether a sequence could be played and ended by itself.
func whole(p *replay.Played) bool {
	return selection.Whole(p) && p.Spectrum.End.Kind == wire.EndDone && !p.Spectrum.Burst
}

// steps converts the outcome of a sequence.
func steps(p *replay.Played) (list []Step) {
	for i, of := range p.Results {
		step := Step{Panic: p.Spectrum.Steps[i].Panic}
		for n, result := range of.Results {
			shown := p.Spectrum.Steps[i].Results[n]
			step.Results = append(step.Results, Result{
				Text: shown.Text, Digest: shown.Digest, Nil: result.Nil, Failed: result.Failed,
			})
		}
		list = append(list, step)
	}
	return list
}
