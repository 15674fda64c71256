package markdown_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

const cart = "example.com/shop/v2.(*Cart)."

func finished(t testing.TB, r *report.Report) *report.Report {
	t.Helper()
	if err := r.Finish(report.FailAny); err != nil {
		t.Fatal(err)
	}
	return r
}

func base() *report.Report {
	return &report.Report{
		Tool:     report.Tool{Version: "v0.1.0", Go: "go1.26.8"},
		Old:      report.Revision{Revision: "v1.2.0", Commit: "1111111111111111111111111111111111111111"},
		New:      report.Revision{Revision: "v1.3.0", Commit: "2222222222222222222222222222222222222222"},
		Settings: report.Settings{Seed: 1, BudgetSeconds: 30, Drive: []string{"api"}, Sandbox: "landlock+netns"},
		Subject: report.Subject{
			Module: "example.com/shop/v2", Packages: 3, Functions: 210, Operations: 96,
			ChangedFunctions: []string{cart + "Total", "example.com/shop/v2/price.round"},
		},
		Generation: report.Generation{
			Sequences: 12000, Kept: 2400, Redundant: 9100, OperationsReached: 88, Seconds: 12.1,
			StatementCoverage: report.Share(71, 100), ChangedStatementCoverage: report.Share(1, 1),
		},
		Replay: report.Replay{Sequences: 2400, FunctionExecutions: 510000, Seconds: 3.3},
	}
}

// deviating has content for every section.
func deviating(t testing.TB) *report.Report {
	r := base()
	r.Subject.Unreached = []string{"example.com/shop/v2/price.round"}
	r.Subject.Why = map[string]string{"example.com/shop/v2/price.round": "no value for its parameter of type net.Conn"}
	r.Noise = report.Noise{Values: 9310, Masked: 12}
	r.Warnings = []string{"package example.com/shop/v2/old is left out: old.go:3:8: undefined: x"}
	r.Tests = &report.Tests{Found: 31, Reaching: 4, Variants: 90, Early: []report.Early{
		{Test: "example.com/shop/v2.TestWait", Why: "waits for ever"},
	}}
	sequence := "spectradiff sequence 1\nv0 := example.com/shop/v2.New()\n" +
		"v1 := example.com/shop/v2.(*Cart).Add(v0, \"tea\", 3)\nv2 := example.com/shop/v2.(*Cart).Total(v0)"
	r.Add(total(sequence), report.Deviation{Kind: spectra.KindContainer, Function: cart + "Total", Path: "ret0",
		Old: "1200", New: "1180", Sequence: sequence, Reach: spectra.Visible, Tier: spectra.TierValue})
	r.Add(report.Root{
		Function: "example.com/shop/v2/price.round", Change: spectra.ChangeModified, Tier: spectra.TierLatent,
		Confidence: spectra.Likely, Sequences: 131, Reach: spectra.Masked,
		Proof:    &report.Proof{Trials: 2, Reason: "with every change undone the example still differs from old"},
		Position: &report.Position{Side: spectra.New, File: "price/price.go", Line: 12},
		Summary:  `round leaves recv.steps["up"] as 10 where it left 5`,
		Chain: &report.Chain{
			Links:     []report.Link{{Function: "example.com/shop/v2/price.round", Path: "ret0"}},
			Swallowed: cart + "Total",
		},
		NoReproducer: "only values inside of the calls differ, which no test outside can see", Sequence: sequence,
	})
	r.Add(report.Root{
		Function: "example.com/shop/v2.Parse", Change: spectra.ChangeModified, Tier: spectra.TierInternal,
		Confidence: spectra.Likely, Sequences: 3, Reach: spectra.Masked,
		Test: &report.Test{Name: "TestParse/empty", Package: "example.com/shop/v2",
			Other: []report.Literal{{Place: "pkg_test.go:31", Usual: `"a b"`, Value: `"a\tb"`}}},
		Sequence: "spectradiff sequence 1\nv0 := example.com/shop/v2.TestParse({1: \"a\\tb\"})\n",
	})
	r.Add(report.Root{Function: "example.com/shop/v2.Log", Change: spectra.ChangeModified, Tier: spectra.TierCalls,
		Confidence: spectra.Likely, Sequences: 3, Summary: "Log calls flush, which the old version does not call here"})
	return finished(t, r)
}

