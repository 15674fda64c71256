// Package pipeline runs the stages of a comparison one after the other.
//
//	plan       packages and functions that both versions have, and what changed   replay/versions, replay/plan
//	build      both versions instrumented and compiled                            replay/drivers
//	variables  package variables that differ before any call                      diff/judge
//	search     the sequences that both versions will play                         replay/search
//	judge      noise, deviations that are no noise, findings with their examples  diff/judge
//	prove      findings whose change is the cause                                 diff/proof
//	inside     what only calls from inside packages show                          diff/judge
//	tests      what tests show: searched, judged and proven in the same way        search, judge, proof
//	commands   what command lines show, likewise
//	variables  those that still differ before any call, and are proven to by a change             diff/proof
//	group      one finding for one decision of the author                         diff/group
//	emit       Go tests that show the findings, on request                        report/emit
//	report     all of it as one value                                             report/summary
//	accepted   what the new version accepts of it                                 report/accepted
//
// A stage takes values of the stages before it, and returns values that nothing changes afterwards. A stage that finds
// nothing left to do ends the flow; the report is then made of what is known.
//
// The first three are common to all shards of a run; Shards does the others for each.
//
// In: a Config. Out: a finished report, or an error that says which stage failed on what. It writes only below the
// cache folder and a temporary folder that it removes; the repository is read, never touched. With the same Config (and
// Sequences set) the report is the same but for its durations.
package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/group"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/proof"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/replay/versions"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/accepted"
	"github.com/spectradiff/spectradiff/internal/report/emit"
	"github.com/spectradiff/spectradiff/internal/report/summary"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Run compares two versions.
func Run(ctx context.Context, cfg Config) (*report.Report, error) {
	r, _, err := RunAsking(ctx, cfg)
	return r, err
}

// RunAsking compares two versions, and also returns what the roots of the report ask other versions.
func RunAsking(ctx context.Context, cfg Config) (*report.Report, []Ask, error) {
	task, err := newTask(cfg)
	if err != nil {
		return nil, nil, err
	}
	defer task.env.Close(ctx)
	r, err := compare(ctx, task)
	return r, *task.asks, err
}

// A task is what a run was asked for, and what its stages use.
type task struct {
	cfg   Config
	env   *env.Environment
	tools drivers.Tools // the real ones, except in tests

	confined []string         // warnings about what confines
	layers   string           // that confine
	versions *versions.Choice // nil before choose
	accepted accepted.List    // findings that the new version accepts
	asks     *[]Ask           // of all modules
	shards   []shard.Shard    // that are done, one after the other
	session  *session         // nil: no others will follow
	aside    bool             // nothing changed in the module: it uses others, of which something did not run
	share    time.Duration    // that tests have of the time of a run without limits; 0: all of it
}

func newTask(cfg Config) (*task, error) {
	e, err := env.Open(env.Options{
		Jobs: cfg.Jobs, NoSandbox: cfg.NoSandbox, Cache: cfg.Cache,
		Verbose: cfg.Verbose, Progress: cfg.Progress, Log: cfg.Log, Tool: cfg.Tool, Nats: cfg.Nats,
		Timed: cfg.timed,
	})
	if err != nil {
		return nil, err
	}
	tools := drivers.Tools{
		Workers: e.Workers, Builder: e.Builder(cfg.Tool), Players: e.Players,
		Footprints: e.Footprints(cfg.Tool),
	}
	return &task{cfg: cfg, env: e, tools: tools, asks: &[]Ask{}, shards: []shard.Shard{{}}}, nil
}

// A flow holds what the stages of a run have found so far.
type flow struct {
	*task
	folder    string // of the module in the repository; "": that where the user is
	begun     time.Time
	end       *early // nil: it is not ended
	sandbox   string // the layers that confine
	found     summary.Results
	cut       bool          // not all tests were run and varied
	ahead     *search.Ahead // drivers with tests; nil: none are built yet
	source    group.Source
	explained bool // calls alone show what each changed function does
}

// A run plays sequences for runTimes its budget and runLeast at most, loading and building left aside. What was not
// played until then is counted, and the report says so.
const (
	runTimes = 10
	runLeast = time.Minute
)

