package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

func finish(t *testing.T, r *report.Report, failOn report.FailOn) *report.Report {
	t.Helper()
	if err := r.Finish(failOn); err != nil {
		t.Fatal(err)
	}
	return r
}

func root(function string, reach spectra.Reach) report.Root {
	return report.Root{Function: function, Change: spectra.ChangeModified, Confidence: spectra.Likely, Reach: reach}
}

func TestAdd(t *testing.T) {
	r := new(report.Report)
	r.Add(root("m.F", ""), report.Deviation{Kind: spectra.KindContainer, Function: "m.F"},
		report.Deviation{Kind: spectra.KindFollower, Function: "m.G", Reach: spectra.Visible})
	r.Add(root("m.H", ""), report.Deviation{Kind: spectra.KindContainer, Function: "m.H"})
	finish(t, r, report.FailAny)

	var ids, roots []string
	for _, deviation := range r.Deviations {
		ids = append(ids, deviation.ID)
		roots = append(roots, string('0'+rune(deviation.Root)))
	}
	if got := strings.Join(ids, " "); got != "d1 d2 d3" {
		t.Errorf("ids %s", got)
	}
	if got := strings.Join(roots, " "); got != "1 1 2" {
		t.Errorf("roots %s", got)
	}
	if got := r.Roots[0]; got.Rank != 1 || got.Reach != spectra.Visible ||
		!slices.Equal(got.Deviations, []string{"d1", "d2"}) {
		t.Errorf("first root %+v: want rank 1, visible through d2, d1 and d2", got)
	}
	if got := r.Roots[1]; got.Rank != 2 || got.Reach != spectra.Masked ||
		!slices.Equal(got.Deviations, []string{"d3"}) {
		t.Errorf("second root %+v: want rank 2, masked, d3", got)
	}
}

