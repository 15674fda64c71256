package text_test

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

func finished(t *testing.T, r *report.Report) *report.Report {
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
			ChangedFunctions: []string{"example.com/shop/v2.(*Cart).Total", "example.com/shop/v2/price.round"},
		},
		Generation: report.Generation{
			Sequences: 12000, Kept: 2400, Redundant: 9100, Illegal: 500, Steps: 88000, OperationsReached: 88,
			Seconds:           12.1,
			StatementCoverage: report.Share(71, 100), ChangedStatementCoverage: report.Share(1, 1),
		},
		Replay: report.Replay{Sequences: 2400, FunctionExecutions: 510000, Seconds: 3.3},
	}
}

// deviating has a visible root, a masked one, and content for every section.
func deviating(t *testing.T) *report.Report {
	r := base()
	r.Generation.ChangedStatementCoverage = report.Share(93, 100)
	r.Subject.Unreached = []string{"example.com/shop/v2/price.round"}
	r.Noise = report.Noise{Values: 9310, Masked: 12, Sites: []report.NoiseSite{
		{Function: "example.com/shop/v2.New", Path: "ret0.ID", Reason: "differs between two runs of the old version"},
	}}
	r.Exposure = report.Exposure{Covering: 1800, Output: 40, Hit: 131, Count: 131, Trace: 133}
	r.Structural = []report.Structural{
		{Function: "example.com/shop/v2/price.RoundUp", Change: spectra.ChangeAdded},
		{Function: "example.com/shop/v2.(*Cart).sum", Change: spectra.ChangeRenamed,
			Detail: "now example.com/shop/v2.(*Cart).subtotal"},
	}
	r.Warnings = []string{
		"package example.com/shop/v2/old does not type-check in v1.2.0 and is left out: old.go:3:8: undefined: x",
	}
	sequence := "spectradiff sequence 1\nv0 := example.com/shop/v2.New()\n" +
		"v1 := example.com/shop/v2.(*Cart).Add(v0, \"tea\", 3)\nv2 := example.com/shop/v2.(*Cart).Total(v0)"
	r.Add(report.Root{
		Function: "example.com/shop/v2.(*Cart).Total", Change: spectra.ChangeModified, Confidence: spectra.Confirmed,
		Proof: &report.Proof{Sufficient: true, Necessary: true, Trials: 9, With: []string{
			"example.com/shop/v2.shipping", "example.com/shop/v2/price.round",
		}},
		Sequences: 40,
		Position:  &report.Position{Side: spectra.New, File: "cart.go", Line: 41, EndLine: 47},
		Diff: "@@ -41,5 +41,5 @@\n \tsum := c.shipping\n \tfor _, item := range c.items {\n" +
			"-\t\tsum += item.Price * item.Count\n+\t\tsum += price.round(item.Price * item.Count)\n \t}\n" +
			" \treturn sum\n",
		Summary: "(*Cart).Total returns another value although its receiver and everything it calls are equal",
		Values: []report.Difference{
			{Function: "example.com/shop/v2.(*Cart).Total", Path: "ret0", Old: "1200", New: "1180"},
			{Path: "ret0", Old: "1200", New: "1180", Output: true}, // the same result again, as the driver saw it
			{Function: "example.com/shop/v2.(*Cart).String", Path: "ret0", Output: true,
				Old: `"cart of 3 items: tea 3 × 4.00, total 12.00 EUR including shipping and value added tax"`,
				New: `"cart of 3 items: tea 3 × 4.00, total 11.80 EUR including shipping and value added tax"`},
		},
		Tree: []report.TreeLine{
			{Depth: 0, Text: "example.com/shop/v2.(*Cart).String", Mark: "container"},
			{Depth: 1, Text: "example.com/shop/v2.(*Cart).Total", Mark: "container", Root: true},
			{Depth: 2, Text: "… 3 not deviated"},
			{Depth: 2, Text: "example.com/shop/v2/price.round", Mark: "follower"},
			{Depth: 3, Text: "example.com/shop/v2/price.step", Mark: "follower"},
			{Depth: 2, Text: "example.com/shop/v2/price.round", Mark: "follower"},
			{Depth: 2, Text: "example.com/shop/v2/price.round", Mark: "follower"},
			{Depth: 2, Text: "example.com/shop/v2/price.round", Mark: "follower"},
			{Depth: 2, Text: "example.com/shop/v2/price.round (only in the new run)", Mark: "follower"},
			{Depth: 2, Text: "example.com/shop/v2/price.round (only in the new run)", Mark: "follower"},
			{Depth: 1, Text: "example.com/shop/v2.(*Cart).note", Mark: "follower"},
		},
		Chain: &report.Chain{Links: []report.Link{
			{Function: "example.com/shop/v2.shipping"},
			{Function: "example.com/shop/v2.(*Cart).Total", Path: "ret0", Old: "1200", New: "1180"},
			{Function: "example.com/shop/v2/price.round", Path: "step", Old: "5", New: "10", Called: true},
			{Function: "example.com/shop/v2.(*Cart).String", Path: "ret0"},
			{Function: "example.com/shop/v2.(*Cart).String", Path: "ret0", Output: true},
		}},
		Sequence: sequence, Reproducer: "out/cart_total_unchanged_test.go",
	},
		report.Deviation{Kind: spectra.KindContainer, Function: "example.com/shop/v2.(*Cart).Total", Path: "ret0",
			Old: "1200", New: "1180", Sequence: sequence, Reach: spectra.Visible})
	r.Add(
		report.Root{
			Function: "example.com/shop/v2/price.round", Change: spectra.ChangeModified,
			Confidence: spectra.Likely, Sequences: 131,
			Proof: &report.Proof{
				Trials: 2,
				Reason: "with every change undone the example still differs from old",
			},
			Position: &report.Position{Side: spectra.New, File: "price/price.go", Line: 12},
			Summary:  "round gets another argument",
			Why: "it begins alike and makes 2 equal calls, then it ends differently: the cause lies in 4 " +
				"lines, 1 of them changed",
			Chain: &report.Chain{
				Links:     []report.Link{{Function: "example.com/shop/v2/price.round", Path: "ret0"}},
				Swallowed: "example.com/shop/v2.(*Cart).Total",
			},
			NoReproducer: "only values inside of the calls differ, which no test outside can see",
		},
		report.Deviation{
			Kind:     spectra.KindFollower,
			Function: "example.com/shop/v2/price.round",
			Path:     "step",
			Old:      "5",
			New:      "10",
			Sequence: sequence,
		},
	)
	return finished(t, r)
}