// In a run with a limit, generating may take one third of the time that is left then, and recording one half.
const (
	generatingShare = 3
	recordingShare  = 2
)

// Where tests run too, which are built beside and get little of the processors until then, calls are generated for
// beforeTests at most, and for aimless if no call seems to reach the change, or none shows anything new of it. So it is
// for a module in which nothing changed.
const (
	beforeTests = 20 * time.Second
	aimless     = 8 * time.Second
)

// A stage is one of the stages of a run.
type stage struct {
	brings string // as a report says what is missing without it; "" = nothing that anybody asks for
	run    func(*flow, context.Context) error
	asked  bool // this run is to do it
	plays  bool // it does nothing once nothing more may be played
}

// common is how many of the first stages all shards have in common.
const common = 3

// testsBring is what counts as not done, too, where not all tests were run and varied.
const testsBring = "tests"

func (f *flow) stages() []stage {
	calls, tests, commands := f.drives(DriveAPI), f.drives(DriveTests), f.drives(DriveCommand)
	return []stage{
		{run: (*flow).plan, asked: true},
		{brings: "builds", run: (*flow).build, asked: true},
		{run: (*flow).variables, asked: true},
		{brings: "generated calls", run: (*flow).search, asked: calls, plays: true},
		{brings: "roots of generated calls", run: (*flow).judge, asked: calls, plays: true},
		{brings: "proofs", run: (*flow).prove, asked: calls && !f.cfg.NoProof, plays: true},
		{brings: "calls from inside packages", run: (*flow).inside, asked: calls, plays: true},
		{brings: "tests of the new version", run: (*flow).newTests, asked: tests, plays: true},
		{brings: testsBring, run: (*flow).tests, asked: tests, plays: true},
		{
			brings: "calls with what tests pass", run: (*flow).handed,
			asked: calls && tests && f.cfg.Run == "", plays: true,
		},
		{brings: "commands", run: (*flow).commands, asked: commands && f.cfg.Run == "", plays: true},
		{brings: "proofs of package variables", run: (*flow).proveVariables, asked: !f.cfg.NoProof, plays: true},
		{run: func(f *flow, _ context.Context) error { f.group(); return nil }, asked: true},
		{brings: "files of --emit", run: (*flow).emit, asked: f.cfg.Emit != ""},
	}
}

// run runs the stages from one to before another one. It returns ErrOver where nothing was left to do. With another
// error, and where the run ended early, it returns what the stages would have brought that were not finished, or began
// when nothing more was played.
func (f *flow) run(ctx context.Context, from, to int) (undone []string, err error) {
	all := f.stages()
	for i, stage := range all[from:to] {
		late := f.end.partly() != nil
		if err := f.do(ctx, stage); err != nil {
			for _, left := range all[from+i:] {
				if left.asked && left.brings != "" {
					undone = append(undone, left.brings)
				}
			}
			return undone, err
		}
		if late && stage.asked && stage.plays {
			undone = append(undone, stage.brings)
		}
	}
	return undone, nil
}

// do runs a stage. One that does not play computes, too, with a flow of its own.
func (f *flow) do(ctx context.Context, of stage) error {
	if of.plays {
		return of.run(f, ctx)
	}
	own := *f
	left, err := compute(ctx, func() error { return of.run(&own, ctx) })
	if !left {
		*f = own
	}
	return err
}

// compute does what may not look at ctx for seconds. Once ctx is over it is left alone, as true says, and what it does
// then must concern nobody.
func compute(ctx context.Context, what func() error) (left bool, err error) {
	done := make(chan error, 1)
	go func() { done <- what() }()
	var late <-chan time.Time
	for over := ctx.Done(); ; {
		select {
		case err := <-done:
			return false, err
		case <-over:
			over, late = nil, time.After(computing)
		case <-late:
			return true, context.Cause(ctx)
		}
	}
}

// timeLeft returns the time that a run with a limit has left, and false if there is no limit.
func (f *flow) timeLeft() (time.Duration, bool) {
	return f.cfg.Timeout - reportTime - time.Since(f.begun), f.cfg.Timeout > 0
}

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

