package summary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/coverage"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/observe"
)

// Results are what the stages of a run found; those that were not reached are nil.
type Results struct {
	Plan     *plan.Plan
	Drivers  *drivers.Drivers
	Initial  judge.InitialValues
	Calls    Run // of what the module exports
	Warnings []string
	Lacks    []report.Lack   // beside dependencies
	Findings []*diff.Finding // that the report shows
	NoProof  bool            // none of them was to be proven
	Tests    Tests
	Handed   Run         // calls that begin with what tests handed over
	NewTests Tests       // those that old does not have so
	Commands Tests       // what running commands gave
	Source   Source      // of the versions; nil: their lines are not shown
	Shard    shard.Shard // whose tests ran
}

// Report writes what a run found into a report.
func Report(r *report.Report, found Results) {
	reportPlan(r, found.Plan)
	if b := found.Drivers; b != nil {
		reportDrivers(r, b)
		reportInitial(r, found.Initial)
		for _, name := range b.Touched.Unmentioned {
			r.Subject.Unmentioned = append(r.Subject.Unmentioned, string(name))
		}
	} else {
		r.Subject.OnlyAdds = found.Plan.Changes.OnlyAdds() || found.Plan.AddsPackages()
	}
	if g := found.Calls.Generated; g != nil {
		reportGenerated(r, found.Drivers, g)
	}
	if t := found.Tests; t.Drivers != nil {
		reportTests(r, t, found.Shard)
	}
	if g := found.Handed.Generated; g != nil {
		r.Tests.Handed = g.Stats.Sequences
		r.Warnings = append(append(r.Warnings, g.Warnings...), found.Handed.Warnings...)
	}
	if t := found.NewTests; t.Drivers != nil {
		reportNewTests(r, t, found.Shard)
	}
	if t := found.Commands; t.Drivers != nil {
		reportCommands(r, t)
	}
	if reportRuns(r, found); r.Replay.Sequences == 0 {
		r.Subject.Unchanged = found.Plan.Given.Unchanged()
	}
	r.Warnings = append(append(r.Warnings, found.Calls.Warnings...), found.Warnings...)
	r.Lacks = append(r.Lacks, found.Lacks...)
	places := found.places()
	for i, f := range found.Findings {
		root, deviations := Root(f)
		root.OnNil, root.OnNegative = f.OnNil, f.OnNegative
		if !found.NoProof {
			root.Proof = cmp.Or(root.Proof, untried(&root))
		}
		found.locate(&root, f.Cause, places)
		if i < report.MostCalls {
			root.Calls = Calls(f)
		}
		if found.Tests.Drivers != nil || found.NewTests.Drivers != nil || found.Commands.Drivers != nil {
			root.Test, root.Drivers = found.shownBy(f.Example.Case), found.drivers(f)
			root.Intended, root.Only = found.shownBy(f.Intended), f.Only
		}
		r.Add(root, deviations...)
	}
	if g := found.Calls.Generated; g != nil {
		reportContracts(r, g.Broken, found.Calls.Played)
	}
}

// reportPlan says what was compared.
func reportPlan(r *report.Report, p *plan.Plan) {
	old, new := p.Given.Old, p.Given.New
	r.Old = report.Revision{Revision: old.Commit.Revision, Commit: old.Commit.Hash}
	r.New = report.Revision{Revision: new.Commit.Revision, Commit: new.Commit.Hash}
	r.Subject.Module = new.Build.Path
	if new.Build.Rel != "." {
		r.Subject.Folder = new.Build.Rel
	}
	r.Warnings = append(r.Warnings, p.Warnings...)
	if p.Unfetched {
		r.Lacks = append(r.Lacks, report.LackDependencies)
	}
	r.Subject.Unapplied = p.Unapplied
	if target := p.Sides.New.Target; target != nil {
		r.Tool.Go = target.GoVersion
		if p.Common != nil { // else they are listed, but not loaded
			r.Subject.Loaded = &report.Loaded{Old: loaded(&p.Sides.Old), New: loaded(&p.Sides.New)}
		}
	}
	for _, f := range p.ChangedFunctions() {
		if p.Common == nil || !p.Elsewhere(f) { // what was renamed counts as one changed function
			r.Subject.ChangedFunctions = append(r.Subject.ChangedFunctions, string(f.Symbol))
		}
	}
	if p.Common != nil {
		if n := p.ForeignShapes(); n > 0 {
			r.Warnings = append(r.Warnings,
				fmt.Sprintf("%d types of dependencies gained or lost fields; those fields are not compared", n))
		}
		r.Subject.Packages, r.Subject.Beyond = len(p.Driven), len(p.Distant)
		r.Structural = structural(p)
	}
	r.Structural = append(r.Structural, wholePackages(p.OldOnly, p.NewOnly)...)
}