func TestVerdict(t *testing.T) {
	for _, test := range []struct {
		reason  string
		change  func(*report.Report)
		failOn  report.FailOn
		verdict report.Verdict
		exit    int
	}{
		{"nothing found", func(*report.Report) {}, report.FailAny, report.Same, 0},
		{"structural changes are no deviations", func(r *report.Report) {
			r.Structural = []report.Structural{{Function: "m.F", Change: spectra.ChangeAdded}}
		}, report.FailAny, report.Same, 0},
		{"masked counts by default", func(r *report.Report) { r.Add(root("m.F", spectra.Masked)) }, report.FailAny,
			report.Deviates, 1},
		{"masked does not count", func(r *report.Report) { r.Add(root("m.F", spectra.Masked)) }, report.FailVisible,
			report.Deviates, 0},
		{"visible counts", func(r *report.Report) { r.Add(root("m.F", spectra.Visible)) }, report.FailVisible,
			report.Deviates, 1},
		{"nothing counts", func(r *report.Report) { r.Add(root("m.F", spectra.Visible)) }, report.FailNone,
			report.Deviates, 0},
		{"much that ran changed code was lost", func(r *report.Report) { r.Replay.Incomplete = 2 }, report.FailAny,
			report.Incomplete, 2},
		{"then no value of the flag helps", func(r *report.Report) { r.Replay.Incomplete = 2 }, report.FailNone,
			report.Incomplete, 2},
		{"a few were lost, others ran the change", func(r *report.Report) { r.Replay.Incomplete = 1 }, report.FailAny,
			report.Same, 0},
		{"one that seemed to deviate was lost", func(r *report.Report) {
			r.Replay.Incomplete, r.Replay.Unjudged = 1, 1
		}, report.FailAny, report.Incomplete, 2},
		{"the only one that ran the change was lost", func(r *report.Report) {
			r.Replay.Incomplete, r.Generation.ComparableStatementCoverage = 1, new(float64)
		}, report.FailAny, report.NotReached, 0},
		{"one was lost, others ran little of the change", func(r *report.Report) {
			r.Replay.Incomplete, r.Generation.ComparableStatementCoverage = 1, share(0.2)
		}, report.FailAny, report.NotReached, 0},
		{"enough of the change ran", func(r *report.Report) { r.Generation.ComparableStatementCoverage = share(0.5) },
			report.FailNotReached, report.Same, 0},
		{"too little ran", func(r *report.Report) { r.Generation.ComparableStatementCoverage = share(0.49) },
			report.FailAny, report.NotReached, 0},
		{"too little ran, and that counts", func(r *report.Report) {
			r.Generation.ComparableStatementCoverage = share(0.49)
		}, report.FailNotReached, report.NotReached, 1},
		{"deviations count with that flag, too", func(r *report.Report) { r.Add(root("m.F", spectra.Masked)) },
			report.FailNotReached, report.Deviates, 1},
		{"no statement changed, but a function that nothing ran", func(r *report.Report) {
			r.Subject.ChangedFunctions, r.Subject.Unreached = []string{"m.F"}, []string{"m.F"}
		}, report.FailAny, report.NotReached, 0},
		{"no statement changed, and nothing ran that the change may touch", func(r *report.Report) {
			r.Generation.ConcernedStatementCoverage = new(float64)
		}, report.FailAny, report.NotReached, 0},
		{"no statement changed, and some ran that the change may touch", func(r *report.Report) {
			r.Generation.ConcernedStatementCoverage = share(0.1)
		}, report.FailAny, report.Same, 0},
		{"no statement changed, but lines that no program has", func(r *report.Report) {
			r.Subject.Unapplied = []string{"m/cmd"}
			r.Generation.ConcernedStatementCoverage = share(0.1)
		}, report.FailAny, report.NotReached, 0},
		{"no statement changed, but a constant that nothing mentions", func(r *report.Report) {
			r.Subject.Unmentioned = []string{"m.C"}
		}, report.FailAny, report.NotReached, 0},
		{"such a constant, and statements that ran", func(r *report.Report) {
			r.Subject.Unmentioned = []string{"m.C"}
			r.Generation.ComparableStatementCoverage = share(0.5)
		}, report.FailAny, report.Same, 0},
		{"such lines, and statements that ran", func(r *report.Report) {
			r.Subject.Unapplied = []string{"m/cmd"}
			r.Generation.ComparableStatementCoverage = share(0.5)
		}, report.FailAny, report.Same, 0},
		{"no function changed, and nothing was played of what was loaded", func(r *report.Report) {
			r.Subject.Loaded = &report.Loaded{}
			r.Replay.Sequences = 0
		}, report.FailAny, report.NotReached, 0},
		{"the change concerns no package", func(r *report.Report) { r.Replay.Sequences = 0 }, report.FailAny,
			report.Same, 0},
		{"other sequences were lost", func(r *report.Report) { r.Replay.Lost, r.Replay.EndedAlike = 3, 2 },
			report.FailAny, report.Same, 0},
		{"a deviation counts for more than what was lost", func(r *report.Report) {
			r.Replay.Incomplete = 1
			r.Add(root("m.F", spectra.Masked))
		}, report.FailAny, report.Deviates, 1},
		{"all was lost", func(r *report.Report) {
			r.Subject.ChangedFunctions = []string{"m.F"}
			r.Replay.Sequences, r.Replay.Incomplete = 0, 4
		}, report.FailAny, report.Incomplete, 2},
		{"interrupted, and calls fail", func(r *report.Report) {
			r.Partial = &report.Partial{Reason: report.Interrupted}
			of := root("m.F", spectra.Masked)
			of.Tier = spectra.TierCalls
			r.Add(of)
		}, "calls", report.Deviates, 2},
		{"changed, and nothing was played", func(r *report.Report) {
			r.Subject.ChangedFunctions = []string{"m.F"}
			r.Replay.Sequences = 0
		}, report.FailAny, report.NotReached, 0},
	} {
		r := &report.Report{Replay: report.Replay{Sequences: 10}}
		test.change(r)
		finish(t, r, test.failOn)
		if r.Verdict != test.verdict || r.Exit != test.exit {
			t.Errorf("%s, fail on %s: %s with exit %d, want %s with %d", test.reason, test.failOn, r.Verdict, r.Exit,
				test.verdict, test.exit)
		}
	}
}

func share(s float64) *float64 { return &s }

func TestUnknownFailOn(t *testing.T) {
	if err := new(report.Report).Finish("some"); err == nil || !strings.Contains(err.Error(), `"some"`) {
		t.Errorf("error %v, want one that names the value", err)
	}
}

