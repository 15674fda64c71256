package search

import (
	"context"
	"errors"
	"go/constant"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// So long, or with --sequences so many sequences, what tests handed over is called and varied at most. Of each test,
// and of all tests, at most so many runs are looked into.
const (
	handedBudget    = 8 * time.Second
	handedSequences = 300
	handedOfOne     = 3
	handedRuns      = 24
)

// Handed searches sequences that begin with what tests and their variants handed to functions which can reach the
// change: values that only tests put together. The calls are made as they are, and varied as others are. It returns nil
// if tests handed over nothing that can be written down. The players are those that the input's calls have.
func (in Input) Handed(ctx context.Context, tests []*Generated) (*Generated, error) {
	elapsed, workers, all := replay.Stopwatch(), in.Drivers.Tools.Workers, in.Drivers.Plan.Callable.Operations.Old
	operations := slices.DeleteFunc(slices.Clone(all), func(op *api.Operation) bool {
		return in.Drivers.Touched.Known && !op.Reaches
	})
	calls, err := handed(ctx, tests, operations)
	if err != nil || len(calls) == 0 {
		return nil, err
	}
	operations = slices.DeleteFunc(operations, func(op *api.Operation) bool {
		return !slices.ContainsFunc(calls, func(c carve.Call) bool { return c.Op == op.Name })
	})
	workers.Detailf("calling %d functions with what tests hand them, %d calls", len(operations), len(calls))
	g := &Generated{Players: in.Calls.Players}
	g.Found, err = in.look(ctx, g.Players, in.aimed(Beside(operations, all), calls, handedBudget, handedSequences))
	if errors.Is(err, ErrBubble) {
		workers.Detailf("calls with what tests hand over: %v", err)
		return g, nil
	}
	if err != nil {
		return nil, err
	}
	g.Selected, g.Elapsed = in.concerned(g.Tryout.Select(g.Kept)), elapsed()
	return g, nil
}

// handed plays runs of tests, and returns the calls of some operations in them.
func handed(ctx context.Context, tests []*Generated, operations []*api.Operation) ([]carve.Call, error) {
	functions := map[spectra.Symbol]bool{}
	for _, op := range operations {
		functions[op.Symbol] = true
	}
	var calls []carve.Call
	count, seen := map[string]int{}, map[string]bool{}
	for _, g := range tests {
		made, err := callsOf(ctx, g.Players, chosenRuns(g.Selected), functions)
		if err != nil {
			return nil, err
		}
		for _, st := range made {
			call := single(st)
			if text := call.String(); count[st.Op] < callsOfOne && !seen[text] {
				seen[text] = true
				count[st.Op]++
				calls = append(calls, carve.Whole(call)...)
			}
		}
	}
	return calls, nil
}

// chosenRuns chooses the runs of tests to look into, from those in the order of their use: a few of each test.
func chosenRuns(selected []selection.Sequence) (list []sequence.Sequence) {
	of := map[string]int{}
	for _, q := range selected {
		name := q.Statements[0].Op
		if of[name]++; of[name] <= handedOfOne && len(list) < handedRuns {
			list = append(list, q.Sequence)
		}
	}
	return list
}

// mostTold is the maximum number of texts of calls that tests are varied with.
const mostTold = 30

// told returns the texts of calls that showed something new of the change, for the tests to be varied with: a parser
// that a test calls through files and options takes what it took when it was called alone.
func (in Input) told() (list []generate.Constant) {
	if in.Calls == nil {
		return nil
	}
	packages, seen := map[string]string{}, map[string]bool{}
	for _, op := range in.Drivers.Plan.Callable.Operations.Old {
		packages[op.Name] = op.Package
	}
	for _, k := range in.Calls.Kept {
		if !k.Changed || k.Class() != 0 {
			continue
		}
		for _, st := range k.Sequence.Statements {
			for i := range st.Args {
				st.Args[i].EachText(func(text string) {
					if len(list) < mostTold && text != "" && !seen[text] {
						seen[text] = true
						list = append(list, generate.Constant{
							Package: packages[st.Op], Value: constant.MakeString(text), Changed: true,
						})
					}
				})
			}
		}
	}
	return list
}