// wholePackages lists packages that only one version has.
func wholePackages(old, new []string) (list []report.Structural) {
	for _, path := range old {
		list = append(list, report.Structural{Function: path, Change: spectra.ChangeRemoved, Detail: "package"})
	}
	for _, path := range new {
		list = append(list, report.Structural{Function: path, Change: spectra.ChangeAdded, Detail: "package"})
	}
	return list
}

func loaded(s *plan.Side) report.Packages {
	return report.Packages{Source: len(s.Target.Packages), Exported: s.Target.Exported}
}

// structural lists what of the module exists in one version only, or has another name or shape.
func structural(p *plan.Plan) []report.Structural {
	var list []report.Structural
	for _, c := range p.Common.Structural() {
		if p.Borrowed(c.Symbol.Package()) {
			continue
		}
		list = append(list, report.Structural{
			Function: string(c.Symbol), Change: c.Change, Detail: c.Detail,
		})
	}
	for _, f := range p.Common.Renames() {
		if f.Kind == "const" || f.Kind == "receiver" || p.Borrowed(spectra.Symbol(f.Old).Package()) {
			continue // nothing of it runs; the signature says it
		}
		list = append(list, report.Structural{
			Function: string(f.Old), Change: spectra.ChangeRenamed,
			Detail: fmt.Sprintf("now %s, matched by %s", f.New, f.By()),
		})
	}
	for _, s := range p.Common.Shapes() {
		if p.OwnType(s.Type) {
			list = append(list, report.Structural{Function: s.Type, Change: spectra.ChangeType, Detail: s.String()})
		}
	}
	return append(list, wholePackages(p.OwnPackages(p.Common.OldOnly()), p.OwnPackages(p.Common.NewOnly()))...)
}

// reportDrivers says what both versions compare.
func reportDrivers(r *report.Report, d *drivers.Drivers) {
	r.Warnings = append(r.Warnings, d.Warnings...)
	if l := r.Subject.Loaded; l != nil {
		instrumented := d.Packages()
		l.Old.Instrumented, l.New.Instrumented = len(instrumented.Old), len(instrumented.New)
	}
	r.Subject.Functions, r.Subject.Refused = len(d.Matched), refused(d, r.Subject.ChangedFunctions)
	for _, t := range d.Reshaped {
		how := comparedBy(t.Observers, d.Compiled.Old.Binary.Patched)
		r.Structural = append(r.Structural, report.Structural{
			Function: t.Name, Change: spectra.ChangeType,
			Detail: fmt.Sprintf("representation changed (%s → %s), %s", t.Parts.Old, t.Parts.New, how),
		})
	}
}

// reportInitial lists the package variables that are no value before any call.
func reportInitial(r *report.Report, initial judge.InitialValues) {
	for _, v := range initial.Unstable {
		r.Noise.Sites = append(r.Noise.Sites, report.NoiseSite{
			Function: v.Name, Reason: fmt.Sprintf("differs between two runs of the %s version, before any call", v.In),
		})
	}
}

