package search

import (
	"context"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// mostVaried is the number of steps of a test up to which it is varied: others take too long to be run often.
const mostVaried = 100_000

// leastVariants are made before nothing new counts as the end: which value matters, coverage does not tell.
const leastVariants = 1000

// varied adds variants of the selected tests.
func (r *testRun) varied(ctx context.Context, g *Generated, tests []suite.Test) error {
	workers, ran := r.Drivers.Tools.Workers, map[string]selection.Sequence{}
	all := slices.Clone(g.Selected)
	switch {
	case r.commands(): // whatever of the change they run
		all = append(all, r.whole...)
	case r.aimless:
		all = append(all, r.likely(tests)...)
	}
	for _, q := range all {
		if !q.Hung && q.Steps <= mostVaried {
			ran[q.Sequence.String()] = q
		}
	}
	of := func(t *suite.Test) selection.Sequence { return ran[single(t.Call()).String()] }
	tests = slices.DeleteFunc(slices.Clone(tests), func(t suite.Test) bool { return of(&t).Statements == nil })
	if len(tests) == 0 || workers.Over() || !r.Settings.Vary {
		return nil
	}
	workers.Report("varying tests", 0, 0)
	var err error
	g.Varied, err = r.withInputs(ctx, tests, func(t *suite.Test) bool { return of(t).Changed })
	if err != nil {
		return err
	}
	e := r.variation(g.Varied, of)
	if len(e.operations) == 0 {
		return nil
	}
	elapsed := replay.Stopwatch()
	found, err := r.look(ctx, g.Players, e)
	if err != nil {
		return err
	}
	r.varying = elapsed()
	variants := r.concerned(found.Tryout.Select(found.Kept))
	workers.Detailf("%d variants of %d tests, %d kept; stopped: %s", found.Stats.Sequences, len(e.operations),
		len(variants), found.Stop)
	g.Found, g.Warnings = found, append(g.Warnings, found.Tryout.Warnings()...)
	g.Selected = append(g.Selected, variants...)
	return nil
}

// likely returns how the tests ran that are near the change. With other values they may come to it.
func (r *testRun) likely(tests []suite.Test) []selection.Sequence {
	near := map[string]bool{}
	for _, t := range r.near(tests) {
		near[t.Name] = true
	}
	return slices.DeleteFunc(slices.Clone(r.whole), func(q selection.Sequence) bool {
		return !near[q.Statements[0].Op]
	})
}

// single returns a sequence of one statement.
func single(st sequence.Statement) sequence.Sequence {
	return sequence.Sequence{Statements: []sequence.Statement{st}}
}

// variation returns the effort for variants of tests that have holes; of returns how one ran as it is. Those that ran
// changed code have more variants, if there are some.
func (r *testRun) variation(tests []suite.Test, of func(*suite.Test) selection.Sequence) effort {
	e := effort{
		limits: Limits{
			Sequences: r.Settings.Sequences, Most: r.Settings.Most, Differing: r.Settings.Differing,
			Quiet: r.Settings.Quiet,
		},
		settled: r.Settings.Settled, alone: true, unfit: r.unfit, mentioned: r.mentioned(), told: r.told(),
		routes: r.Drivers.Plan.Routes(), flags: r.Drivers.Plan.Flags(),
	}
	if r.commands() {
		e.batch = commandBatch
	} else {
		e.talks, e.limits.Least = true, leastVariants
	}
	byName, like := map[string]*suite.Test{}, r.likeness()
	for i := range tests {
		if len(tests[i].Holes) > 0 {
			op, call := tests[i].Open()
			op.Near = like.rank(&tests[i]) == ofTheChange
			op.Steps, op.Reaches = of(&tests[i]).Steps, of(&tests[i]).Changed
			e.operations, e.calls = append(e.operations, op), append(e.calls, call)
			byName[op.Name] = &tests[i]
		}
	}
	if !slices.ContainsFunc(e.operations, func(op *api.Operation) bool { return op.Reaches }) {
		for _, op := range e.operations {
			op.Reaches = true
		}
	}
	e.closed = func(q sequence.Sequence) sequence.Sequence { return suite.Closed(q, byName) }
	return e
}

// withInputs returns tests with holes for what comes from outside, as a run of each tells it: on old, and on new if the
// test runs changed code, because new asks for something else only there.
func (r *testRun) withInputs(
	ctx context.Context, tests []suite.Test, changed func(*suite.Test) bool,
) ([]suite.Test, error) {
	with := slices.Clone(tests)
	var run []*suite.Test
	for i := range with {
		if with[i].Line == "" { // else all that a command is given is a hole
			run = append(run, &with[i])
		}
	}
	printed, err := r.inputs(ctx, spectra.Old, run)
	if err != nil {
		return nil, err
	}
	there := slices.DeleteFunc(slices.Clone(run), func(t *suite.Test) bool { return !changed(t) })
	also, err := r.inputs(ctx, spectra.New, there)
	if err != nil {
		return nil, err
	}
	ofCode := r.Drivers.FilesOfCode()
	for _, t := range run {
		*t = t.WithInputs(ofCode, printed[t], also[t])
	}
	return with, nil
}

// inputs returns what each test prints of what comes from outside. A run that the clock on the wall ended is made once
// more.
func (r *testRun) inputs(ctx context.Context, s spectra.Side, tests []*suite.Test) (map[*suite.Test]string, error) {
	printed := map[*suite.Test]string{}
	for range 2 {
		var left []*suite.Test
		var batch []sequence.Sequence
		for _, t := range tests {
			if !strings.Contains(printed[t], wire.EndOfParts) {
				left, batch = append(left, t), append(batch, single(t.Inputs()))
			}
		}
		list, err := NewTryout(r.tryoutOfTests()).Printed(ctx, s, batch)
		if err != nil {
			return nil, err
		}
		for i, text := range list {
			printed[left[i]] = text
		}
	}
	return printed, nil
}
