package search

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/coverage"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/generate/redundancy"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
)

// Settings say how long sequences are searched for, and by which means.
type Settings struct {
	Seed       uint64
	Sequences  int           // end when so many are kept; 0: by time
	Most       time.Duration // time of generation, unless Sequences is set
	Differing  time.Duration // the same, once some sequence told the versions apart
	Quiet      time.Duration // the same, once half of it reached nothing new of the change; 0: that ends nothing
	Settled    bool          // end when the change seems to be explored
	Explore    int           // depth to which types are explored; 0: none are
	Redundancy string        // representation by which sequences are redundant, as package redundancy calls it
	Vary       bool          // tests are varied
	Run        string        // the tests that run, see suite.Match; "": all that are near the change
	New        bool          // only tests of new that old does not have so, as far as they tell the versions apart
	Building   time.Duration // time of building tests
	Tests      time.Duration // time of running and varying tests, once they are built
	Corpus     string        // folder with sequences of earlier runs; "": none
	Shard      shard.Shard   // whose tests and command lines run
}

// An Input says for which versions sequences are searched, and how.
type Input struct {
	Drivers  *drivers.Drivers
	Settings Settings
	Ahead    *Ahead     // drivers with tests that are built already; nil: none
	Calls    *Generated // what calls showed, of which tests take texts; nil: nothing

	only   *suite.Match // the tests that run; nil: all
	memory *memory      // of what tests run; nil: they all run
	pool   *pool        // of constants; nil: that of Calls, or none is shared
}

// A Generated is the result of a search.
type Generated struct {
	Found
	Players  *replay.Players // in time bubbles only where the module works in them
	Selected []selection.Sequence
	Varied   []suite.Test         // the tests that were varied, with holes for what comes from outside
	Outside  bool                 // they use what may differ from run to run
	Tried    int                  // tests, or command lines, that were run
	Cut      bool                 // not all were run in the time that varying leaves
	NotRun   int                  // tests that no kind of players ran in time, in the last result alone
	Reaching int                  // tests that run code which the change may touch
	Inside   []selection.Sequence // others, which call functions from inside their packages
	Early    []Early              // tests that do not run to their end as they are
	Lines    []string             // of commands, that were run
	Elapsed  time.Duration
	Warnings []string

	pool *pool // of constants
}

// Search searches sequences, and selects those that are played on both versions.
func (in Input) Search(ctx context.Context) (*Generated, error) {
	elapsed, b, workers := replay.Stopwatch(), in.Drivers, in.Drivers.Tools.Workers
	in.pool = in.shared()
	g := &Generated{Players: b.Players, pool: in.pool}
	usual, err := in.usual()
	if err != nil {
		return nil, err
	}
	mined, unread := in.mined(usual.operations)
	usual.calls = append(usual.calls, mined...)
	g.Found, err = in.look(ctx, g.Players, usual)
	if errors.Is(err, ErrBubble) {
		workers.Detailf("no time bubbles: %v", err)
		g.Players, usual.limits = g.Players.WithoutBubbles(), usual.limits.without(elapsed())
		g.Found, err = in.look(ctx, g.Players, usual)
	}
	if err != nil {
		return nil, err
	}
	g.Selected, g.Warnings = g.Tryout.Select(g.Kept), append(unread, g.Tryout.Warnings()...)
	if left := len(g.Kept) - len(g.Selected); left > 0 {
		workers.Detailf("%d of %d kept sequences are not replayed", left, len(g.Kept))
	}
	workers.Detailf("generation stopped: %s", g.Stop)
	if err := in.inside(ctx, g); err != nil {
		return nil, err
	}
	g.Elapsed = elapsed()
	if len(g.Selected) == 0 {
		g.Warnings = append(g.Warnings, "no calls could be generated; why stands with what of the change did not run")
	}
	return g, nil
}

// without returns the limits after some of the time was spent for nothing, of which at least a half is left.
func (l Limits) without(spent time.Duration) Limits {
	l.Most, l.Differing = max(l.Most-spent, l.Most/2), max(l.Differing-spent, l.Differing/2)
	return l
}

// An effort says what sequences call, and how long they are looked for.
type effort struct {
	operations []*api.Operation
	calls      []carve.Call        // that are made as they are, and varied
	kept       []sequence.Sequence // from earlier runs
	limits     Limits
	settled    bool                                      // as in generate.Input
	batch      int                                       // sequences between two looks at what they did
	explore    int                                       // as in Settings
	alone      bool                                      // as in generate.Input
	mentioned  map[string]bool                           // likewise
	routes     []api.Route                               // likewise
	flags      []api.Flag                                // likewise
	told       []generate.Constant                       // beside those of the sources
	closed     func(sequence.Sequence) sequence.Sequence // as in TryoutInput
	talks      bool                                      // likewise

	unfit func(spectra.Side, sequence.Sequence, *replay.Played) bool // likewise
}

