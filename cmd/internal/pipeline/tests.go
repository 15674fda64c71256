package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/group"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/summary"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// tests runs the tests of the module on both versions, and judges and proves what deviates. If they can't be run, that
// is a warning.
func (f *flow) tests(ctx context.Context) error {
	if !f.runsTests() {
		return nil
	}
	settings := f.varied()
	settings.Vary = f.cfg.Run == "" && !f.explained
	if !f.counts() {
		settings.Most = min(settings.Most, f.open(testsVaried, testsDiffering))
	}
	return f.testsOf(ctx, settings, &f.found.Tests)
}

// runsTests reports whether tests of the module run.
func (f *flow) runsTests() bool {
	return f.drives(DriveTests) && (f.cfg.Run != "" || f.found.Plan.HasTests())
}

// varied returns the settings for tests and commands that are varied. Where nothing deviates yet, it may take more than
// what reaches new code to tell.
func (f *flow) varied() search.Settings {
	settings := f.cfg.search()
	settings.Most, settings.Differing = min(settings.Most, testsVaried), min(settings.Differing, testsDiffering)
	settings.Vary = true
	deviates := func(of *diff.Finding) bool { return of.Tier() != spectra.TierCalls }
	if slices.ContainsFunc(f.source.Calls, deviates) {
		settings.Quiet = testsQuiet
	}
	return settings
}

// newTests runs the tests of new that old does not have so: where they pass on new alone, they say what the change is
// meant to do. Where they fail on new alone, somebody asks for what brought that in.
func (f *flow) newTests(ctx context.Context) error {
	f.explained = group.Explains(f.found.Plan, f.source.Calls)
	if !f.drives(DriveTests) || f.cfg.Run == "" && f.building(keptForOthers) <= 0 {
		return nil
	}
	settings := f.cfg.search()
	settings.New = true
	return f.testsOf(ctx, settings, &f.found.NewTests)
}

// notRun says that all of one kind of what is played is missing, for a reason that is no part of the report.
func (f *flow) notRun(kind report.Lack, why string) {
	f.found.Warnings = append(f.found.Warnings, fmt.Sprintf("%s were not run: %s", kind, why))
	f.found.Lacks = append(f.found.Lacks, kind)
}

// testsOf runs some tests, and judges and proves what they show.
func (f *flow) testsOf(ctx context.Context, settings search.Settings, into *summary.Tests) error {
	f.end.plays()
	most := f.open(testsRun, testsSettled)
	if settings.New {
		most = newTestsRun
	}
	settings.Tests, settings.Building = f.atMost(most), f.building(keptForTests)
	if f.paced() {
		settings.Building = f.open(settings.Building, testsSettled)
	}
	in := search.Input{Drivers: f.found.Drivers, Settings: settings, Calls: f.found.Calls.Generated}
	if !settings.New {
		in.Ahead = f.ahead
	}
	d, runs, err := in.Tests(ctx)
	switch {
	case err == nil:
		return f.judgeTests(ctx, d, runs, into, testsJudged)
	case errors.Is(err, drivers.ErrNoTests) && (f.cfg.Run == "" || settings.New || f.found.NewTests.Drivers != nil):
		return nil
	case errors.Is(err, drivers.ErrNoTests):
		const none = "--run %s: no test or example of that name is near the change; --all looks everywhere"
		return fmt.Errorf(none, f.cfg.Run)
	case ctx.Err() != nil:
		return err
	case settings.New: // most often they need what only new has
		f.env.Detailf("tests of the new version were not run: %v", err)
		return nil
	case errors.Is(err, search.ErrBuilding) && group.Open(f.found.Plan, f.source.Calls) == 0:
		f.notRun(report.LackTests, "each change is a proven cause without them, and "+err.Error())
	default:
		f.notRun(report.LackTests, err.Error())
	}
	return nil
}

// handed calls what the module exports with what tests handed to it, and judges and proves what deviates.
func (f *flow) handed(ctx context.Context) error {
	if f.found.Tests.Drivers == nil || !f.called() || f.cfg.Run != "" || group.Explains(f.found.Plan, f.source.Calls) ||
		f.building(keptForOthers) <= 0 {
		return nil
	}
	f.end.plays()
	var tests []*search.Generated
	for _, of := range f.found.Tests.Runs {
		tests = append(tests, of.Generated)
	}
	f.env.Report("calling with what tests hand over", 0, 0)
	f.limit(testsRun)
	in := search.Input{Drivers: f.found.Drivers, Settings: f.cfg.search(), Calls: f.found.Calls.Generated}
	g, err := in.Handed(ctx, tests)
	if err != nil || g == nil {
		return err
	}
	f.found.Handed.Generated = g
	return f.late(f.judgeAndProve(ctx, &f.found.Handed, f.found.Drivers, testsJudged))
}

// commands runs the commands of the module on both versions where too little of the change ran, and judges and proves
// what deviates. If they can't be run, that is a warning.
func (f *flow) commands(ctx context.Context) error {
	if !f.drives(DriveCommand) || f.cfg.Run != "" || f.building(keptForOthers) <= 0 || !f.cfg.All && f.reached() {
		return nil
	}
	f.end.plays()
	settings := f.varied()
	settings.Tests, settings.Building = f.atMost(testsRun), f.building(keptForOthers)
	in := search.Input{Drivers: f.found.Drivers, Settings: settings, Calls: f.found.Calls.Generated}
	d, runs, err := in.Commands(ctx)
	switch {
	case err == nil:
		return f.judgeTests(ctx, d, runs, &f.found.Commands, commandsJudged)
	case errors.Is(err, drivers.ErrNoCommands):
		return nil
	case ctx.Err() != nil:
		return err
	}
	f.notRun(report.LackCommands, err.Error())
	return nil
}

