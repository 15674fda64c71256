package shards

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/coverage"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Merge makes the report of a run of its parts, which are not used afterwards.
func Merge(parts []*Part) (*report.Report, error) {
	if len(parts) == 0 {
		return nil, errors.New("no shards to merge: want the files that compare --shard K/N --out part=FILE wrote")
	}
	for _, p := range parts[1:] {
		if err := p.OfRun(parts[0]); err != nil {
			return nil, err
		}
	}
	parts = slices.SortedStableFunc(slices.Values(parts), func(x, y *Part) int {
		return cmp.Compare(x.Shard.Number, y.Shard.Number)
	})
	for i, p := range parts[1:] {
		if before := parts[i]; before.Shard == p.Shard {
			return nil, fmt.Errorf("%s and %s are both shard %s: each counts once, leave one out", before.Name, p.Name,
				p.Shard)
		}
	}
	return together(parts)
}

// together makes the report of different parts of one run, in the order of their shards.
func together(parts []*Part) (*report.Report, error) {
	all := &Part{Accepted: parts[0].Accepted, Stages: addStages(parts), Workers: addWorkers(parts)}
	var folders []string
	for _, p := range parts {
		all.Warnings, all.Lacks = append(all.Warnings, p.Warnings...), append(all.Lacks, p.Lacks...)
		for _, m := range p.Modules {
			if !slices.Contains(folders, m.Folder) {
				folders = append(folders, m.Folder)
			}
		}
	}
	for _, folder := range folders {
		m, warnings, err := unite(parts, folder)
		if err != nil {
			return nil, err
		}
		all.Modules, all.Warnings = append(all.Modules, m), append(all.Warnings, warnings...)
	}
	all.Warnings = slices.DeleteFunc(all.Warnings, repeated())
	return all.Report()
}

// repeated returns what reports whether a text was there before.
func repeated() func(string) bool {
	seen := map[string]bool{}
	return func(text string) bool {
		before := seen[text]
		seen[text] = true
		return before
	}
}

// OfRun returns an error that names the first thing in which a part is not one of the run of another one, so that they
// can't be merged.
func (p *Part) OfRun(first *Part) error {
	type fact struct {
		name string
		x, y any
	}
	a, b := &first.Run, &p.Run
	facts := []fact{
		{"the number of shards", first.Shard.Of, p.Shard.Of},
		{"the version of the tool", a.Tool.Version, b.Tool.Version},
		{"the old commit", a.Old, b.Old},
		{"the new commit", a.New, b.New},
		{"the folder", a.Folder, b.Folder},
		{"the list of packages", listed(a.Packages), listed(b.Packages)},
		{"--no-proof", a.NoProof, b.NoProof},
		{"--allow-outside", listed(a.Outside), listed(b.Outside)},
		{"the list of opaque types", listed(a.Opaque), listed(b.Opaque)},
		{"the list of accepted findings", listed(first.Accepted), listed(p.Accepted)},
	}
	here := releases(first)
	for _, of := range slices.Sorted(maps.Keys(here)) {
		if other, both := releases(p)[of]; both {
			facts = append(facts, fact{"the Go release" + of, here[of], other})
		}
	}
	x, y := fields(a.Settings), fields(b.Settings)
	both := maps.Clone(x)
	maps.Copy(both, y)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		facts = append(facts, fact{"the setting " + name, x[name], y[name]})
	}
	for _, f := range facts {
		if old, other := text(f.x), text(f.y); old != other {
			return fmt.Errorf("%s is of another run than %s: %s is %s, not %s; merge the shards of one run",
				p.Name, first.Name, f.name, other, old)
		}
	}
	return nil
}

// releases returns the Go releases that built the modules of a part, by " of module " and their folders, "" where there
// is one module. A module that has no report in time has none.
func releases(p *Part) map[string]string {
	of := map[string]string{}
	for _, m := range p.Modules {
		if m.Report == nil || m.Report.Tool.Go == "" {
			continue
		}
		folder := ""
		if m.Folder != "" {
			folder = " of module " + m.Folder
		}
		of[folder] = m.Report.Tool.Go
	}
	return of
}

// listed returns a list that is the same whether the empty one was left out of a file or never written.
func listed[T any](list []T) []T { return append([]T{}, list...) }

// fields returns the fields of settings by their names in JSON.
func fields(s report.Settings) (fields map[string]any) {
	_ = json.Unmarshal([]byte(text(s)), &fields) // it was just made
	return fields
}

// text returns a value as JSON.
func text(value any) string {
	data, _ := json.Marshal(value) // it has numbers, texts and lists alone
	return string(data)
}