// total is a root with all that one can have.
func total(sequence string) report.Root {
	return report.Root{
		Function: cart + "Total", Change: spectra.ChangeModified, Confidence: spectra.Confirmed,
		Tier: spectra.TierValue, Reach: spectra.Visible, Drivers: []string{"api", "tests"},
		Proof: &report.Proof{
			Sufficient: true, Necessary: true, Trials: 9, With: []string{"example.com/shop/v2.shipping"},
		},
		Sequences: 40, Position: &report.Position{Side: spectra.New, File: "cart.go", Line: 41, EndLine: 47},
		Summary: "(*Cart).Total returns another value although its receiver and everything it calls are equal",
		Why: "it begins alike and makes 2 equal calls, then it ends differently: the cause lies in 4 lines, " +
			"1 of them changed",
		Diff: "@@ -41,3 +41,3 @@\n \tsum := 0\n-\tsum += shipping(c, 1)\n+\tsum += shipping(c, 2)\n \treturn sum\n",
		Values: []report.Difference{
			{Function: cart + "Total", Path: "ret0", Old: "1200", New: "1180"},
			{Path: "ret0", Old: "1200", New: "1180", Output: true},
			{Function: cart + "String", Path: "ret0", Output: true,
				Old: `"cart of 3 items: tea 3 × 4.00, total 12.00 EUR including shipping and value added tax"`,
				New: `"cart of 3 items: tea 3 × 4.00, total 11.80 EUR including shipping and value added tax"`},
		},
		Chain: &report.Chain{Links: []report.Link{
			{Function: "example.com/shop/v2.shipping"},
			{Function: cart + "Total", Path: "ret0", Old: "1200", New: "1180"},
			{Function: "example.com/shop/v2/price.round", Path: "step", Old: "5", New: "10", Called: true},
			{Function: cart + "String", Path: "ret0", Output: true},
		}},
		Sequence: sequence, Reproducer: "out/cart_total_unchanged_test.go",
		Intended: &report.Test{Name: "TestTotal", Package: "example.com/shop/v2"},
		Places: []report.Place{{Function: cart + "Sum", Confidence: spectra.Likely,
			Position: &report.Position{Side: spectra.New, File: "cart.go", Line: 60}}},
	}
}

func same(t testing.TB) *report.Report {
	r := base()
	r.Noise = report.Noise{Values: 9310, Masked: 12}
	return finished(t, r)
}

func unchanged(t testing.TB) *report.Report {
	return finished(t, &report.Report{
		Old: report.Revision{Revision: "main", Commit: "1111111111111111111111111111111111111111"},
		New: report.Revision{Revision: "HEAD", Commit: "1111111111111111111111111111111111111111"},
	})
}

// notReached has no deviations, and little of the change ran.
func notReached(t testing.TB) *report.Report {
	r := base()
	ran := 0.12
	r.Generation.ChangedStatementCoverage, r.Generation.ComparableStatementCoverage = &ran, &ran
	r.Subject.Folder = "shop"
	r.Subject.Unreached, r.Subject.Beyond = r.Subject.ChangedFunctions, 31
	r.Subject.Missed = []report.Position{{Side: spectra.New, File: "cart.go", Line: 51, EndLine: 53}}
	return finished(t, r)
}

// calls has no root of which a value differs.
func calls(t testing.TB) *report.Report {
	r := base()
	r.Add(report.Root{Function: "example.com/shop/v2.Log", Change: spectra.ChangeModified, Tier: spectra.TierCalls,
		Confidence: spectra.Likely, Sequences: 3, Summary: "Log calls flush, which the old version does not call here"})
	return finished(t, r)
}

// interrupted ended early.
func interrupted(t testing.TB) *report.Report {
	r := base()
	r.New = report.Revision{Commit: report.Worktree}
	r.Partial = &report.Partial{Reason: report.Interrupted, Stage: "confirm", Undone: []string{"proofs", "tests"}}
	return finished(t, r)
}

