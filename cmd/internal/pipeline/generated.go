package pipeline

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/coverage"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/generate/redundancy"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/archive"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
)

// A generated is what is known once there are sequences.
type generated struct {
	*built
	players *replay.Players // in time bubbles only where the module works in them
	kept    []selection.Sequence
	direct  []selection.Sequence // others, which call functions from inside their packages
	stats   generate.Stats
	seconds float64
	budget  time.Duration // as in judge.Subject

	found    search.Found
	warnings []string // of this stage alone
}

// generateSequences generates sequences on the old version.
func generateSequences(ctx context.Context, t *task, b *built) (*generated, error) {
	elapsed := replay.Stopwatch()
	players := b.players
	usual, err := b.usual(t)
	if err != nil {
		return nil, err
	}
	mined, unread := b.mined(t, usual.operations)
	usual.calls = append(usual.calls, mined...)
	found, err := look(ctx, t, b, players, usual)
	if errors.Is(err, search.ErrBubble) {
		t.env.Detailf("package variables hold channels, timers or wait groups of one sequence into the next: " +
			"no time bubbles")
		players = players.WithoutBubbles()
		found, err = look(ctx, t, b, players, usual)
	}
	if err != nil {
		return nil, err
	}
	g := &generated{
		built: b, players: players, stats: found.Stats, kept: found.Tryout.Select(found.Kept), budget: t.cfg.budget(),
		found: found, warnings: append(unread, found.Tryout.Warnings()...),
	}
	if left := len(found.Kept) - len(g.kept); left > 0 {
		t.env.Detailf("%d of %d kept sequences are not replayed", left, len(found.Kept))
	}
	t.env.Detailf("generation stopped: %s", found.Stop)
	if g.direct, err = generateInside(ctx, t, g); err != nil {
		return nil, err
	}
	g.seconds = report.Seconds(elapsed())
	if len(g.kept) == 0 {
		g.warnings = append(g.warnings, "no sequence could be generated: nothing was compared")
		return g, errOver
	}
	return g, nil
}

// An effort says what sequences call, and how long they are looked for.
type effort struct {
	operations []*api.Operation
	calls      []carve.Call        // that are made as they are, and varied
	kept       []sequence.Sequence // from earlier runs
	limits     search.Limits
	settled    bool // as in generate.Input
	explore    int  // as in Config
}

// usual returns the effort for what callers of the module can call.
func (b *built) usual(t *task) (effort, error) {
	e := effort{
		operations: b.callable.Operations.Old, settled: t.cfg.Auto && t.cfg.Sequences == 0, explore: t.cfg.Explore,
		limits: search.Limits{
			Sequences: t.cfg.Sequences, Most: t.cfg.generating(), Differing: t.cfg.generating(),
		},
	}
	if t.cfg.Auto {
		e.limits.Differing = apartBudget
	}
	if t.cfg.Corpus == "" {
		return e, nil
	}
	parameters := map[string]int{}
	for _, op := range b.callable.All(spectra.Old) {
		parameters[op.Name] = len(op.Params)
	}
	var err error
	if e.kept, err = search.ReadCorpus(t.cfg.Corpus, parameters); err != nil {
		return e, err
	}
	for _, q := range e.kept {
		e.calls = append(e.calls, carve.Whole(q)...)
	}
	t.env.Detailf("%d sequences of the corpus fit", len(e.kept))
	return e, nil
}

// keepCorpus keeps the examples of the roots, and of the sequences that run the change each shortest one that runs the
// same of it.
func keepCorpus(t *task, g *generated, j *tried) error {
	if t.cfg.Corpus == "" || g == nil {
		return nil
	}
	var list []sequence.Sequence
	if j != nil {
		for _, f := range j.findings {
			list = append(list, f.Example.Case.Sequence)
		}
	}
	return search.WriteCorpus(t.cfg.Corpus, append(list, selection.Shortest(g.kept)...))
}

// sources returns where values and calls of some operations are collected.
func (b *built) sources(operations []*api.Operation) search.Sources {
	return search.Sources{
		Versions:   b.targets(),
		Driven:     b.driven,
		Operations: operations,
		Declared:   b.declared,
	}
}

// mined returns the calls of operations in tests, with warnings about tests that can't be read.
func (b *built) mined(t *task, operations []*api.Operation) (calls []carve.Call, warnings []string) {
	calls, faults := b.sources(operations).Calls()
	return calls, unreadTests(faults, t.env.Detailf)
}

// look looks for sequences with some players.
func look(ctx context.Context, t *task, b *built, players *replay.Players, e effort) (search.Found, error) {
	return search.Run(ctx, search.Input{
		Env: t.env.Workers,
		Tryout: search.TryoutInput{
			Players: players, Jobs: t.cfg.Jobs, Blocks: b.versions.Old.packages.BlockCount(), Watched: b.watched,
			Branches: coverage.NewBranches(b.packages(), b.changes),
			Touched:  search.Touched{Known: b.touched.Known, Blocks: b.touched.Blocks, Brings: b.touched.Brings},
		},
		Generate: generate.Input{
			Operations: e.operations,
			Settings:   b.callable.Settings.Old,
			Types:      b.callable.Types.Old,
			Samples:    b.declared.Named,
			Unset:      b.common.Unset(),
			Constants:  b.sources(e.operations).Constants(),
			Calls:      e.calls,
			Seed:       t.cfg.Seed,
			Limits:     generate.Limits{Batch: 256},
			Settled:    e.settled,
		},
		Limits: e.limits, Kept: e.kept, Explore: e.explore,
		Redundancy: redundancy.Representation(t.cfg.Redundant),
		Unread:     func() map[string][]string { return static.UnreadFields(b.sides.Old.program) },
	})
}

// subject returns what is judged.
func (g *generated) subject(t *task) *judge.Subject {
	operations := map[string]spectra.Symbol{}
	for _, op := range slices.Concat(g.callable.Operations.Old, g.inside.Old) {
		operations[op.Name] = spectra.Symbol(g.newName(string(op.Symbol)))
	}
	return &judge.Subject{
		Operations: operations,
		Players:    g.players, Sequences: g.kept, Matched: g.matched, Expected: g.expected, Watched: g.watched,
		Reach: judge.Reach{Known: g.touched.Known, Blocks: g.touched.Blocks}, Whole: t.cfg.All,
		Causes: g.rootChanges(), Budget: g.budget, Keep: t.cfg.Keep, Patched: g.patched(),
		Headers: spectra.MakePair(func(s spectra.Side) archive.Header {
			of := g.given.Of(s)
			return archive.Header{
				Module: of.Build.Path, Side: string(s), Commit: of.Commit.Hash, Go: g.drivers.Of(s).binary.GoVersion,
				Seed: wire.MainSeed,
			}
		}),
	}
}