func TestFinishOrders(t *testing.T) {
	r := &report.Report{
		Subject: report.Subject{ChangedFunctions: []string{"m.G", "m.F", "m.G"}},
		Structural: []report.Structural{{Function: "m.B", Change: spectra.ChangeAdded},
			{Function: "m.A", Change: spectra.ChangeRemoved}, {Function: "m.B", Change: spectra.ChangeAdded}},
		Noise: report.Noise{Sites: []report.NoiseSite{{Function: "m.F", Path: "ret1"},
			{Function: "m.F", Path: "ret0"}}},
		Warnings: []string{"z", "a", "z"},
		Replay:   report.Replay{Sequences: 1},
	}
	finish(t, r, report.FailAny)
	if got := strings.Join(r.Subject.ChangedFunctions, " "); got != "m.F m.G" {
		t.Errorf("changed functions %s: want them sorted, once each", got)
	}
	if len(r.Structural) != 2 || r.Structural[0].Function != "m.A" {
		t.Errorf("structural %v: want them sorted, once each", r.Structural)
	}
	if r.Noise.Sites[0].Path != "ret0" {
		t.Errorf("noise sites %v: want them sorted", r.Noise.Sites)
	}
	if got := strings.Join(r.Warnings, " "); got != "z a" {
		t.Errorf("warnings %s: want the order of the stages, once each", got)
	}
}

// TestFinishLeavesListsOfTheCaller checks that Finish does not sort the caller's own lists.
func TestFinishLeavesListsOfTheCaller(t *testing.T) {
	sites := []report.NoiseSite{{Function: "m.G"}, {Function: "m.F"}, {Function: "m.F"}}
	changes := []report.Structural{{Function: "m.B"}, {Function: "m.A"}, {Function: "m.A"}}
	changed := []string{"m.G", "m.F", "m.F"}
	wasSites, wasChanges, wasChanged := slices.Clone(sites), slices.Clone(changes), slices.Clone(changed)
	r := &report.Report{Noise: report.Noise{Sites: sites}, Structural: changes}
	r.Subject.ChangedFunctions = changed
	finish(t, r, report.FailAny)
	if !slices.Equal(sites, wasSites) || !slices.Equal(changes, wasChanges) || !slices.Equal(changed, wasChanged) {
		t.Errorf("the caller's lists became %v, %v and %v", sites, changes, changed)
	}
	if len(r.Noise.Sites) != 2 || len(r.Structural) != 2 || len(r.Subject.ChangedFunctions) != 2 {
		t.Errorf("the report's lists are %v, %v and %v", r.Noise.Sites, r.Structural, r.Subject.ChangedFunctions)
	}
}

func TestFingerprints(t *testing.T) {
	first := func(root report.Root, deviation report.Deviation) (string, string) {
		r := new(report.Report)
		r.Add(root, deviation)
		return r.Roots[0].Fingerprint, r.Deviations[0].Fingerprint
	}
	base := report.Root{Function: "m.F.func1", Change: spectra.ChangeModified, Basis: "old new",
		Position: &report.Position{Line: 3}}
	deviation := report.Deviation{Function: "m.F.func1", Kind: spectra.KindContainer, Path: `recv.items[2]["a]"].n`,
		Old: "3", New: "4"}
	baseRoot, baseDeviation := first(base, deviation)
	for _, test := range []struct {
		reason                  string
		change                  func(*report.Root, *report.Deviation)
		sameRoot, sameDeviation bool
	}{
		{"a line moved", func(r *report.Root, _ *report.Deviation) { r.Position = &report.Position{Line: 40} }, true,
			true},
		{"a literal was added before", func(r *report.Root, _ *report.Deviation) { r.Function = "m.F.func2.1" }, true,
			true},
		{"another index, key and value",
			func(_ *report.Root, d *report.Deviation) { d.Path, d.Old = `recv.items[17]["\"b"].n`, "9" }, true, true},
		{"another field", func(_ *report.Root, d *report.Deviation) { d.Path = `recv.items[2]["a]"].m` }, true, false},
		{"another kind", func(_ *report.Root, d *report.Deviation) { d.Kind = spectra.KindFollower }, true, false},
		{"another function deviates", func(_ *report.Root, d *report.Deviation) { d.Function = "m.G" }, true, false},
		{"another edit of the same function", func(r *report.Root, _ *report.Deviation) { r.Basis = "old newer" },
			false, false},
		{
			"another change", func(r *report.Root, _ *report.Deviation) { r.Change = spectra.ChangeRemoved },
			false, false,
		},
		{"another function", func(r *report.Root, _ *report.Deviation) { r.Function = "m.G.func1" }, false, false},
	} {
		changedRoot, changedDeviation := base, deviation
		test.change(&changedRoot, &changedDeviation)
		gotRoot, gotDeviation := first(changedRoot, changedDeviation)
		if (gotRoot == baseRoot) != test.sameRoot || (gotDeviation == baseDeviation) != test.sameDeviation {
			t.Errorf("%s: root same %v, deviation same %v; want %v, %v", test.reason, gotRoot == baseRoot,
				gotDeviation == baseDeviation, test.sameRoot, test.sameDeviation)
		}
	}
}