// many has so many roots, each with a value, warnings and functions that did not run.
func many(t testing.TB, n int, value string) *report.Report {
	r := base()
	for i := range n {
		function := fmt.Sprintf("example.com/shop/v2.F%d", i)
		r.Add(report.Root{
			Function: function, Change: spectra.ChangeModified, Confidence: spectra.Likely, Tier: spectra.TierValue,
			Reach: spectra.Visible, Sequences: 12, Summary: function + " returns " + value,
			Values: []report.Difference{{Path: "ret0", Old: value + "1", New: value + "2", Output: true}},
		}, report.Deviation{Function: function, Tier: spectra.TierValue, Reach: spectra.Visible})
		r.Subject.Unreached = append(r.Subject.Unreached, function)
		r.Warnings = append(r.Warnings, "no "+function+": "+value)
	}
	return finished(t, r)
}

// filled is a report with two roots that has one text everywhere.
func filled(text string) *report.Report {
	one := 0.5
	r := &report.Report{
		Roots: make([]report.Root, 7), Deviations: make([]report.Deviation, 2),
		Structural: make([]report.Structural, 1), Warnings: []string{"", ""}, Partial: new(report.Partial),
		Tests:    &report.Tests{Found: 3, New: 1, LeftOut: []string{""}, Early: make([]report.Early, 2)},
		Commands: &report.Commands{Names: []string{""}}, Modules: make([]report.Module, 2),
	}
	r.Subject.Unreached, r.Subject.Missed = []string{"", ""}, make([]report.Position, 2)
	r.Generation = report.Generation{
		Sequences: 2, Redundant: 1, ChangedStatementCoverage: &one, OneWay: make([]report.OneWay, 1),
		Explored: make([]report.Exploration, 1),
	}
	r.Replay = report.Replay{Sequences: 2, Lost: 1, LostAt: []string{""}}
	r.Noise = report.Noise{Values: 2, Masked: 1, Sites: make([]report.NoiseSite, 1)}
	r.Settings.Renames = []string{""}
	r.Commits = &report.Commits{
		Count: 9, Asked: 3, Untestable: make([]report.Untestable, 1),
		List:    []report.Commit{{Roots: []int{1, 7}}, {Roots: []int{7}, PullRequest: 7, Lacking: true}},
		Unasked: []report.Unasked{{Root: 2}},
	}
	for i := range r.Roots {
		root := &r.Roots[i]
		root.Introduced = []report.Introduction{{}, {Among: []string{"", ""}}}
		root.Values, root.Drivers = make([]report.Difference, 2), []string{""}
		root.Position, root.Intended, root.Places = new(report.Position), new(report.Test), make([]report.Place, 2)
		root.Proof = &report.Proof{Trials: 1, Sufficient: true, With: []string{""}}
		root.Chain = &report.Chain{Links: make([]report.Link, 3)}
		switch i {
		case 1:
			root.Test = &report.Test{Other: make([]report.Literal, 2)}
		case 2:
			root.Test = &report.Test{Command: &report.CommandLine{Files: make([]report.CommandFile, 1)}}
		}
	}
	fill(reflect.ValueOf(r).Elem(), text)
	r.Subject.Why = map[string]string{text: text}
	r.Verdict = report.Deviates
	for i := range r.Roots {
		root := &r.Roots[i]
		root.Rank, root.Sequence = i+1, fmt.Sprintf("%s\nv%d", text, i)
		root.Values[0].New, root.Position.Line = text+"x", 3
	}
	return r
}

// fill sets all texts in a value.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), text)
		}
	case reflect.Slice:
		for i := range v.Len() {
			fill(v.Index(i), text)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem(), text)
		}
	}
}

// withAccepted is deviating, of which two findings are accepted, one of them with a value that differs.
func withAccepted(t testing.TB) *report.Report {
	r := deviating(t)
	why := report.Acceptance{
		Reason: "the total is `rounded` as @ann wants it", Author: "Ann <ann@example.com>", Date: "2026-11-26",
	}
	known := map[string]report.Acceptance{r.Roots[0].Fingerprint: why, r.Roots[2].Fingerprint: why}
	stale := []report.Stale{{Fingerprint: "0123456789abcdef", Function: "example.com/shop/v2.Old", Acceptance: why}}
	if err := r.Accept(known, stale); err != nil {
		t.Fatal(err)
	}
	return r
}
