package pipeline

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/archive"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// subject returns what is judged: the sequences, played on both versions.
func (f *flow) subject() *judge.Subject {
	b, g, operations := f.found.Drivers, f.found.Generated, map[string]spectra.Symbol{}
	for _, op := range slices.Concat(b.Plan.Callable.Operations.Old, b.Inside.Old) {
		operations[op.Name] = spectra.Symbol(b.Plan.NewName(string(op.Symbol)))
	}
	return &judge.Subject{
		Operations: operations,
		Players:    g.Players, Sequences: g.Selected, Matched: b.Matched, Expected: expected(b), Watched: b.Watched,
		Reach: judge.Reach{Known: b.Touched.Known, Blocks: b.Touched.Blocks}, Whole: f.cfg.All,
		Causes: causes(b.Plan), Budget: f.cfg.budget(), Keep: f.cfg.Keep, Patched: b.Patched(),
		Headers: spectra.MakePair(func(s spectra.Side) archive.Header {
			of := b.Plan.Given.Of(s)
			return archive.Header{
				Module: of.Build.Path, Side: string(s), Commit: of.Commit.Hash, Go: b.Compiled.Of(s).Binary.GoVersion,
				Seed: wire.MainSeed,
			}
		}),
	}
}

// expected returns the calls that only one version makes because of its representation of a type.
func expected(b *built) *noise.Mask {
	calls := &noise.Mask{}
	for _, c := range b.Expected {
		site := noise.Site{Function: c.Caller, State: noise.Calls, Path: spectra.Path(c.Callee)}
		calls.Add(site, "another representation")
	}
	return calls
}
