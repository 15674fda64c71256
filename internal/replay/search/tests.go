package search

import (
	"context"
	"errors"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// Tests runs the tests of the drivers as they are, and selects those that run code which the change may touch.
func (in Input) Tests(ctx context.Context) (*Generated, error) {
	elapsed, b, workers := replay.Stopwatch(), in.Drivers, in.Drivers.Tools.Workers
	workers.Report("running tests", 0, 0)
	var all []sequence.Sequence
	for _, op := range b.Tests() {
		all = append(all, sequence.Sequence{Statements: []sequence.Statement{{Kind: sequence.Call, Op: op.Name}}})
	}
	g := &Generated{Players: b.Players}
	err := in.tryTests(ctx, g, all)
	if errors.Is(err, ErrBubble) {
		workers.Detailf("some tests do not work in time bubbles: all run without")
		g.Players = g.Players.WithoutBubbles()
		err = in.tryTests(ctx, g, all)
	}
	if err != nil {
		return nil, err
	}
	g.Selected = slices.DeleteFunc(g.Tryout.Select(g.Kept), func(q selection.Sequence) bool {
		return !q.Reaches && b.Touched.Known
	})
	g.Warnings, g.Elapsed = g.Tryout.Warnings(), elapsed()
	workers.Detailf("%d tests, %d of them run code that the change may touch", len(all), len(g.Selected))
	return g, nil
}

func (in Input) tryTests(ctx context.Context, g *Generated, tests []sequence.Sequence) (err error) {
	tryout := in.tryout(g.Players)
	tryout.Expired = in.Drivers.Tools.Workers.Over
	tryout.Limits = replay.DefaultLimits()
	tryout.Touched.Brings = func(sequence.Sequence) bool { return false }
	g.Tryout = NewTryout(tryout)
	g.Kept, err = g.Tryout.Keep(ctx, tests)
	return err
}
