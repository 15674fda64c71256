package summary

import (
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay/coverage"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/shards"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Module returns the report of a module with what it says in numbers alone, so that shards can be united.
func Module(r *report.Report, found Results) shards.Module {
	m := shards.Module{Report: r}
	if ran := found.ran(); len(ran) > 0 {
		m.Extent, m.Recorded = extent(found.Drivers, found.hits(ran)), recorded(ran)
	}
	if g := found.Calls.Generated; g != nil {
		m.Called = g.Stats.Reached
	}
	m.Tests, m.NewTests = found.names(found.Tests), found.names(found.NewTests)
	if runs := found.Commands.Runs; len(runs) > 0 {
		m.Commands = runs[0].Generated.Lines
	}
	return m
}

// names returns the names of the tests that ran: those of the shard.
func (found *Results) names(t Tests) (names []string) {
	if t.Drivers == nil {
		return nil
	}
	for _, of := range search.Own(found.Shard, t.Drivers.Tests()) {
		names = append(names, of.Symbol.Package()+"."+of.Expr)
	}
	return names
}

// ran returns what was played.
func (found *Results) ran() (list []*judge.Played) {
	for _, of := range found.Runs() {
		if of.Played != nil {
			list = append(list, of.Played)
		}
	}
	return list
}

// hits returns the numbers of the blocks that ran, also before any call: what these leave in package variables was
// compared. Where they may have left something elsewhere, only calls count.
func (found *Results) hits(ran []*judge.Played) spectra.Pair[map[uint32]bool] {
	return spectra.MakePair(func(s spectra.Side) map[uint32]bool {
		all := map[uint32]bool{}
		if !found.Drivers.Touched.Outward {
			maps.Copy(all, *found.Initial.Ran.Of(s))
		}
		for _, p := range ran {
			maps.Copy(all, *p.Hits.Of(s))
		}
		return all
	})
}

func extent(d *drivers.Drivers, hits spectra.Pair[map[uint32]bool]) *coverage.Extent {
	branches := coverage.NewBranches(d.Packages(), d.Plan.Changes)
	return coverage.Measure(d.Plan.ChangedFunctions(), d.Packages(), branches, d.Watched, hits, d.Touched.Blocks)
}

// recorded returns how much of what all sequences run on old was recorded.
func recorded(ran []*judge.Played) (of shards.Recorded) {
	for _, p := range ran {
		var steps int64
		for _, q := range p.Sequences {
			steps += q.Steps
		}
		of.Recorded, of.All = of.Recorded+min(p.Steps, steps), of.All+steps
	}
	return of
}

// reportCoverage says what of the code ran.
func reportCoverage(r *report.Report, found Results, ran []*judge.Played) {
	d, of, hits := found.Drivers, recorded(ran), found.hits(ran)
	r.Replay.Recorded = report.Share(int(of.Recorded), int(of.All))
	shards.Cover(r, extent(d, hits))
	missing := unreached(found, hits)
	for _, f := range missing {
		r.Subject.Unreached = append(r.Subject.Unreached, string(f))
	}
	r.Subject.Why = d.WhyUnreached(missing, r.Subject.Refused, hits.Old)
	for _, f := range d.Plan.ChangedFunctions() {
		if slices.Contains(missing, f.Symbol) && coverage.Executed(f, d.Packages(), found.Initial.Ran) {
			r.Subject.Why[string(f.Symbol)] = startsOnly
		}
	}
}

// startsOnly is why what ran before any call counts as not reached.
const startsOnly = "only the start of the program runs it; what it leaves outside of package variables is not compared"
