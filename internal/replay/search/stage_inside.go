package search

import (
	"context"
	"errors"
	"slices"
	"time"
)

// So long, or with --sequences so many sequences, functions are called from inside at most.
const (
	insideBudget    = 5 * time.Second
	insideSequences = 300
)

// inside adds sequences that call changed functions from inside their packages and tell the versions apart, and further
// ones that hand over what these were handed.
func (in Input) inside(ctx context.Context, g *Generated) error {
	b, workers := in.Drivers, in.Drivers.Tools.Workers
	if len(b.Inside.Old) == 0 || workers.Over() {
		return nil
	}
	from := Inside{
		Operations: b.Inside.Old, Exported: b.Plan.Callable.Operations.Old, Kept: g.Selected, Players: g.Players,
		Changed: b.ChangedIn,
	}
	operations, calls, err := from.Plan(ctx)
	if err != nil || len(operations) == 0 {
		return err
	}
	workers.Detailf("calling %d functions from inside, %d real calls of them are known", len(operations), len(calls))
	beside := Beside(operations, b.Plan.Callable.Operations.Old)
	mined, unread := in.mined(beside)
	for _, w := range unread {
		if !slices.Contains(g.Warnings, w) {
			g.Warnings = append(g.Warnings, w)
		}
	}
	aimed := in.aimed(beside, append(calls, mined...), insideBudget, insideSequences)
	found, err := in.look(ctx, g.Players, aimed)
	if errors.Is(err, ErrBubble) {
		workers.Detailf("calls from inside: %v", err)
		return nil
	}
	if err != nil {
		return err
	}
	telling := Telling(found.Tryout.Select(found.Kept), operations)
	reached, err := from.Reached(ctx, found.Tryout, telling, operations)
	g.Selected, g.Inside = append(g.Selected, reached...), telling
	return err
}
