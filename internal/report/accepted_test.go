package report_test

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// accept accepts some roots by their ranks.
func accept(t *testing.T, r *report.Report, ranks ...int) {
	t.Helper()
	of := map[string]report.Acceptance{}
	for _, rank := range ranks {
		of[r.Roots[rank-1].Fingerprint] = report.Acceptance{Reason: "wanted"}
	}
	if err := r.Accept(of, nil); err != nil {
		t.Fatal(err)
	}
}

// TestRan: of what one version has alone it is not known whether it ran.
func TestRan(t *testing.T) {
	r := &report.Report{Replay: report.Replay{Sequences: 10}}
	r.Subject.ChangedFunctions = []string{"m.Added", "m.Both", "m/p.F", "m.Unreached"}
	r.Subject.Unreached = []string{"m.Added", "m.Unreached"}
	r.Structural = []report.Structural{
		{Function: "m.Added", Change: spectra.ChangeAdded}, {Function: "m/p", Change: spectra.ChangeRemoved},
	}
	if ran := r.Ran(); len(ran) != 1 || !ran["m.Both"] {
		t.Errorf("ran %v, want m.Both alone", ran)
	}
	if ran, of := r.FunctionsRun(); ran != 1 || of != 2 {
		t.Errorf("%d of %d ran, want 1 of 2", ran, of)
	}
	r.Replay.Sequences = 0
	if ran, _ := r.FunctionsRun(); ran != 0 {
		t.Errorf("%d ran where nothing was played", ran)
	}
}

func TestAcceptedVerdict(t *testing.T) {
	for _, test := range []struct {
		reason  string
		change  func(*report.Report)
		tiers   []spectra.Tier
		accept  []int
		failOn  report.FailOn
		verdict report.Verdict
		exit    int
	}{
		{"all accepted: known to deviate, and wanted", nil, []spectra.Tier{"value", "latent"}, []int{1, 2},
			report.FailAny,
			report.Deviates, 0},
		{"one is left", nil, []spectra.Tier{"value", "latent"}, []int{1}, report.FailAny, report.Deviates, 1},
		{"what is left fails nothing", nil, []spectra.Tier{"value", "latent"}, []int{1}, "value", report.Deviates, 0},
		{"other calls are no deviation, accepted or not", nil, []spectra.Tier{"calls"}, []int{1}, report.FailAny,
			report.Same, 0},
		{"calls that would fail", nil, []spectra.Tier{"calls"}, []int{1}, "calls", report.Same, 0},
		{"an accepted root does not hide that most was not reached", func(r *report.Report) {
			r.Generation.ComparableStatementCoverage = share(0.1)
		}, []spectra.Tier{"value"}, []int{1}, report.FailNotReached, report.NotReached, 1},
		{"nor that much was lost", func(r *report.Report) { r.Replay.Incomplete = 9 }, []spectra.Tier{"value"},
			[]int{1},
			report.FailAny, report.Incomplete, 2},
		{"nor that the run was interrupted", func(r *report.Report) {
			r.Partial = &report.Partial{Reason: report.Interrupted}
		}, []spectra.Tier{"value"}, []int{1}, report.FailAny, report.Incomplete, 2},
	} {
		r := &report.Report{Replay: report.Replay{Sequences: 10}}
		if test.change != nil {
			test.change(r)
		}
		for i, tier := range test.tiers {
			r.Add(report.Root{Function: "m.F" + string(rune('A'+i)), Change: spectra.ChangeModified, Tier: tier})
		}
		finish(t, r, test.failOn)
		accept(t, r, test.accept...)
		if r.Verdict != test.verdict || r.Exit != test.exit {
			t.Errorf("%s: %s with exit %d, want %s with %d", test.reason, r.Verdict, r.Exit, test.verdict, test.exit)
		}
	}
}

func TestAcceptedIsChecked(t *testing.T) {
	for _, test := range []struct {
		want   string
		change func(*report.Report)
	}{
		{"root 1 is accepted without a reason",
			func(r *report.Report) { r.Roots[0].Accepted = new(report.Acceptance) }},
		{"verdict is", func(r *report.Report) { r.Roots[0].Accepted = &report.Acceptance{Reason: "wanted"} }},
		{"stale acceptance 1 has no fingerprint", func(r *report.Report) {
			r.AcceptedStale = []report.Stale{{Function: "m.F"}}
		}},
		{"is of a root that is there", func(r *report.Report) {
			r.AcceptedStale = []report.Stale{{Fingerprint: r.Roots[0].Fingerprint, Function: "m.F"}}
		}},
		{"are not in order", func(r *report.Report) {
			r.AcceptedStale = []report.Stale{{Fingerprint: "b", Function: "m.F"}, {Fingerprint: "a", Function: "m.F"}}
		}},
	} {
		r := &report.Report{Replay: report.Replay{Sequences: 10}}
		r.Add(report.Root{Function: "m.F", Change: spectra.ChangeModified, Tier: spectra.TierValue})
		finish(t, r, report.FailAny)
		test.change(r)
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}
