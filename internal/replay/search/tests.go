package search

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Tests runs the tests of the driven packages on drivers that have them, which it also returns. Packages whose tests
// can't be initialised are left out.
func (in Input) Tests(ctx context.Context) (*drivers.Drivers, []*Generated, error) {
	broken := map[string]string{}
	for {
		with, err := in.Drivers.WithTests(ctx, broken)
		if err != nil {
			return nil, nil, err
		}
		in.Drivers.Tools.Workers.Stage("tests")
		list, err := Input{Drivers: with, Settings: in.Settings}.runTests(ctx)
		var failed *replay.Uninitialised
		if !errors.As(err, &failed) {
			return with, list, err
		}
		path := string(with.Plan.OldName(spectra.Symbol(suite.Tested(failed.Package))))
		if broken[path] != "" || len(broken) == mostBroken {
			return nil, nil, err
		}
		broken[path] = "their initialisation " + failed.Reason
	}
}

// mostBroken is the number of packages that are left out before the tests are given up.
const mostBroken = 8

// runTests runs the tests of the drivers, and selects those that run code which the change may touch. It varies these:
// a variant has other values in the place of literals, and is selected as other sequences are. The results are of tests
// that do the same in every run, of others, which use sockets or pipes, and of those that don't work in time bubbles.
func (in Input) runTests(ctx context.Context) ([]*Generated, error) {
	tests, players := in.Drivers.Tests(), in.Drivers.Players
	repeat := &testRun{Input: in, players: players, limits: replay.DefaultLimits()}
	list := []*Generated{}
	add := func(r *testRun, tests []suite.Test, outside bool) error {
		if len(tests) == 0 {
			return nil
		}
		g, err := r.run(ctx, tests)
		if err == nil {
			g.Outside = outside
			list = append(list, g)
		}
		return err
	}
	if err := add(repeat, tests, false); err != nil {
		return nil, err
	}
	of := func(names map[string]bool) (some []suite.Test) {
		for i := range tests {
			if names[tests[i].Name] {
				some = append(some, tests[i])
			}
		}
		return some
	}
	limits := replay.DefaultLimits()
	limits.Idle, players = outsideIdle, players.Waiting(outsideIdle)
	polling := &testRun{Input: in, players: players, limits: limits, mayPoll: true}
	if err := add(polling, of(repeat.polls), true); err != nil {
		return nil, err
	}
	plain := &testRun{Input: in, players: players.WithoutBubbles(), limits: limits, mayPoll: true}
	err := add(plain, of(repeat.burst), true)
	return list, err
}

// outsideIdle is how long a test may wait for something outside of its process.
const outsideIdle = 3 * time.Second

// A testRun runs tests with players of one kind.
type testRun struct {
	Input
	players *replay.Players
	limits  replay.Limits
	mayPoll bool // tests may use sockets and pipes

	mu    sync.Mutex
	burst map[string]bool // tests that don't work in time bubbles
	polls map[string]bool // tests that use sockets or pipes, unless they may
}

func (r *testRun) run(ctx context.Context, tests []suite.Test) (*Generated, error) {
	elapsed, workers := replay.Stopwatch(), r.Drivers.Tools.Workers
	workers.Report("running tests", 0, 0)
	g := &Generated{Players: r.players}
	if err := r.asTheyAre(ctx, g, tests); err != nil {
		return nil, err
	}
	g.Reaching = len(g.Selected)
	fit := len(tests) - len(r.burst) - len(r.polls)
	workers.Detailf("%d tests, %d of them run code that the change may touch", fit, len(g.Selected))
	if err := r.varied(ctx, g, tests); err != nil {
		return nil, err
	}
	g.Warnings, g.Elapsed = append(g.Warnings, g.Tryout.Warnings()...), elapsed()
	return g, nil
}

// asTheyAre runs tests with the values that they have in their source.
func (r *testRun) asTheyAre(ctx context.Context, g *Generated, tests []suite.Test) error {
	tryout := r.tryout(g.Players)
	tryout.Expired, tryout.Limits, tryout.Unfit = r.Drivers.Tools.Workers.Over, r.limits, r.unfit
	g.Tryout = NewTryout(tryout)
	var all []sequence.Sequence
	for i := range tests {
		all = append(all, sequence.Sequence{Statements: []sequence.Statement{tests[i].Call()}})
	}
	kept, err := g.Tryout.Keep(ctx, all)
	g.Selected = r.reaching(g.Tryout, kept)
	return err
}

// unfit reports whether a run of a test is none for this run, and notes why.
func (r *testRun) unfit(q sequence.Sequence, s *spectra.Spectrum) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := q.Statements[0].Op
	switch {
	case s.Burst && r.players.Bubbles():
		r.burst = noted(r.burst, name)
		return true
	case s.Outside && !r.mayPoll:
		r.polls = noted(r.polls, name)
		return true
	}
	return false
}

func noted(set map[string]bool, name string) map[string]bool {
	if set == nil {
		set = map[string]bool{}
	}
	set[name] = true
	return set
}

// reaching returns the sequences that run code which the change may touch, and end on old.
func (in Input) reaching(t *Tryout, kept []generate.Kept) []selection.Sequence {
	return slices.DeleteFunc(t.Select(kept), func(q selection.Sequence) bool {
		return q.Hung || !q.Reaches && in.Drivers.Touched.Known
	})
}

// mostVaried is the number of steps of a test up to which it is varied: others take too long to be run often.
const mostVaried = 100_000

// varied adds variants of the selected tests.
func (r *testRun) varied(ctx context.Context, g *Generated, tests []suite.Test) error {
	workers := r.Drivers.Tools.Workers
	e := effort{limits: Limits{
		Sequences: r.Settings.Sequences, Most: r.Settings.Most, Differing: r.Settings.Differing,
	}, settled: r.Settings.Settled, alone: true, unfit: r.unfit}
	usual, byName := map[string]selection.Sequence{}, map[string]*suite.Test{}
	for _, q := range g.Selected {
		usual[q.Statements[0].Op] = q
	}
	for i := range tests {
		of, runs := usual[tests[i].Name]
		if !runs || of.Hung || of.Steps > mostVaried || len(tests[i].Holes) == 0 {
			continue
		}
		op, call := tests[i].Open()
		e.operations, e.calls = append(e.operations, op), append(e.calls, call)
		byName[op.Name] = &tests[i]
	}
	e.closed = func(q sequence.Sequence) sequence.Sequence { return suite.Closed(q, byName) }
	if len(e.operations) == 0 || workers.Over() || !r.Settings.Vary {
		return nil
	}
	workers.Report("varying tests", 0, 0)
	found, err := r.look(ctx, g.Players, e)
	if err != nil {
		return err
	}
	variants := r.reaching(found.Tryout, found.Kept)
	workers.Detailf("%d variants of %d tests, %d kept; stopped: %s", found.Stats.Sequences, len(e.operations),
		len(variants), found.Stop)
	g.Found = found
	g.Selected = append(g.Selected, variants...)
	return nil
}