func TestValidate(t *testing.T) {
	valid := func() *report.Report {
		r := &report.Report{Structural: []report.Structural{{Function: "m.A"}, {Function: "m.B"}}}
		r.Add(root("m.F", spectra.Visible), report.Deviation{Kind: spectra.KindContainer, Function: "m.F"})
		r.Add(root("m.G", spectra.Masked), report.Deviation{Kind: spectra.KindContainer, Function: "m.G"})
		return finish(t, r, report.FailAny)
	}
	for _, test := range []struct {
		want   string
		breaks func(*report.Report)
	}{
		{"schema", func(r *report.Report) { r.Schema = "spectradiff/0" }},
		{"has rank", func(r *report.Report) { r.Roots[1].Rank = 3 }},
		{"no function", func(r *report.Report) { r.Roots[0].Function = "" }},
		{"no fingerprint", func(r *report.Report) { r.Roots[0].Fingerprint = "" }},
		{"without a proof", func(r *report.Report) { r.Roots[0].Confidence = spectra.Confirmed }},
		{"which does not exist", func(r *report.Report) { r.Roots[0].Deviations = []string{"d7"} }},
		{"which has root", func(r *report.Report) { r.Roots[0].Deviations = []string{"d2"} }},
		{"is visible", func(r *report.Report) { r.Deviations[1].Reach = spectra.Visible }},
		{"has id", func(r *report.Report) { r.Deviations[0].ID = "e1"; r.Roots[0].Deviations = nil }},
		{"names root 9", func(r *report.Report) { r.Deviations[0].Root = 9; r.Roots[0].Deviations = nil }},
		{"does not name it", func(r *report.Report) { r.Roots[0].Deviations = nil }},
		{"structural changes are not in order", func(r *report.Report) { r.Structural[0].Function = "m.Z" }},
		{"changed functions are not in order",
			func(r *report.Report) { r.Subject.ChangedFunctions = []string{"m.G", "m.F"} }},
		{"no word", func(r *report.Report) { r.Lacks = []report.Lack{"patience"} }},
		{"lacks is not in order",
			func(r *report.Report) { r.Lacks = []report.Lack{report.LackTests, report.LackCommands} }},
		{"verdict is", func(r *report.Report) { r.Verdict = report.Same }},
		{"with exit 0", func(r *report.Report) { r.Exit = 0 }},
	} {
		r := valid()
		if err := r.Validate(); err != nil {
			t.Fatalf("the sound report: %v", err)
		}
		test.breaks(r)
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want one with %q", err, test.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	if got := report.Share(0, 0); got != nil {
		t.Errorf("share of nothing is %v, want none", *got)
	}
	if got := report.Share(2, 3); got == nil || *got != 0.6667 {
		t.Errorf("share of 2 in 3 is %v, want 0.6667", got)
	}
	if got := report.Seconds(12_060 * time.Millisecond); got != 12.1 {
		t.Errorf("%v seconds, want 12.1", got)
	}
}

