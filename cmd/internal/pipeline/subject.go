package pipeline

import (
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/archive"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Aim says what is judged beside the sequences.
type Aim struct {
	Whole  bool          // every sequence is recorded
	Budget time.Duration // for generating; how long may be waited follows from it
	Keep   string        // folder for raw spectra; "": they are not kept
}

// NewSubject returns what is judged: sequences, played on both versions.
func NewSubject(g *built, players *replay.Players, sequences []selection.Sequence, aim Aim) *judge.Subject {
	operations := map[string]spectra.Symbol{}
	for _, op := range slices.Concat(g.callable.Operations.Old, g.inside.Old) {
		operations[op.Name] = spectra.Symbol(g.newName(string(op.Symbol)))
	}
	return &judge.Subject{
		Operations: operations,
		Players:    players, Sequences: sequences, Matched: g.matched, Expected: expected(g), Watched: g.watched,
		Reach: judge.Reach{Known: g.touched.Known, Blocks: g.touched.Blocks}, Whole: aim.Whole,
		Causes: causes(g.plan), Budget: aim.Budget, Keep: aim.Keep, Patched: g.patched(),
		Headers: spectra.MakePair(func(s spectra.Side) archive.Header {
			of := g.given.Of(s)
			return archive.Header{
				Module: of.Build.Path, Side: string(s), Commit: of.Commit.Hash, Go: g.drivers.Of(s).binary.GoVersion,
				Seed: wire.MainSeed,
			}
		}),
	}
}

// expected returns the calls that only one version makes because of its representation of a type.
func expected(b *built) *noise.Mask {
	calls := &noise.Mask{}
	for _, c := range b.expected {
		site := noise.Site{Function: c.Caller, State: noise.Calls, Path: spectra.Path(c.Callee)}
		calls.Add(site, "another representation")
	}
	return calls
}
