package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

const (
	module   = "example.com/shop/v2"
	sequence = "spectradiff sequence 1\nv0 := example.com/shop/v2.New()\n" +
		"v1 := example.com/shop/v2.(*Cart).Add(v0, \"tea\", 3)\nv2 := example.com/shop/v2.(*Cart).Total(v0)\n"
)

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
		Old:      report.Revision{Revision: "v1.2.0", Commit: strings.Repeat("1", 40)},
		New:      report.Revision{Revision: "v1.3.0", Commit: strings.Repeat("2", 40)},
		Settings: report.Settings{Seed: 1, BudgetSeconds: 30, Drive: []string{"api", "tests"}, Sandbox: "landlock"},
		Subject: report.Subject{
			Module: module, Packages: 3, Functions: 210, Operations: 96,
			ChangedFunctions: []string{module + ".(*Cart).Total", module + "/price.round"},
		},
		Generation: report.Generation{
			Sequences: 12000, Kept: 2400, Redundant: 9100, Illegal: 500, Steps: 88000, OperationsReached: 88,
			StatementCoverage: report.Share(71, 100), ChangedStatementCoverage: report.Share(93, 100),
		},
		Replay: report.Replay{Sequences: 2400, FunctionExecutions: 510000},
	}
}

// sample has content for every part of the page.
func sample(t testing.TB) *report.Report {
	r := base()
	r.Subject.Unreached = []string{module + "/price.round"}
	r.Subject.Why = map[string]string{module + "/price.round": "used only by Run, serve, which did not run"}
	r.Subject.Missed = []report.Position{{Side: spectra.New, File: "cart.go", Line: 51, EndLine: 53}}
	r.Replay.Lost, r.Replay.LostAt = 2, []string{module + ".Parse"}
	r.Noise = report.Noise{Values: 9310, Masked: 12, Sites: []report.NoiseSite{
		{Function: module + ".New", Path: "ret0.ID", Reason: "differs between two runs of the old version"},
	}}
	r.Exposure = report.Exposure{Covering: 1800, Output: 40, Hit: 131, Count: 131, Trace: 133}
	r.Structural = []report.Structural{
		{Function: module + ".(*Cart).sum", Change: spectra.ChangeRenamed, Detail: "now " + module + ".(*Cart).all"},
		{Function: module + "/price.RoundUp", Change: spectra.ChangeAdded},
	}
	r.Contracts = []report.Contract{{
		Contract: "symmetric", Function: module + ".(*Cart).Equal", Sides: []spectra.Side{spectra.New},
		Detail: "Equal(a, b) and not Equal(b, a)", Sequence: sequence, Root: 1,
	}}
	r.Tests = &report.Tests{Found: 31, Reaching: 4, Variants: 980, Early: []report.Early{
		{Test: module + ".TestServe", Why: "waits for ever"},
	}}
	r.Warnings = []string{"package " + module + "/old does not type-check in v1.2.0 and is left out: undefined: x"}
	r.Stages = []report.Stage{{Name: "load", Seconds: 3.1}, {Name: "confirm", Seconds: 2}}
	r.Partial = &report.Partial{Reason: report.TimedOut, Stage: "prove", Undone: []string{"tests"}}
	r.Modules = []report.Module{
		{Folder: ".", Verdict: report.Deviates, Subject: &r.Subject, Replay: &r.Replay, Generation: &r.Generation},
		{Folder: "tools", Verdict: report.Incomplete, Failed: "go.mod: no such file"},
	}
	r.Add(total())
	r.Add(round())
	r.Add(accepted())
	r.Add(report.Root{
		Function: module + ".(*Cart).Add", Change: spectra.ChangeModified, Confidence: spectra.Likely, Sequences: 3,
		Tier: spectra.TierCalls, Summary: "(*Cart).Add calls log, which the old version does not call here",
	}, report.Deviation{Kind: spectra.KindNewOnly, Function: module + ".log", Tier: spectra.TierCalls})
	r.Add(report.Root{
		Function: module + ".split", Change: spectra.ChangeModified, Confidence: spectra.Likely, Sequences: 3,
		Tier: spectra.TierPotential, Summary: "split returns 2 where it returned 1",
	}, report.Deviation{
		Kind: spectra.KindContainer, Function: module + ".split", Path: "ret0", Old: "1", New: "2",
		Tier: spectra.TierPotential,
	})
	r.AcceptedStale = []report.Stale{{
		Fingerprint: "00c0ffee", Function: module + ".(*Cart).Remove",
		Acceptance: report.Acceptance{Reason: "it stays", Author: "Ann <ann@example.com>", Date: "2026-11-02"},
	}}
	commits(r)
	return finished(t, r)
}

