package judge

import (
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/archive"
	"github.com/spectradiff/spectradiff/internal/spectra/observe"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Options say how sequences are judged.
type Options struct {
	Whole   bool          // as in Subject
	Budget  time.Duration // likewise
	Counted bool          // likewise
	Keep    string        // likewise
	Asked   bool          // likewise
}

// NewSubject returns what is judged: the sequences that were found for two versions.
func NewSubject(d *drivers.Drivers, g *search.Generated, o Options) *Subject {
	p, operations := d.Plan, map[string]spectra.Symbol{}
	for _, op := range slices.Concat(p.Callable.Operations.Old, d.Inside.Old) {
		operations[op.Name] = spectra.Symbol(p.NewName(string(op.Symbol)))
	}
	for _, t := range d.Tests() {
		operations[t.Name] = t.Symbol
	}
	return &Subject{
		Operations: operations, Tests: len(d.Suites.Old) > 0, NewTests: d.NewTests, Asked: o.Asked,
		Commands: len(d.Commands) > 0,
		Players:  g.Players, Sequences: g.Selected, Matched: d.Matched, Expected: expected(d.Expected),
		Watched: d.Watched, Whole: o.Whole,
		Reach:  Reach{Known: d.Touched.Known, Bodies: d.Touched.Bodies, Blocks: d.Touched.Blocks},
		Causes: root.ChangesOf(p), Budget: o.Budget, Counted: o.Counted, Keep: o.Keep,
		Patched: d.Patched() && !g.Outside,
		Headers: spectra.MakePair(func(s spectra.Side) archive.Header {
			of := p.Given.Of(s)
			return archive.Header{
				Module: of.Build.Path, Side: string(s), Commit: of.Commit.Hash, Go: d.Compiled.Of(s).Binary.GoVersion,
				Seed: wire.MainSeed,
			}
		}),
	}
}

// expected returns the calls that only one version makes because of its representation of a type.
func expected(list []observe.Call) *noise.Mask {
	calls := &noise.Mask{}
	for _, c := range list {
		site := noise.Site{Function: c.Caller, State: noise.Calls, Path: spectra.Path(c.Callee)}
		calls.Add(site, "another representation")
	}
	return calls
}