// usual returns the effort for what callers of the module can call.
func (in Input) usual() (effort, error) {
	b, of := in.Drivers, in.Settings
	e := effort{
		operations: b.Plan.Callable.Operations.Old, settled: of.Settled, explore: of.Explore,
		limits: Limits{
			Sequences: of.Sequences, Most: of.Most, Differing: of.Differing, Quiet: of.Quiet,
		},
		mentioned: in.mentioned(),
	}
	if of.Corpus == "" {
		return e, nil
	}
	known := map[string]*api.Operation{}
	for _, op := range b.Plan.Callable.All(spectra.Old) {
		known[op.Name] = op
	}
	var err error
	e.kept, err = ReadCorpus(of.Corpus, func(name string) (params, results int, ok bool) {
		op := known[name]
		if op == nil {
			return 0, 0, false
		}
		return len(op.Params), len(op.Results), true
	})
	if err != nil {
		return e, err
	}
	for _, q := range e.kept {
		e.calls = append(e.calls, carve.Whole(q)...)
	}
	b.Tools.Workers.Detailf("%d sequences of the corpus fit", len(e.kept))
	return e, nil
}

// aimed returns the effort for calls of some operations, beside which others only make values, in less time than usual,
// and in half of that if they reach nothing new of the change.
func (in Input) aimed(beside []*api.Operation, calls []carve.Call, most time.Duration, sequences int) effort {
	return effort{
		operations: beside, calls: calls,
		limits: Limits{
			Sequences: min(in.Settings.Sequences, sequences),
			Most:      most, Differing: most, Quiet: most / 2,
		},
		settled: in.Settings.Sequences == 0, mentioned: in.mentioned(),
	}
}

// sources returns where values and calls of some operations are collected.
func (in Input) sources(operations []*api.Operation) Sources {
	b := in.Drivers
	return Sources{Versions: b.Plan.Targets(), Driven: b.Plan.Driven, Operations: operations, Declared: b.Declared}
}

// mined returns the calls of operations in tests, with warnings about tests that can't be read.
func (in Input) mined(operations []*api.Operation) (calls []carve.Call, warnings []string) {
	calls, faults := in.sources(operations).Calls()
	return calls, unreadTests(faults, in.Drivers.Tools.Workers.Detailf)
}

// tryout returns how sequences are tried out.
func (in Input) tryout(players *replay.Players) TryoutInput {
	b := in.Drivers
	return TryoutInput{
		Players: players, Workers: b.Tools.Workers,
		Blocks: b.Versions.Old.Packages.BlockCount(), Watched: b.Watched,
		Branches: coverage.NewBranches(b.Packages(), b.Plan.Changes),
		Touched:  Touched{Known: b.Touched.Known, Blocks: b.Touched.Blocks, Brings: b.Touched.Brings},
	}
}

// usualBatch is how many sequences are played at most between two looks at what they did.
const usualBatch = 256

// look looks for sequences with some players.
func (in Input) look(ctx context.Context, players *replay.Players, e effort) (Found, error) {
	b, tryout := in.Drivers, in.tryout(players)
	tryout.Closed, tryout.Unfit, tryout.Talks = e.closed, e.unfit, e.talks
	return collect(ctx, collectInput{
		Env:    b.Tools.Workers,
		Tryout: tryout,
		Generate: generate.Input{
			Operations: e.operations,
			Settings:   b.Plan.Callable.Settings.Old,
			Types:      b.Plan.Callable.Types.Old,
			Samples:    b.Declared.Named,
			Unset:      b.Plan.Common.Unset(),
			Constants:  append(in.constants(), e.told...),
			Calls:      e.calls,
			Seed:       in.Settings.Seed,
			Limits:     generate.Limits{Batch: cmp.Or(e.batch, usualBatch)},
			Settled:    e.settled,
			Alone:      e.alone,
			Mentioned:  e.mentioned,
			Routes:     e.routes,
			Flags:      e.flags,
			Asserted:   b.Plan.Asserted(),
		},
		Limits: e.limits, Kept: e.kept, Explore: e.explore,
		Redundancy: redundancy.Representation(in.Settings.Redundancy),
		Unread:     func() map[string][]string { return static.UnreadFields(b.Plan.Sides.Old.Program) },
	})
}

// unreadTests returns warnings about packages whose tests could not be read.
func unreadTests(faults fault.List, detailf func(format string, args ...any)) (warnings []string) {
	for _, f := range faults {
		warnings = append(warnings, plan.FaultWarning(f, "the tests of package %s are not read", detailf))
	}
	return warnings
}

// KeepCorpus keeps sequences for later runs: examples, and of those that run the change each shortest one that runs the
// same of it. If the folder is "", none is kept.
func (g *Generated) KeepCorpus(folder string, examples []sequence.Sequence) error {
	if folder == "" {
		return nil
	}
	return WriteCorpus(folder, append(examples, selection.Shortest(g.Selected)...))
}