// commits has one that brought in two findings, one that new lacks, and a finding that came with one of three.
func commits(r *report.Report) {
	refactoring, lacking, other := strings.Repeat("4f", 20), strings.Repeat("5a", 20), strings.Repeat("6b", 20)
	r.Commits = &report.Commits{
		Count: 412, Distinct: 38, Asked: 9, Remembered: 4, FirstParent: true,
		Untestable: []report.Untestable{{Hash: other, Reason: "it does not build"}},
		List: []report.Commit{
			{
				Hash: refactoring, Subject: "refactor: split the <b>parse</b> loop",
				Author: "Jane Doe <jane@example.com>", Date: "2024-05-03T10:11:12+02:00", PullRequest: 1234,
				Purpose: spectra.PurposeRefactoring,
			},
			{Hash: lacking, Subject: "a hotfix", Author: "Zoë", Date: "2024-03-01T08:00:00Z", Lacking: true},
		},
		Unasked: []report.Unasked{{Root: 5, Reason: "it varies from run to run"}},
	}
	r.Roots[0].Introduced = []report.Introduction{
		{Commit: refactoring, Before: "1200", After: "1190"}, {Commit: lacking, Before: "1190", After: "1180"},
	}
	r.Roots[1].Introduced = []report.Introduction{
		{Among: []string{other, lacking, refactoring}, Before: "5", After: "10"},
	}
	r.Roots[2].Introduced = []report.Introduction{{Commit: refactoring, Before: `"no name"`, After: `"bad name"`}}
}

// accepted was accepted. Its rank lies between those of open findings.
func accepted() (report.Root, report.Deviation) {
	root := report.Root{
		Function: module + ".Parse", Change: spectra.ChangeModified, Confidence: spectra.Confirmed, Sequences: 12,
		Proof: &report.Proof{Sufficient: true, Necessary: true, Trials: 4}, Tier: spectra.TierText,
		Summary:  "Parse returns an error with another text",
		Accepted: &report.Acceptance{Reason: "no <b> in names", Author: "Ann <ann@example.com>", Date: "2026-11-26"},
	}
	return root, report.Deviation{
		Kind: spectra.KindContainer, Function: root.Function, Path: "err", Old: `"no name"`, New: `"bad name"`,
		Sequence: sequence, Tier: spectra.TierText, Reach: spectra.Visible,
	}
}

func total() (report.Root, report.Deviation) {
	root := report.Root{
		Function: module + ".(*Cart).Total", Change: spectra.ChangeModified, Confidence: spectra.Confirmed,
		Proof: &report.Proof{Sufficient: true, Necessary: true, Trials: 9}, Tier: spectra.TierValue, Sequences: 40,
		Position: &report.Position{Side: spectra.New, File: "cart.go", Line: 41, EndLine: 47}, Drivers: []string{"api"},
		Summary: "(*Cart).Total returns another value although its receiver and everything it calls are equal",
		Why: "it begins alike and makes 2 equal calls, then it ends differently: the cause lies in 4 lines, " +
			"1 of them changed",
		Diff: "@@ -41,3 +41,3 @@\n \tsum := 0\n-\treturn sum - rebate/2\n+\treturn sum - rebate\n }\n",
		Values: []report.Difference{
			{Function: module + ".(*Cart).Total", Path: "ret0", Old: "1200", New: "1180"},
			{Path: "ret0", Old: "1200", New: "1180", Output: true},
			{Function: module + ".(*Cart).String", Path: "ret0", Output: true,
				Old: `"cart of 3 items: tea 3 × 4.00, total 12.00 EUR"`,
				New: `"cart of 3 items: tea 3 × 4.00, total 11.80 EUR"`},
			{Path: "stdout", Old: "", New: "\nline 1\n\tline 2\n", Output: true},
		},
		Tree: []report.TreeLine{
			{Text: "… 19 calls unchanged"},
			{Text: "(*Cart).String", Mark: "container"},
			{Depth: 1, Text: "(*Cart).Total", Mark: "container", Root: true},
			{Depth: 2, Text: "round", Mark: "follower"},
			{Depth: 2, Text: "rebate (only in the old run)", Mark: "follower"},
			{Depth: 2, Text: "discount (only in the new run)", Mark: "follower"},
			{Depth: 2, Text: "… 3 calls unchanged"},
			{Depth: 1, Text: "format"},
		},
		Calls: calls(),
		Chain: &report.Chain{Links: []report.Link{
			{Function: module + ".(*Cart).Total", Path: "ret0", Old: "1200", New: "1180"},
			{
				Function: module + ".(*Cart).String", Path: "ret0", Output: true,
				Position: &report.Position{Side: spectra.New, File: "cart.go", Line: 90},
			},
		}},
		Places: []report.Place{{
			Function: module + ".(*Cart).Sum", Confidence: spectra.Likely,
			Position: &report.Position{Side: spectra.New, File: "cart.go", Line: 61},
		}},
		Sequence: sequence, Reproducer: "out/cart_total_unchanged_test.go",
	}
	return root, report.Deviation{
		Kind: spectra.KindContainer, Function: root.Function, Path: "ret0", Old: "1200", New: "1180",
		Sequence: sequence, Tier: spectra.TierValue, Reach: spectra.Visible,
	}
}