// hostile has long identifiers, and values that must not reach a terminal as they are.
func hostile(t *testing.T) *report.Report {
	r := base()
	r.New = report.Revision{Revision: "", Commit: report.Worktree}
	r.Settings.Seed = 7
	r.Settings.Sequences = 500
	function := "example.com/shop/v2/internal/warehouse/inventory." +
		"(*ReservationCoordinator).reserveEverythingThatIsLeft.func2"
	r.Add(report.Root{
		Function: function, Change: spectra.ChangeModified, Confidence: spectra.Likely, Sequences: 1,
		Position: &report.Position{Side: spectra.Old, File: "internal/warehouse/inventory/coordinator.go",
			Line: 1041},
		Summary: "the value of recv.pending[\"a b c\"].reservation changes",
		Values: []report.Difference{
			{Function: function, Path: `recv.pending["a b c"].reservation.customer.name`, Old: "\"\x1b[31mred\x07\n\"",
				New: "\"\x1b[32mred\x07\n\""},
			{Function: function, Path: "ret0", Old: "", New: "x"},
			{Function: function, Path: "ret1", Old: `"日本語のとても長い文字列がここにあり、端末の幅を超えているので切り詰められるはずです。そうですよね、甲"`,
				New: `"日本語のとても長い文字列がここにあり、端末の幅を超えているので切り詰められるはずです。そうですよね、乙"`},
		},
	})
	r.Noise = report.Noise{Values: 10, Masked: 1,
		Sites: []report.NoiseSite{{Function: function, Path: "recv.deadline",
			Reason: "differs between two runs of the old version"}}}
	r.Structural = []report.Structural{{Function: function, Change: spectra.ChangeRemoved}}
	return finished(t, r)
}

