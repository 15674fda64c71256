package search

import (
	"context"
	"errors"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
)

// Tests runs the tests of the drivers, and selects those that run code which the change may touch. It varies these: a
// variant has other values in the place of literals, and is selected as other sequences are.
func (in Input) Tests(ctx context.Context) (*Generated, error) {
	elapsed, b, workers := replay.Stopwatch(), in.Drivers, in.Drivers.Tools.Workers
	workers.Report("running tests", 0, 0)
	tests := b.Tests()
	g := &Generated{Players: b.Players}
	err := in.asTheyAre(ctx, g, tests)
	if errors.Is(err, ErrBubble) {
		workers.Detailf("some tests do not work in time bubbles: all run without")
		g.Players = g.Players.WithoutBubbles()
		err = in.asTheyAre(ctx, g, tests)
	}
	if err != nil {
		return nil, err
	}
	g.Reaching = len(g.Selected)
	workers.Detailf("%d tests, %d of them run code that the change may touch", len(tests), len(g.Selected))
	if err := in.varied(ctx, g, tests); err != nil {
		return nil, err
	}
	g.Warnings, g.Elapsed = append(g.Warnings, g.Tryout.Warnings()...), elapsed()
	return g, nil
}

// asTheyAre runs tests with the values that they have in their source.
func (in Input) asTheyAre(ctx context.Context, g *Generated, tests []suite.Test) (err error) {
	tryout := in.tryout(g.Players)
	tryout.Expired = in.Drivers.Tools.Workers.Over
	tryout.Limits = replay.DefaultLimits()
	g.Tryout = NewTryout(tryout)
	var all []sequence.Sequence
	for i := range tests {
		all = append(all, sequence.Sequence{Statements: []sequence.Statement{tests[i].Call()}})
	}
	g.Kept, err = g.Tryout.Keep(ctx, all)
	g.Selected = in.reaching(g.Tryout, g.Kept)
	return err
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
func (in Input) varied(ctx context.Context, g *Generated, tests []suite.Test) error {
	workers := in.Drivers.Tools.Workers
	e := effort{limits: Limits{
		Sequences: in.Settings.Sequences, Most: in.Settings.Most, Differing: in.Settings.Differing,
	}, settled: in.Settings.Settled, alone: true}
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
	found, err := in.look(ctx, g.Players, e)
	if errors.Is(err, ErrBubble) {
		workers.Detailf("variants of tests: %v", err)
		return nil
	}
	if err != nil {
		return err
	}
	variants := in.reaching(found.Tryout, found.Kept)
	workers.Detailf("%d variants of %d tests, %d kept; stopped: %s", found.Stats.Sequences, len(e.operations),
		len(variants), found.Stop)
	g.Found = found
	g.Selected = append(g.Selected, variants...)
	return nil
}
