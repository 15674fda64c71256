package pipeline

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/group"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/proof"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/report/summary"
	"github.com/spectradiff/spectradiff/internal/spectra"
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

// search searches the sequences that both versions will play. Drivers with tests are built at the same time.
func (f *flow) search(ctx context.Context) (err error) {
	if !f.drives(DriveAPI) || len(f.found.Plan.Callable.Operations.Old) == 0 {
		return nil
	}
	if f.runsTests() && f.ahead == nil { // or another shard builds them
		settings := search.Settings{Run: f.cfg.Run, Building: f.building(keptForTests)}
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
