package summary

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/group"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/replay/outside"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/replay/versions"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// twoVersions returns a plan of two commits in which F and a variable changed.
func twoVersions() *plan.Plan {
	p := &plan.Plan{
		Changes: &source.Changes{
			Files: []source.FileChange{{Path: "v.go", Kind: source.GoFile}},
			Declarations: []source.Change{
				{Symbol: "m.F", Kind: source.Function, What: spectra.ChangeModified},
				{
					Symbol: "m.V", Kind: source.Variable, What: spectra.ChangeModified,
					New: spectra.Lines{File: "v.go", Line: 3, EndLine: 4},
				},
			},
		},
		Warnings: []string{"first", "second"},
	}
	p.Given = &versions.Versions{Changes: p.Changes}
	for _, s := range spectra.Sides() {
		p.Given.Of(s).Build = &outside.Checked{Module: module.Module{Path: "m"}}
	}
	p.Given.Old.Commit = repository.Commit{Revision: "v1", Hash: "1111"}
	p.Given.New.Commit = repository.Commit{Revision: "v2", Hash: "2222"}
	return p
}

// TestReportOfPlan: where the flow ends early, the report says what is known, and that nothing was compared.
func TestReportOfPlan(t *testing.T) {
	r := new(report.Report)
	p := twoVersions()
	p.Unfetched = true
	Report(r, Results{Plan: p, Lacks: []report.Lack{report.LackTests}})
	if err := r.Finish(report.FailAny); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.Lacks, []report.Lack{report.LackDependencies, report.LackTests}) {
		t.Errorf("lacks %v", r.Lacks)
	}
	if r.Old.Commit != "1111" || r.New.Revision != "v2" || r.Subject.Module != "m" {
		t.Errorf("got %+v, %+v, %+v", r.Old, r.New, r.Subject)
	}
	changed := []string{"m.F"}
	if !slices.Equal(r.Subject.ChangedFunctions, changed) || !slices.Equal(r.Subject.Unreached, changed) {
		t.Errorf("changed %v, of those not reached %v; want m.F", r.Subject.ChangedFunctions, r.Subject.Unreached)
	}
	if !slices.Equal(r.Warnings, []string{"first", "second"}) {
		t.Errorf("warnings %q", r.Warnings)
	}
	if r.Verdict != report.NotReached || r.Exit != 0 || r.Subject.Unchanged != "" {
		t.Errorf("verdict %s, exit status %d, unchanged: %q", r.Verdict, r.Exit, r.Subject.Unchanged)
	}
}

// TestReportOfNothing: where no run could show a difference, the report says why.
func TestReportOfNothing(t *testing.T) {
	given := twoVersions().Given
	given.Changes = &source.Changes{}
	r := new(report.Report)
	Report(r, Results{Plan: plan.Nothing(given)})
	if err := r.Finish(report.FailAny); err != nil {
		t.Fatal(err)
	}
	if r.Verdict != report.Same || r.Subject.Unchanged != "the two versions have the same files" {
		t.Errorf("verdict %s, unchanged: %q", r.Verdict, r.Subject.Unchanged)
	}
}

// TestReportOfVariables: what differs before any call is a root, and what varies then is noise.
func TestReportOfVariables(t *testing.T) {
	p := twoVersions()
	p.Changes.Declarations = p.Changes.Declarations[1:] // without F, which nothing could run
	var err error
	if p.Common, err = match.Versions(match.Version{Module: "m"}, match.Version{Module: "m"}, nil); err != nil {
		t.Fatal(err)
	}
	p.Callable = &api.Surface{}
	states := spectra.Pair[spectra.State]{Old: difftest.State("m.V=1"), New: difftest.State("m.V=2")}
	initial := judge.InitialValues{
		Differing: []judge.DifferingVariable{{Name: "m.V", States: states}},
		Unstable:  []judge.UnstableVariable{{Name: "m.W", In: spectra.New}},
	}
	b := &drivers.Drivers{Plan: p, Warnings: []string{"third", "first"}}
	j := &judge.Judged{Played: &judge.Played{Subject: &judge.Subject{}}}
	r := new(report.Report)
	Report(r, Results{
		Plan: p, Drivers: b, Initial: initial, Calls: Run{Generated: &search.Generated{}, Played: j.Played, Judged: j},
		Findings: group.Shown(b, group.Source{Initial: initial}),
	})
	if err := r.Finish(report.FailAny); err != nil {
		t.Fatal(err)
	}
	if len(r.Roots) != 1 {
		t.Fatalf("got roots %+v, want one", r.Roots)
	}
	if root := r.Roots[0]; root.Function != "m.V" || root.Change != spectra.ChangeVariable || root.Position.Line != 3 {
		t.Errorf("got root %+v, want the variable", root)
	}
	if d := r.Deviations[0]; d.Old != "1" || d.New != "2" || d.Reach != spectra.Visible {
		t.Errorf("got %+v, want 1 → 2, which a caller sees", d)
	}
	if !slices.Equal(r.Warnings, []string{"first", "second", "third"}) {
		t.Errorf("warnings %q: want them in the order of the stages, each once", r.Warnings)
	}
	if len(r.Noise.Sites) != 1 || r.Noise.Sites[0].Function != "m.W" {
		t.Errorf("noise %+v, want the variable that varies", r.Noise.Sites)
	}
}
