package pipeline

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/replay/coverage"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/summary"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/observe"
)

// results are the values of all stages; those that were not reached are nil.
type results struct {
	plan      *plan
	built     *built
	generated *generated
	played    *judge.Played
	tried     *tried
	findings  []*diff.Finding // that the report shows
}

// makeReport fills the report and decides its verdict.
func makeReport(cfg Config, found results) (*report.Report, error) {
	r := &report.Report{
		Tool: report.Tool{Version: cfg.Tool, Go: runtime.Version()},
		Settings: report.Settings{
			Seed: cfg.Seed, Sequences: cfg.Sequences, BudgetSeconds: cfg.generating().Seconds(), BudgetAuto: cfg.Auto,
			Drive: cfg.Drive, Sandbox: "none", All: cfg.All, Deps: cfg.Deps, Renames: cfg.Renames,
			Explore: cfg.Explore, Redundancy: cfg.Redundant,
		},
	}
	found.plan.report(r)
	if b := found.built; b != nil {
		b.report(r)
	}
	if g := found.generated; g != nil {
		g.report(r)
	}
	if p := found.played; p != nil {
		reportPlayed(r, found.built, p)
	}
	if j := found.tried; j != nil {
		reportJudged(r, found.built, j)
	}
	for _, f := range found.findings {
		root, deviations := summary.Root(f)
		r.Add(root, deviations...)
	}
	if g := found.generated; g != nil {
		reportContracts(r, g.found.Broken, found.played)
	}
	if err := r.Finish(report.FailOn(cfg.FailOn)); err != nil {
		return nil, err
	}
	return r, nil
}

// reportStages says what the run took.
func reportStages(r *report.Report, e *env.Environment) {
	for _, s := range e.Stages() {
		r.Stages = append(r.Stages, report.Stage{
			Name: s.Name, Seconds: report.Seconds(s.Elapsed), CPUSeconds: report.Seconds(s.CPU),
			PeakBytes: s.Peak, StartedPeakBytes: s.Started,
		})
		e.Detailf("%-9s %6.1f s, %6.1f s of processors, %5d MB, %5d MB in what was started",
			s.Name, s.Elapsed.Seconds(), s.CPU.Seconds(), s.Peak>>20, s.Started>>20)
	}
}

// report says what was compared.
func (p *plan) report(r *report.Report) {
	old, new := p.given.Old, p.given.New
	r.Old = report.Revision{Revision: old.Commit.Revision, Commit: old.Commit.Hash}
	r.New = report.Revision{Revision: new.Commit.Revision, Commit: new.Commit.Hash}
	r.Subject.Module = new.Build.Path
	r.Warnings = append(r.Warnings, p.warnings...)
	if p.sandbox != "" {
		r.Settings.Sandbox = p.sandbox
	}
	if target := p.sides.New.target; target != nil {
		r.Tool.Go = target.GoVersion
	}
	for _, f := range p.changedFunctions() {
		if p.common == nil || !p.elsewhere(f) { // what was renamed counts as one changed function
			r.Subject.ChangedFunctions = append(r.Subject.ChangedFunctions, string(f.Symbol))
		}
	}
	if p.common != nil {
		if n := p.foreignShapes(); n > 0 {
			r.Warnings = append(r.Warnings,
				fmt.Sprintf("%d types of dependencies gained or lost fields; those fields are not compared", n))
		}
		r.Subject.Packages = len(p.driven)
		r.Structural = p.structural()
	}
}

// structural lists what of the module exists in one version only, or has another name or shape.
func (p *plan) structural() []report.Structural {
	var list []report.Structural
	for _, c := range p.common.Structural() {
		if p.borrowed(c.Symbol.Package()) {
			continue
		}
		list = append(list, report.Structural{
			Function: string(c.Symbol), Change: spectra.Change(c.Change), Detail: c.Detail,
		})
	}
	for _, f := range p.common.Renames() {
		if f.Kind == "const" || f.Kind == "receiver" || p.borrowed(spectra.Symbol(f.Old).Package()) {
			continue // nothing of it runs; the signature says it
		}
		list = append(list, report.Structural{
			Function: string(f.Old), Change: spectra.ChangeRenamed,
			Detail: fmt.Sprintf("now %s, matched by %s", f.New, f.By()),
		})
	}
	for _, s := range p.common.Shapes() {
		if p.ownType(s.Type) {
			list = append(list, report.Structural{Function: s.Type, Change: spectra.ChangeType, Detail: s.String()})
		}
	}
	for _, path := range p.ownPackages(p.common.OldOnly()) {
		list = append(list, report.Structural{Function: path, Change: spectra.ChangeRemoved, Detail: "package"})
	}
	for _, path := range p.ownPackages(p.common.NewOnly()) {
		list = append(list, report.Structural{Function: path, Change: spectra.ChangeAdded, Detail: "package"})
	}
	return list
}