// comparedBy says how a type with another representation was compared.
func comparedBy(observers []observe.Observer, patched bool) string {
	var names []string
	for _, by := range observers {
		if !slices.Contains(names, by.Methods.Old) {
			names = append(names, by.Methods.Old)
		}
	}
	switch {
	case len(names) > 0 && !patched:
		return "its content is not compared: observers need a runtime that could be extended"
	case len(names) == 0:
		return "its content is not compared: no pure observer"
	case len(names) == 1:
		return "compared by its observer " + names[0]
	}
	return "compared by its observers " + strings.Join(names, ", ")
}

// reportGenerated says how the sequences came to be.
func reportGenerated(r *report.Report, d *drivers.Drivers, g *search.Generated) {
	r.Warnings = append(r.Warnings, g.Warnings...)
	r.Generation = report.Generation{
		Sequences: g.Stats.Sequences, Kept: g.Stats.Kept, Redundant: g.Stats.Redundant, Illegal: g.Stats.Illegal,
		Surplus: g.Stats.Surplus, Unplayed: g.Stats.Unplayed, Steps: g.Stats.Steps,
		OperationsReached: len(g.Stats.Reached), Seconds: report.Seconds(g.Elapsed),
	}
	for _, c := range g.Explored {
		r.Generation.Explored = append(r.Generation.Explored, report.Exploration(c))
	}
	for _, op := range d.Plan.Callable.Operations.Old {
		if !op.Supplier {
			r.Subject.Operations++
		}
	}
}

// reportRuns adds what playing and judging gave, of calls, tests and commands together.
func reportRuns(r *report.Report, found Results) {
	ran := found.ran()
	var played judge.Tally
	for _, p := range ran {
		reportPlayed(r, found.Drivers, p)
		played.Add(p.Tally)
	}
	r.Warnings = append(r.Warnings, played.Warnings()...)
	if len(ran) > 0 {
		reportCoverage(r, found, ran)
	}
	var left judge.Uncompared
	for _, of := range found.Runs() {
		if of.Judged != nil {
			reportJudged(r, of.Judged)
			found.reportUnjudged(r.Tests, of.Judged)
			reportNoise(&r.Noise, of.Judged)
			left.Add(of.Judged.Uncompared)
		}
	}
	r.Warnings = append(r.Warnings, left.Warnings()...)
	if r.Tests != nil && len(r.Tests.Unjudged) > 0 {
		r.Warnings = append(r.Warnings, unjudgedWarning(r.Tests.Unjudged))
	}
}

// reportPlayed adds what playing sequences on both versions gave.
func reportPlayed(r *report.Report, d *drivers.Drivers, p *judge.Played) {
	of := &r.Replay
	of.Sequences += len(p.Sequences) - len(p.Unplayed)
	of.FunctionExecutions += p.Executions
	of.Crashes += p.Crashes
	of.Timeouts += p.Timeouts
	of.EqualByReach += p.Pruning.Equal
	of.OutcomesOnly += len(p.Glanced.Indexes)
	of.OutcomesDifferent += p.Glanced.Different
	of.Truncated += p.Truncated
	of.Seconds = report.Seconds(p.Elapsed) + of.Seconds
	of.Unpruned = cmp.Or(of.Unpruned, d.Unpruned(p.Pruning.Failed))
	r.Exposure.Covering += p.Covering
	r.Exposure.Count += p.Reordered.Count
	r.Exposure.Trace += p.Reordered.Trace
}

// reportJudged counts the sequences in which each spectrum differs, and those that were not compared.
func reportJudged(r *report.Report, j *judge.Judged) {
	for _, e := range exposures(j) {
		for n, differs := range map[*int]bool{
			&r.Exposure.Hit: e.Hit, &r.Exposure.Count: e.Count,
			&r.Exposure.Trace: e.Trace, &r.Exposure.Output: e.Output,
		} {
			if differs {
				*n++
			}
		}
	}
	of := &r.Replay
	of.Lost += j.Uncompared.Lost
	of.EndedAlike += j.Uncompared.Alike
	of.Unplayed += j.Uncompared.Unplayed + j.Uncompared.Late
	if !j.Tests { // tests have little time, and tell of what ran all the same: they are named
		of.Incomplete += j.Uncompared.Changed
		of.Unjudged += j.Uncompared.Unjudged
	}
	of.LostAt = slices.Concat(of.LostAt, j.Uncompared.At, j.Uncompared.Skipped)
}

