package search

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
)

// Tests runs the tests of the drivers, and selects those that run code which the change may touch. It varies these: a
// variant has other values in the place of literals, and is selected as other sequences are. The first result is of
// tests in time bubbles, the other one of tests that don't work in these.
func (in Input) Tests(ctx context.Context) ([]*Generated, error) {
	tests := in.Drivers.Tests()
	inside := &testRun{Input: in, players: in.Drivers.Players, limits: replay.DefaultLimits()}
	first, err := inside.run(ctx, tests)
	if err != nil || len(inside.burst) == 0 {
		return []*Generated{first}, err
	}
	outside := &testRun{Input: in, players: in.Drivers.Players.WithoutBubbles(), limits: replay.DefaultLimits()}
	outside.limits.Idle = outsideIdle
	second, err := outside.run(ctx, slices.DeleteFunc(tests, func(t suite.Test) bool { return !inside.burst[t.Name] }))
	return []*Generated{first, second}, err
}

// outsideIdle is how long a test may wait for something outside of its process, where time is not that of a bubble.
const outsideIdle = 3 * time.Second

// A testRun runs tests with players of one kind.
type testRun struct {
	Input
	players *replay.Players
	limits  replay.Limits
	mu      sync.Mutex
	burst   map[string]bool // tests that don't work in time bubbles
}

func (r *testRun) run(ctx context.Context, tests []suite.Test) (*Generated, error) {
	elapsed, workers := replay.Stopwatch(), r.Drivers.Tools.Workers
	workers.Report("running tests", 0, 0)
	g := &Generated{Players: r.players}
	if err := r.asTheyAre(ctx, g, tests); err != nil {
		return nil, err
	}
	g.Reaching = len(g.Selected)
	workers.Detailf("%d tests, %d of them run code that the change may touch", len(tests)-len(r.burst), len(g.Selected))
	if err := r.varied(ctx, g, tests); err != nil {
		return nil, err
	}
	g.Warnings, g.Elapsed = append(g.Warnings, g.Tryout.Warnings()...), elapsed()
	return g, nil
}

// asTheyAre runs tests with the values that they have in their source.
func (r *testRun) asTheyAre(ctx context.Context, g *Generated, tests []suite.Test) (err error) {
	tryout := r.tryout(g.Players)
	tryout.Expired, tryout.Limits, tryout.Burst = r.Drivers.Tools.Workers.Over, r.limits, r.bursts
	g.Tryout = NewTryout(tryout)
	var all []sequence.Sequence
	for i := range tests {
		all = append(all, sequence.Sequence{Statements: []sequence.Statement{tests[i].Call()}})
	}
	g.Kept, err = g.Tryout.Keep(ctx, all)
	g.Selected = r.reaching(g.Tryout, g.Kept)
	return err
}

// bursts notes that a test does not work in a time bubble.
func (r *testRun) bursts(q sequence.Sequence) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.burst == nil {
		r.burst = map[string]bool{}
	}
	r.burst[q.Statements[0].Op] = true
}

// reaching returns the sequences that run code which the change may touch.
func (in Input) reaching(t *Tryout, kept []generate.Kept) []selection.Sequence {
	return slices.DeleteFunc(t.Select(kept), func(q selection.Sequence) bool {
		return !q.Reaches && in.Drivers.Touched.Known
	})
}

// mostVaried is the number of steps of a test up to which it is varied: others take too long to be run often.
const mostVaried = 100_000

// varied adds variants of the selected tests.
func (r *testRun) varied(ctx context.Context, g *Generated, tests []suite.Test) error {
	workers := r.Drivers.Tools.Workers
	e := effort{limits: Limits{
		Sequences: r.Settings.Sequences, Most: r.Settings.Most, Differing: r.Settings.Differing,
	}, settled: r.Settings.Settled, alone: true, burst: func(sequence.Sequence) {}}
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
	if len(e.operations) == 0 || workers.Over() {
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