func same(t *testing.T) *report.Report {
	r := base()
	r.Noise = report.Noise{Values: 9310, Masked: 12}
	r.Subject.Unreached = []string{"example.com/shop/v2/price.round"}
	r.Generation.ChangedStatementCoverage = report.Share(9, 10)
	r.Structural = []report.Structural{{Function: "example.com/shop/v2.(*Cart).sum", Change: spectra.ChangeRenamed,
		Detail: "now example.com/shop/v2.(*Cart).subtotal"}}
	return finished(t, r)
}

func unchanged(t *testing.T) *report.Report {
	return finished(t, &report.Report{
		Old: report.Revision{Revision: "main", Commit: "1111111111111111111111111111111111111111"},
		New: report.Revision{Revision: "HEAD", Commit: "1111111111111111111111111111111111111111"},
	})
}

func notCompared(t *testing.T) *report.Report {
	r := base()
	r.Replay = report.Replay{}
	r.Subject.Unreached = r.Subject.ChangedFunctions
	r.Warnings = []string{"no operation of example.com/shop/v2 can be called from outside"}
	return finished(t, r)
}

// notReached has no deviations, and little of the change ran.
func notReached(t *testing.T) *report.Report {
	r := base()
	ran := 0.12
	r.Generation.ChangedStatementCoverage, r.Generation.ComparableStatementCoverage = &ran, &ran
	r.Subject.Unreached, r.Subject.Beyond = r.Subject.ChangedFunctions, 31
	r.Subject.Why = map[string]string{}
	for _, f := range r.Subject.Unreached {
		r.Subject.Why[f] = "used only by Run, serve, which did not run"
	}
	return finished(t, r)
}

// partial was interrupted.
func partial(t *testing.T) *report.Report {
	r := base()
	r.Partial = &report.Partial{Reason: report.Interrupted, Stage: "confirm", Undone: []string{"proofs", "tests"}}
	return finished(t, r)
}

// lacking is of a run in three shards, one of which is missing.
func lacking(t *testing.T) *report.Report {
	r := base()
	r.Settings.Shards = 3
	r.Partial = &report.Partial{Reason: report.Missing, Stage: report.StageMerge, Undone: []string{"shard 2/3"}}
	return finished(t, r)
}

// incomplete has no deviations, and sequences that were lost.
func incomplete(t *testing.T) *report.Report {
	r := base()
	r.Replay.Lost, r.Replay.Unplayed, r.Replay.Incomplete = 2, 1310, 1200
	r.Replay.LostAt = []string{"example.com/shop/v2.(*Cart).Total", "example.com/shop/v2.Parse"}
	return finished(t, r)
}

// many has more roots than are printed in full.
func many(t *testing.T) *report.Report {
	r := base()
	for i := range 12 {
		r.Add(report.Root{
			Function: "example.com/shop/v2.F" + string(
				rune('A'+i),
			), Change: spectra.ChangeModified, Confidence: spectra.Likely,
			Sequences: 12 - i,
			Position:  &report.Position{Side: spectra.New, File: "f.go", Line: 10 * i, EndLine: 10*i + 3},
			Reach:     spectra.Masked,
		})
	}
	return finished(t, r)
}

// accept accepts some roots by their ranks.
func accept(t *testing.T, r *report.Report, ranks ...int) *report.Report {
	t.Helper()
	of := map[string]report.Acceptance{}
	for _, rank := range ranks {
		of[r.Roots[rank-1].Fingerprint] = report.Acceptance{
			Reason: "the total is rounded as the tax office wants it since January", Author: "Ann <ann@example.com>",
			Date: "2026-11-26",
		}
	}
	if err := r.Accept(of, r.AcceptedStale); err != nil {
		t.Fatal(err)
	}
	return r
}

// partlyAccepted has a root that was accepted before one that was not, and an acceptance of hostile text that is stale.
func partlyAccepted(t *testing.T) *report.Report {
	r := accept(t, deviating(t), 1)
	r.AcceptedStale = []report.Stale{
		{Fingerprint: "0123456789abcdef", Function: "example.com/shop/v2.(*Cart).Total", Acceptance: report.Acceptance{
			Reason: "::error::\x1b[31m\u202e\n\r<script>", Author: "\x07",
		}},
	}
	return r
}

// allAccepted has roots that were all accepted.
func allAccepted(t *testing.T) *report.Report {
	return accept(t, many(t), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
}