// reached reports whether what was played ran enough of the change.
func (f *flow) reached() bool {
	var r report.Report
	summary.Report(&r, f.found)
	return r.Reached()
}

// judgeTests judges and proves what runs of tests or commands show.
func (f *flow) judgeTests(
	ctx context.Context, d *drivers.Drivers, runs []*search.Generated, into *summary.Tests, judged time.Duration,
) error {
	into.Drivers, f.cut = d, f.cut || f.env.Over()
	for _, g := range runs {
		f.cut = f.cut || g.Cut
		if err := f.testRun(ctx, into, g, judged); err != nil {
			return f.late(err)
		}
	}
	return nil
}

// late makes a warning of it that the time of a stage was up, if the run has no limit.
func (f *flow) late(err error) error {
	if _, limited := f.timeLeft(); errors.Is(err, judge.ErrTimeUp) && !limited {
		const late = "not all that tests show was judged in the time for them; --timeout 10m leaves more"
		f.found.Warnings = append(f.found.Warnings, late)
		return nil
	}
	return err
}

// All that tests show is proven within testsOver since the begin of a run without limits, of several modules each
// within its share, leastShare or more.
const (
	testsOver  = 4*time.Minute + 30*time.Second
	leastShare = time.Minute
)

// Drivers with tests have to be built while a ninth of that time is left, others while a third is.
const (
	keptForTests  = 9
	keptForOthers = 3
)

// over returns how long after the begin all has to be proven.
func (f *flow) over() time.Duration {
	if f.share > 0 {
		return f.share
	}
	return testsOver
}

// paced reports whether nothing but the usual times of stages limits them: neither a limit of the run, nor that there
// is to be none, nor tests or a number of sequences that were asked for.
func (f *flow) paced() bool {
	_, limited := f.timeLeft()
	return !limited && !f.cfg.Unlimited && f.cfg.Auto && f.cfg.Run == "" && !f.counts()
}

// building returns how long drivers may still be built, if one of so many parts of the time is kept for what follows.
func (f *flow) building(kept int) time.Duration {
	left, limited := f.timeLeft()
	switch {
	case limited:
		return left
	case f.paced():
		return f.over() - f.over()/time.Duration(kept) - time.Since(f.begun)
	}
	return time.Hour
}

// Tests are run, varied, recorded, judged and proven for so long at most, each of the kinds of them; where a part of
// what changed is a proven cause, for so much less of what they have beyond the time that they have where all of it is.
const (
	testsRun       = 75 * time.Second
	newTestsRun    = 30 * time.Second // those of new
	testsVaried    = 20 * time.Second
	testsDiffering = 8 * time.Second // likewise, once a variant told the versions apart
	testsQuiet     = 6 * time.Second // likewise, if it shows, and variants ran nothing new of it for half of that
	testsRecorded  = 30 * time.Second
	testsSettled   = 10 * time.Second // building, running, recording, judging each, once each change is a proven cause
	testsJudged    = 40 * time.Second
	testsShown     = 80 * time.Second // likewise, if an output seems to deviate, as of a test that fails on one version
	testsProven    = 30 * time.Second

	commandsJudged = 2 * time.Minute // each run is a process
)

// limit sets how long the next stage may take; 0: the limit stays.
func (f *flow) limit(most time.Duration) {
	if most != 0 {
		f.env.Limit(f.atMost(most))
	}
}

// atMost returns how long a stage may take: in a run with a limit, what is left of that if it is less.
func (f *flow) atMost(most time.Duration) time.Duration {
	left, limited := f.timeLeft()
	switch {
	case limited:
		return min(most, left)
	case f.counts():
		return search.Patience * most
	case f.paced():
		return min(most, f.over()-time.Since(f.begun))
	}
	return most
}

// counts reports whether a number of sequences was asked for.
func (f *flow) counts() bool { return f.cfg.Sequences > 0 }

// open returns a time between that of a run in which nothing is proven yet and that of one in which each change is a
// proven cause, so that what follows can say little more. No clock shortens a run that counts its sequences.
func (f *flow) open(all, known time.Duration) time.Duration {
	if all <= known || f.counts() {
		return all
	}
	return known + time.Duration(group.Open(f.found.Plan, f.source.Calls)*float64(all-known))
}

// testRun judges and proves what some of the tests show.
func (f *flow) testRun(ctx context.Context, of *summary.Tests, g *search.Generated, judged time.Duration) error {
	of.Runs = append(of.Runs, summary.Run{Generated: g})
	return f.judgeAndProve(ctx, &of.Runs[len(of.Runs)-1], of.Drivers, judged)
}

// judgeAndProve judges and proves what a run of what is near the tests shows.
func (f *flow) judgeAndProve(ctx context.Context, of *summary.Run, d *drivers.Drivers, judged time.Duration) error {
	if len(of.Generated.Selected) == 0 {
		return nil
	}
	times := timesOf{
		recorded: f.open(testsRecorded, testsSettled), judged: f.open(judged, testsSettled),
		shown: f.open(max(judged, testsShown), testsSettled),
	}
	if err := f.judgeRun(ctx, of, d, times); err != nil {
		return err
	}
	f.limit(testsProven + f.env.Left(testsProven)) // what judging left of its time
	return f.proveRun(ctx, of, d)
}