// addWorkers adds what other machines did, in the order of their names.
func addWorkers(parts []*Part) (all *report.Workers) {
	for _, p := range parts {
		all = all.Add(p.Workers)
	}
	return all
}

// addStages adds the costs of stages by their names, in the order in which they first began.
func addStages(parts []*Part) (all []report.Stage) {
	for _, p := range parts {
		for _, s := range p.Stages {
			i := slices.IndexFunc(all, func(of report.Stage) bool { return of.Name == s.Name })
			if i < 0 {
				all = append(all, s)
				continue
			}
			of := &all[i]
			of.Seconds, of.CPUSeconds = sum(of.Seconds, s.Seconds), sum(of.CPUSeconds, s.CPUSeconds)
			of.PeakBytes = max(of.PeakBytes, s.PeakBytes)
			of.StartedPeakBytes = max(of.StartedPeakBytes, s.StartedPeakBytes)
		}
	}
	return all
}

// sum adds durations that have one decimal.
func sum(x, y float64) float64 { return math.Round((x+y)*10) / 10 }

// unite makes one module of those in a folder that the parts have, with further warnings.
func unite(parts []*Part, folder string) (Module, []string, error) {
	all := Module{Folder: folder}
	var modules []*Module
	var of []shard.Shard
	var missing []int
	var warnings []string
	next := 1
	skip := func(until int) {
		for ; next < until; next++ {
			missing = append(missing, next)
		}
	}
	for _, p := range parts {
		i := slices.IndexFunc(p.Modules, func(m Module) bool { return m.Folder == folder })
		if i >= 0 && p.Modules[i].Report != nil {
			modules, of = append(modules, &p.Modules[i]), append(of, p.Shard)
			skip(p.Shard.Number)
			next++
		} else if i >= 0 {
			all.Failed = cmp.Or(all.Failed, p.Modules[i].Failed)
			warnings = append(warnings, fmt.Sprintf("shard %s: %s", p.Shard, p.Modules[i].Failed))
		}
	}
	if len(modules) == 0 {
		return all, nil, nil
	}
	skip(parts[0].Shard.Of + 1)
	all.Failed = ""
	if err := all.unite(modules, missing); err != nil {
		warnings = append(warnings, fmt.Sprintf("how much of the code ran is not known: shard %s: %v", of[0], err))
	}
	return all, warnings, all.Report.Finish(all.Report.Settings.FailOn)
}

// unite makes a report of those of modules of different shards. If shares can't be united, they are left out, and the
// error says why.
func (m *Module) unite(modules []*Module, missing []int) error {
	var reports []*report.Report
	var err error
	called := map[string]bool{}
	for _, of := range modules {
		reports = append(reports, of.Report)
		for _, operation := range of.Called {
			called[operation] = true
		}
		m.Recorded.Recorded += of.Recorded.Recorded
		m.Recorded.All += of.Recorded.All
		switch {
		case m.Extent == nil:
			m.Extent = of.Extent
		case of.Extent != nil && err == nil:
			m.Extent, err = m.Extent.With(of.Extent)
		}
	}
	m.Report = report.Unite(reports, missing)
	m.Report.Generation.OperationsReached = len(called)
	m.Report.Replay.Recorded = report.Share(int(m.Recorded.Recorded), int(m.Recorded.All))
	if err == nil && m.Extent != nil {
		Cover(m.Report, m.Extent)
	}
	return err
}

// Cover writes into a report how much of the code ran.
func Cover(r *report.Report, e *coverage.Extent) {
	all, changed, both := e.All(), e.Changed(), e.Comparable()
	r.Generation.StatementCoverage = report.Share(all.Covered, all.Statements)
	r.Generation.ChangedStatementCoverage = report.Share(changed.Covered, changed.Statements)
	r.Generation.ComparableStatementCoverage = report.Share(both.Covered, both.Statements)
	if concerned := e.Concerned(); changed.Statements == 0 {
		r.Generation.ConcernedStatementCoverage = report.Share(concerned.Covered, concerned.Statements)
	}
	for _, n := range e.OneWay() {
		at := report.Position{Side: n.Side, File: n.File, Line: n.Line}
		r.Generation.OneWay = append(r.Generation.OneWay, report.OneWay{Position: at, Was: n.Was, OnTheWay: n.OnTheWay})
	}
	for _, l := range e.Missed() {
		r.Subject.Missed = append(r.Subject.Missed,
			report.Position{Side: spectra.New, File: l.File, Line: l.Line, EndLine: l.EndLine})
	}
}