// calls has a node of each kind.
func calls() *report.Calls {
	cart := report.CallValue{Path: "recv", Old: "&Cart{items: [Item{name: \"tea\"}], rebate: 20}"}
	return &report.Calls{Left: 3, Nodes: []report.Call{
		{Function: module + ".New", Status: report.CallEqual, Executions: 19},
		{Function: module + ".(*Cart).String", Status: report.CallContainer},
		{
			Depth: 1, Function: module + ".(*Cart).Total", Status: report.CallContainer, Root: true,
			Entry: &report.CallState{Values: []report.CallValue{cart, {Path: "now", Varies: true}}},
			Exit: &report.CallState{
				Values: []report.CallValue{{Path: "ret0", Old: "1200", New: "1180"}, cart},
				Differ: []report.CallValue{{Path: "ret0", Old: "1200", New: "1180"}},
				Shared: []report.CallValue{{Path: "recv.last", Old: "the same as recv.items[0]", New: "(none)"}},
			},
		},
		{Depth: 2, Function: module + "/price.round", Status: report.CallFollower},
		{Depth: 2, Function: module + ".rebate", Status: report.CallOldOnly},
		{
			Depth: 2, Function: module + ".discount", Status: report.CallNewOnly, Go: true,
			Ended: &report.Endings{New: "panicked"},
		},
		{Depth: 2, Status: report.CallEqual, Executions: 3},
		{Depth: 1, Function: module + ".format", Status: report.CallUnknown},
	}}
}

func round() (report.Root, report.Deviation) {
	root := report.Root{
		Function: module + "/price.round", Change: spectra.ChangeModified, Confidence: spectra.Likely, Sequences: 131,
		Proof:    &report.Proof{Trials: 2, Reason: "with every change undone the example still differs from old"},
		Position: &report.Position{Side: spectra.Old, File: "price/price.go", Line: 12}, Tier: spectra.TierInternal,
		Summary: "round gets another argument",
		Chain: &report.Chain{
			Links:     []report.Link{{Function: module + "/price.round", Path: "ret0"}},
			Swallowed: module + ".(*Cart).Total",
		},
		Test: &report.Test{Name: "shop", Package: module + "/cmd/shop", Command: &report.CommandLine{
			Line: "shop --json 'a b'", Args: []string{"--json", "a b"},
			Files: []report.CommandFile{{Name: "a.json", Content: "{}"}},
		}},
		NoReproducer: "only values inside of the calls differ, which no test outside can see",
		Sequence:     "v0 := example.com/shop/v2/cmd/shop.main()\n",
	}
	return root, report.Deviation{
		Kind: spectra.KindFollower, Function: root.Function, Path: "step", Old: "5", New: "10", Sequence: sequence,
		Tier: spectra.TierInternal,
	}
}

// large has so many roots, each with so many deviations and a tree.
func large(t testing.TB, roots, deviations int) *report.Report {
	r := base()
	tiers := []spectra.Tier{spectra.TierCrash, spectra.TierError, spectra.TierValue, spectra.TierLatent}
	for i := range roots {
		root, _ := total()
		root.Function = fmt.Sprintf("%s/p%d.F%d", module, i%7, i)
		root.Tier, root.Basis = tiers[i*len(tiers)/roots], fmt.Sprint(i)
		root.Tree = nil
		for line := range 40 {
			root.Tree = append(root.Tree, report.TreeLine{
				Depth: line % 9, Text: fmt.Sprintf("(*T%d).call", line), Mark: "follower", Root: line == 5,
			})
		}
		list := make([]report.Deviation, deviations)
		for j := range list {
			list[j] = report.Deviation{
				Kind: spectra.KindContainer, Function: root.Function, Path: fmt.Sprintf("recv.items[%d].name", j),
				Old: fmt.Sprintf("%q", fmt.Sprint("old name ", j)), New: fmt.Sprintf("%q", fmt.Sprint("new name ", j)),
				Sequence: sequence, Tier: root.Tier, Reach: spectra.Visible,
			}
		}
		r.Add(root, list...)
	}
	return finished(t, r)
}