// TestMergeCalls: of all modules together the first roots have call trees, as in a report of one.
func TestMergeCalls(t *testing.T) {
	part := func(folder string, reach spectra.Reach, n int) report.Part {
		r := &report.Report{Replay: report.Replay{Sequences: 1}}
		for i := range n {
			of := root(fmt.Sprintf("%s.F%d", folder, i), reach)
			of.Calls = &report.Calls{Nodes: []report.Call{{Function: of.Function, Status: report.CallContainer}}}
			r.Add(of)
		}
		return report.Part{Folder: folder, Report: finish(t, r, report.FailAny)}
	}
	r, err := report.Merge([]report.Part{
		part("a", spectra.Masked, report.MostCalls-1), part("b", spectra.Visible, 3),
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, root := range r.Roots {
		if (root.Calls != nil) != (i < report.MostCalls) {
			t.Errorf("root %d of %d, %s: call tree %t", root.Rank, len(r.Roots), root.Function, root.Calls != nil)
		}
	}
	if len(r.Roots) != report.MostCalls+2 {
		t.Errorf("%d roots, want %d", len(r.Roots), report.MostCalls+2)
	}
}

// TestMerge: roots of several modules are ranked together, and keep what refers to them; files are named from the
// root of the repository.
func TestMerge(t *testing.T) {
	part := func(folder string, reach spectra.Reach, tier spectra.Tier) report.Part {
		r := &report.Report{Replay: report.Replay{Sequences: 3}}
		r.Generation.ChangedStatementCoverage = share(0.9)
		of := root(folder+".F", reach)
		of.Tier, of.Position = tier, &report.Position{Side: spectra.New, File: "f.go", Line: 7}
		of.Chain = &report.Chain{Links: []report.Link{{Position: of.Position}, {}}}
		r.Add(of, report.Deviation{Kind: spectra.KindContainer, Function: folder + ".F"})
		r.Contracts = []report.Contract{{Contract: "symmetric", Sides: []spectra.Side{spectra.New}, Root: 1}}
		r.Warnings, r.Subject.Unchanged = []string{"beware"}, folder
		return report.Part{Folder: folder, Report: finish(t, r, report.FailAny)}
	}
	parts := []report.Part{
		part(".", spectra.Masked, spectra.TierInternal), part("lib", spectra.Visible, spectra.TierCrash),
		{Folder: "gen", Failed: "it does not compile"},
	}
	r, err := report.Merge(parts, []string{"module x is new"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Subject.Unchanged != "" {
		t.Errorf("all of it is unchanged because of %q, which is true of one module", r.Subject.Unchanged)
	}
	var got []string
	for _, root := range r.Roots {
		deviation := r.Deviation(root.Deviations[0])
		at := root.Chain.Links[0].Position.File
		got = append(got, root.Function+" "+root.Position.File+" "+at+" "+deviation.ID+" "+deviation.Function)
	}
	if want := []string{"lib.F lib/f.go lib/f.go d1 lib.F", "..F f.go f.go d2 ..F"}; !slices.Equal(got, want) {
		t.Errorf("roots %q, want %q", got, want)
	}
	if r.Contracts[0].Root != 2 || r.Contracts[1].Root != 1 {
		t.Errorf("contracts %+v: want those of roots 2 and 1", r.Contracts)
	}
	if want := []string{"module .: beware", "module lib: beware", "module x is new"}; !slices.Equal(r.Warnings, want) {
		t.Errorf("warnings %q, want %q", r.Warnings, want)
	}
	if r.Replay.Sequences != 6 || r.Generation.ChangedStatementCoverage != nil || r.Verdict != report.Deviates {
		t.Errorf("%+v, %+v, %s: want sums, no share, deviates", r.Replay, r.Generation, r.Verdict)
	}
	m := r.Modules
	if len(m) != 3 || m[2].Verdict != report.Incomplete || *m[1].Generation.ChangedStatementCoverage != 0.9 {
		t.Errorf("modules %+v", m)
	}
	// So does what ended before anything was compared. An interruption is told before a limit, with all that lacks.
	ended := func(folder string, n int, reason report.Reason) report.Part {
		r := &report.Report{Replay: report.Replay{Sequences: n}}
		r.Partial = &report.Partial{Reason: reason, Stage: "build", Undone: []string{"tests"}}
		return report.Part{Folder: folder, Report: finish(t, r, report.FailAny)}
	}
	late := []report.Part{ended("a", 9, report.TimedOut), ended("b", 0, report.TimedOut)}
	r, err = report.Merge(late, nil)
	if err != nil || r.Verdict != report.Incomplete || r.Exit != 2 {
		t.Errorf("got %s with %d, %v; want it incomplete", r.Verdict, r.Exit, err)
	}
	late = []report.Part{ended("a", 9, report.TimedOut), ended("b", 9, report.Interrupted)}
	r, err = report.Merge(late, nil)
	if err != nil || r.Exit != 2 || r.Partial.Reason != report.Interrupted ||
		!slices.Equal(r.Partial.Undone, []string{"module a: tests", "module b: tests"}) {
		t.Errorf("got %d, %+v, %v; want an interruption", r.Exit, r.Partial, err)
	}
	// What was not compared makes a report without findings incomplete.
	same := finish(t, &report.Report{Replay: report.Replay{Sequences: 1}}, report.FailAny)
	r, err = report.Merge([]report.Part{{Folder: "same", Report: same}, parts[2]}, nil)
	if err != nil || r.Verdict != report.Incomplete || r.Exit != 2 {
		t.Errorf("got %+v, %v; want it incomplete", r, err)
	}
}