// drives reports whether sequences come from a source.
func (f *flow) drives(source string) bool { return slices.Contains(f.cfg.Drive, source) }

// search searches the sequences that both versions will play. Drivers with tests are built at the same time.
func (f *flow) search(ctx context.Context) (err error) {
	if !f.drives(DriveAPI) || len(f.found.Plan.Callable.Operations.Old) == 0 {
		return nil
	}
	if f.runsTests() && f.ahead == nil { // or another shard builds them
		settings := search.Settings{Run: f.cfg.Run, Building: f.building(testsBuilt)}
		f.ahead = search.Input{Drivers: f.found.Drivers, Settings: settings}.BuildTests(ctx)
	}
	f.env.Stage("generate")
	f.end.plays()
	settings := f.cfg.search()
	if f.cfg.Auto && f.runsTests() { // which may show what calls don't
		settings.Most, settings.Quiet = min(settings.Most, beforeTests), aimless
	}
	if f.cfg.Auto && (f.aside || f.runsTests() && !f.found.Drivers.Plan.Callable.Reaches()) {
		settings.Most = min(settings.Most, aimless)
	}
	if f.cfg.Auto && f.alone() {
		settings.Differing = min(settings.Differing, aloneBudget)
	}
	if left, limited := f.timeLeft(); limited { // the rest is for judging and proving
		settings.Most = min(settings.Most, left/generatingShare)
		settings.Differing = min(settings.Differing, left/generatingShare)
	}
	f.found.Calls.Generated, err = search.Input{Drivers: f.found.Drivers, Settings: settings}.Search(ctx)
	return err
}

// alone reports whether one declaration is all that changed.
func (f *flow) alone() bool {
	return len(f.found.Plan.ChangedDeclarations()) == 1 && f.found.Plan.Changes.OnlyDeclarations()
}

// called reports whether there are sequences that make calls of what the module exports.
func (f *flow) called() bool {
	g := f.found.Calls.Generated
	return g != nil && len(g.Selected) > 0
}

// judge plays the sequences, and judges what deviates.
func (f *flow) judge(ctx context.Context) error {
	f.source.Initial = f.found.Initial
	if !f.called() {
		return nil
	}
	var times timesOf
	if left, limited := f.timeLeft(); limited { // half of it is for judging
		times = timesOf{recorded: left / recordingShare, judged: left, shown: left}
	}
	return f.judgeRun(ctx, &f.found.Calls, f.found.Drivers, times)
}

// timesOf are how long the sequences of a run are recorded and judged at most, and judged if an output seems to
// deviate; 0: the limit stays.
type timesOf struct{ recorded, judged, shown time.Duration }

// judgeRun plays the sequences of a run, and judges what deviates. What it found is grouped unless it is replaced.
func (f *flow) judgeRun(ctx context.Context, of *summary.Run, d *drivers.Drivers, times timesOf) (err error) {
	f.limit(times.recorded)
	if of.Played, err = judge.Play(ctx, f.env.Workers, f.subject(d, of.Generated)); err != nil {
		return err
	}
	if of.Played.ShowsOutput() {
		f.limit(times.shown)
	} else {
		f.limit(times.judged)
	}
	if of.Judged, err = judge.Judge(ctx, f.env.Workers, of.Played); err != nil {
		return err
	}
	f.source.Calls = append(f.source.Calls, of.Judged.Findings...)
	return nil
}

func (f *flow) subject(d *drivers.Drivers, g *search.Generated) *judge.Subject {
	options := judge.Options{
		Whole: f.cfg.All, Budget: f.cfg.budget(), Counted: f.counts(), Asked: f.cfg.Run != "",
	}
	if d == f.found.Drivers { // the raw spectra of tests are not kept
		options.Keep = f.cfg.Keep
	}
	return judge.NewSubject(d, g, options)
}

// prove proves the findings.
func (f *flow) prove(ctx context.Context) error {
	if !f.called() {
		return nil
	}
	return f.proveRun(ctx, &f.found.Calls, f.found.Drivers)
}