// report says what both versions compare.
func (b *built) report(r *report.Report) {
	r.Warnings = append(r.Warnings, b.warnings...)
	r.Subject.Functions, r.Subject.Refused = len(b.matched), b.refused(r.Subject.ChangedFunctions)
	for _, t := range b.reshaped {
		how := comparedBy(t.Observers, b.drivers.Old.binary.Patched)
		r.Structural = append(r.Structural, report.Structural{
			Function: t.Name, Change: spectra.ChangeType,
			Detail: fmt.Sprintf("representation changed (%s → %s), %s", t.Parts.Old, t.Parts.New, how),
		})
	}
	for _, v := range b.initial.Unstable {
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

// report says how the sequences came to be.
func (g *generated) report(r *report.Report) {
	r.Warnings = append(r.Warnings, g.warnings...)
	r.Generation = report.Generation{
		Sequences: g.stats.Sequences, Kept: g.stats.Kept, Redundant: g.stats.Redundant, Illegal: g.stats.Illegal,
		Surplus: g.stats.Surplus, Unplayed: g.stats.Unplayed, Steps: g.stats.Steps,
		OperationsReached: len(g.stats.Reached), Seconds: g.seconds,
	}
	for _, c := range g.found.Explored {
		r.Generation.Explored = append(r.Generation.Explored, report.Exploration(c))
	}
	for _, op := range g.callable.Operations.Old {
		if !op.Supplier {
			r.Subject.Operations++
		}
	}
}

// reportPlayed says what playing the sequences on both versions gave.
func reportPlayed(r *report.Report, b *built, p *judge.Played) {
	r.Warnings = append(r.Warnings, p.Tally.Warnings()...)
	r.Replay = report.Replay{
		Sequences: len(p.Sequences) - len(p.Unplayed), FunctionExecutions: p.Executions,
		Crashes: p.Crashes, Timeouts: p.Timeouts,
		EqualByReach: p.Pruning.Equal, Unpruned: b.unpruned(p.Pruning.Failed),
		OutcomesOnly: len(p.Glanced.Indexes), OutcomesDifferent: p.Glanced.Different,
		Seconds: report.Seconds(p.Elapsed),
	}
	r.Replay.Recorded, r.Exposure.Covering = recordedShare(p), p.Covering
	all, changed := coverage.Of(b.packages(), b.watched, p.Hits)
	r.Generation.StatementCoverage = report.Share(all.Covered, all.Statements)
	r.Generation.ChangedStatementCoverage = report.Share(changed.Covered, changed.Statements)
	for _, n := range coverage.NewBranches(b.packages(), b.changes).OneWay(p.Hits) {
		at := report.Position{Side: n.Side, File: n.File, Line: n.Line}
		r.Generation.OneWay = append(r.Generation.OneWay, report.OneWay{Position: at, Was: n.Was})
	}
	for _, f := range b.unreached(p.Hits) {
		r.Subject.Unreached = append(r.Subject.Unreached, string(f))
	}
	r.Subject.Missed = positionsIn(spectra.New,
		coverage.Missed(b.changedFunctions(), b.versions.New.packages, b.watched.New, p.Hits.New))
}

// recordedShare returns the share of what all sequences run on old that was recorded.
func recordedShare(p *judge.Played) *float64 {
	var all int64
	for _, q := range p.Sequences {
		all += q.Steps
	}
	return report.Share(int(min(p.Steps, all)), int(all))
}

// reportJudged lists what was confirmed, and its roots.
func reportJudged(r *report.Report, b *built, j *tried) {
	for _, e := range exposures(j.Judged) {
		for n, differs := range map[*int]bool{
			&r.Exposure.Hit: e.Hit, &r.Exposure.Count: e.Count,
			&r.Exposure.Trace: e.Trace, &r.Exposure.Output: e.Output,
		} {
			if differs {
				*n++
			}
		}
	}
	r.Warnings = append(r.Warnings, j.Uncompared.Warnings()...)
	r.Replay.Lost, r.Replay.EndedAlike = j.Uncompared.Lost, j.Uncompared.Alike
	r.Replay.Unplayed, r.Replay.Incomplete = j.Uncompared.Unplayed+j.Uncompared.Late, j.Uncompared.Changed
	r.Replay.LostAt = slices.Concat(j.Uncompared.At, j.Uncompared.Skipped)
	r.Warnings = append(r.Warnings, j.warnings...)
	reportNoise(&r.Noise, j.Judged)
}

// reportNoise says what was left out of the comparison: of the sample's values, and of those of the
// sequences that deviate. Which of the others differ by noise alone is a matter of chance: it would
// make no two reports the same.
func reportNoise(r *report.Noise, j *judge.Judged) {
	r.Values, r.Masked = j.Calibrated.Values, j.Calibrated.Masked
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
		r.Sites = append(r.Sites, report.NoiseSite{Function: string(site.Function), Path: path, Reason: site.Reason})
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
