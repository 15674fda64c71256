package pipeline

import (
	"context"
	"time"

	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
)

// A run plays sequences for runTimes its budget and runLeast at most, loading and building left aside. What was not
// played until then is counted, and the report says so.
const (
	runTimes = 10
	runLeast = time.Minute
)

// plan finds what there is to compare in the versions.
func (f *flow) plan(ctx context.Context) error {
	e, cfg := f.env, f.cfg
	e.Stage("load")
	given, err := f.versions.Find(ctx, f.folder)
	if err != nil {
		return err
	}
	if reason := given.Unchanged(); reason != "" && !cfg.All {
		e.Logf("%s", reason)
		given.Warnings = append(given.Warnings, given.Elsewhere()...)
		f.found.Plan = plan.Nothing(given)
		return plan.ErrOver
	}
	f.sandbox = f.layers
	given.Warnings = append(given.Warnings, f.confined...)
	if e.Go.WithoutC() {
		const text = "files can't be confined here, so cgo is off: set CGO_ENABLED=1 if you trust both versions"
		given.Warnings = append(given.Warnings, text)
	}
	f.found.Plan, err = plan.Make(ctx, plan.Input{
		Given: given, Workers: e.Workers, Go: e.Go, Store: e.Store, All: cfg.All, Deps: cfg.Deps, Renames: cfg.Renames,
		Exports: f.tools.Builder.Exports,
	})
	if err == nil {
		f.found.Source = sources(f.found.Plan)
	}
	if err == nil && !cfg.All && cfg.Run == "" && f.found.Plan.Changes.OnlyAdds() {
		e.Logf("nothing that the old version has was changed: what is new is only called by what is new")
		return plan.ErrOver
	}
	return err
}

// build instruments and builds both versions.
func (f *flow) build(ctx context.Context) error { return f.buildAhead(ctx, nil) }

// buildAhead is build, with somebody who is told of the drivers before they are compiled.
func (f *flow) buildAhead(ctx context.Context, ahead func(*drivers.Drivers)) error {
	opaque, err := drivers.OpaqueEntries(f.cfg.Dir)
	if err != nil {
		return err
	}
	f.found.Drivers, err = drivers.Build(ctx, drivers.Input{
		Plan: f.found.Plan, Tools: f.tools, Keep: drivers.Folder(f.cfg.Keep), Opaque: opaque,
		Ahead: ahead,
	})
	if err != nil {
		return err
	}
	f.found.Plan = f.found.Drivers.Plan // without what could not be built
	return nil
}

// variables compares package variables before any call. Those that differ are no part of states. Packages that neither
// version can initialise are left out.
func (f *flow) variables(ctx context.Context) (err error) {
	err = f.initial(ctx)
	for round := 1; err != nil && round < plan.MostRounds; round++ {
		fewer, failed := f.found.Plan.WithoutUninitialised(err)
		if failed != nil {
			return failed
		}
		f.found.Plan = fewer
		if err := f.build(ctx); err != nil {
			return err
		}
		err = f.initial(ctx)
	}
	if err != nil {
		return err
	}
	d := f.found.Drivers
	first := f.found.Initial
	f.found.Drivers = d.Without(first.Dropped, first.Names(), first.Ran, f.cfg.All)
	f.limitPlaying()
	return nil
}

// limitPlaying sets how long all that follows may play. A run that counts its sequences plays as long as they take.
func (f *flow) limitPlaying() {
	left, limited := f.timeLeft()
	switch most := runTimes*f.cfg.budget() + runLeast; {
	case f.counts() && limited:
		f.env.Limit(left)
	case f.counts():
		f.env.Unlimited()
	case limited:
		f.env.Limit(min(most, left))
	default:
		f.env.Limit(most)
	}
}

// initial compares what initialisation leaves in package variables.
func (f *flow) initial(ctx context.Context) (err error) {
	f.env.Stage("variables")
	f.env.Report("comparing package variables", 0, 0)
	d := f.found.Drivers
	f.found.Initial, err = judge.CompareInitial(ctx, d.Players, d.Plan.Common.Variables(), d.Patched())
	return err
}