// proveRun proves the findings of a run, which was judged last, and replaces them, unless runs before have shown and
// proven the same.
func (f *flow) proveRun(ctx context.Context, of *summary.Run, d *drivers.Drivers) error {
	if f.cfg.NoProof {
		return nil
	}
	before := len(f.source.Calls) - len(of.Judged.Findings)
	if group.Settles(f.found.Plan, f.source.Calls[:before], of.Judged.Findings) {
		f.env.Detailf("nothing is left to be proven: each changed declaration is a proven cause")
		return nil
	}
	in := proof.Input{Drivers: d, Players: of.Generated.Players, Judged: of.Judged, Found: f.tell}
	proven, warnings, err := in.Prove(ctx)
	if err == nil {
		f.source.Calls, of.Warnings = append(f.source.Calls[:before], proven...), warnings
	}
	return err
}

// proveVariables proves that package variables differ before any call because they changed, but for those of which that
// is known.
func (f *flow) proveVariables(ctx context.Context) (err error) {
	if f.cfg.NoProof {
		return nil
	}
	d := f.found.Drivers
	left := slices.DeleteFunc(slices.Clone(f.found.Initial.Differing), func(v judge.DifferingVariable) bool {
		name := spectra.Symbol(d.Plan.NewName(v.Name))
		return d.Plan.Beyond != nil && d.Plan.Beyond(name) ||
			slices.ContainsFunc(f.source.Calls, func(of *diff.Finding) bool {
				return of.Confirmed() && of.Cause.Symbol == name
			})
	})
	if len(left) == 0 {
		return nil
	}
	if f.limit(testsProven); f.env.Over() { // the run is to end
		return nil
	}
	var warnings []string
	f.source.Variables, warnings, err = proof.Input{Drivers: d, Players: d.Players}.Variables(ctx, left)
	f.found.Warnings = append(f.found.Warnings, warnings...)
	return err
}

// tell tells what is proven at once, because the report comes when all is.
func (f *flow) tell(of *diff.Finding) {
	alone := f.found.Alone(group.Identified(f.found.Drivers, of))
	alone.Roots[0] = alone.Roots[0].From(f.folder)
	root := &alone.Roots[0]
	where := ""
	if at := root.Position; at != nil {
		where = fmt.Sprintf(" (%s:%d)", at.File, at.Line)
	}
	f.env.Logf("found: the change of %s%s is a cause, tier %s", root.Function, where, root.Tier)
	if f.cfg.Found != nil {
		if e := f.accepted.Find(root.Fingerprint); e != nil {
			how := e.Acceptance()
			root.Accepted = &how
		}
		root.Calls = summary.Calls(of) // which say what of it is secret
		f.cfg.Found(alone)
	}
}

// inside judges what only calls from inside packages show.
func (f *flow) inside(ctx context.Context) (err error) {
	if !f.called() {
		return nil
	}
	f.source.Inside, err = judge.Inside(ctx, f.found.Drivers, f.found.Calls.Judged, f.found.Calls.Generated.Inside)
	return err
}

// group groups the findings. What tests of new alone show comes last, so that of equals others lead.
func (f *flow) group() {
	last := func(of *diff.Finding) int {
		if of.Only {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(f.source.Calls, func(x, y *diff.Finding) int { return cmp.Compare(last(x), last(y)) })
	f.found.Findings = group.Shown(f.found.Drivers, f.source)
}

// emit writes tests for the findings.
func (f *flow) emit(ctx context.Context) (err error) {
	if f.cfg.Emit == "" || len(f.found.Findings) == 0 {
		return nil
	}
	f.env.Stage("emit")
	d := f.found.Drivers
	f.found.Findings, err = emit.Tests(ctx, f.env.Workers, emit.Config{
		Go: f.env.Go, Loaded: d.Plan.Targets(), Surface: d.Plan.Callable, Samples: d.Declared.Named,
		Folder: f.cfg.Emit, Revision: d.Plan.Given.Revisions(),
	}, f.found.Findings)
	return err
}