// reportNoise says what was left out of the comparison: of the sample's values, and of those of the
// sequences that deviate. Which of the others differ by noise alone is a matter of chance: it would
// make no two reports the same.
func reportNoise(r *report.Noise, j *judge.Judged) {
	r.Values += j.Calibrated.Values
	r.Masked += j.Calibrated.Masked
	all := j.Calibrated.Known.Shown(noise.Calibration)
	for _, s := range j.Suspects {
		v := j.Verdicts[s.Index]
		if v == nil || !v.Confirmed() {
			continue
		}
		values, masked := diff.Weigh(v.Recorded.Old, v.Known.Of(noise.Sequence, spectra.Old))
		r.Values += values
		r.Masked += masked
		all.Union(v.Known.Shown(noise.Sequence))
	}
	for _, site := range all.Sites() {
		path := strings.TrimSpace(string(site.State) + " " + string(site.Path))
		of := report.NoiseSite{Function: string(site.Function), Path: path, Reason: site.Reason}
		if !slices.Contains(r.Sites, of) { // the tests of the module may show it, too
			r.Sites = append(r.Sites, of)
		}
	}
}

// exposures returns for each sequence that deviates which of its spectra differ. A suspect that was not
// judged counts if one of its kind was confirmed.
func exposures(j *judge.Judged) []diff.Exposure {
	confirmed := judge.Kinds{}
	for _, v := range j.Verdicts {
		if v.Confirmed() {
			confirmed.Add(v.Suspect)
		}
	}
	var list []diff.Exposure
	for _, s := range j.Suspects {
		v := j.Verdicts[s.Index]
		switch {
		case v != nil && v.Confirmed():
			list = append(list, v.Comparison.Exposure)
		case v == nil && confirmed.Has(s):
			list = append(list, s.Exposure)
		}
	}
	return list
}

// unreached lists the changed functions that no sequence ran. Of what only one version has, which is a structural
// change, it lists what may act without being named, such as a method that an interface finds: where the others are
// called, a function changed that both have. What has no probes ran if a generated call of it did.
func unreached(found Results, executed spectra.Pair[map[uint32]bool]) []spectra.Symbol {
	var list []spectra.Symbol
	d := found.Drivers
	passive, alone, called := d.Plan.Changes.Passive(), d.Plan.Alone(), found.called()
	for _, f := range d.Plan.ChangedFunctions() {
		both, old := f.Old.File != "" && f.New.File != "", d.Plan.OldName(f.Symbol)
		if !both && (alone[old] == "" || passive(f)) || d.Plan.Elsewhere(f) || d.Plan.Common.Same(old) {
			continue
		}
		if !called[old] && !coverage.Executed(f, d.Packages(), executed) {
			list = append(list, f.Symbol)
		}
	}
	return list
}

// called returns the functions of old of which a generated call ran.
func (found *Results) called() map[spectra.Symbol]bool {
	all := map[spectra.Symbol]bool{}
	if g := found.Calls.Generated; g != nil {
		for _, op := range found.Drivers.Plan.Callable.Operations.Old {
			if slices.Contains(g.Stats.Reached, op.Name) {
				all[op.Symbol] = true
			}
		}
	}
	return all
}

// refused says of which of some functions, if they are exported, no call can be made, and why.
func refused(d *drivers.Drivers, functions []string) map[string]string {
	if len(functions) == 0 {
		return nil
	}
	reasons, refused := map[string]string{}, api.Refused(d.Plan.Sides.Old.Target, d.Plan.Driven)
	for _, name := range functions {
		if reason := refused[d.Plan.OldName(spectra.Symbol(name))]; reason != "" {
			reasons[name] = reason
		}
	}
	return reasons
}
