package report_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// shardOf returns the finished report of one of three shards.
func shardOf(t *testing.T, number int, change func(*report.Report)) *report.Report {
	t.Helper()
	r := &report.Report{
		Settings: report.Settings{Drive: []string{"api", "tests"}, Sandbox: "none", Shards: 3, Shard: number},
		Subject:  report.Subject{Functions: 2, ChangedFunctions: []string{"m.F", "m.G"}},
		Replay:   report.Replay{Sequences: 10},
	}
	change(r)
	return finish(t, r, report.FailAny)
}

// united returns the finished report of shards.
func united(t *testing.T, missing []int, shards ...*report.Report) *report.Report {
	t.Helper()
	return finish(t, report.Unite(shards, missing), report.FailAny)
}

func deviation(path string) report.Deviation {
	return report.Deviation{Kind: spectra.KindContainer, Function: "m.F", Path: path}
}

func at(line int) *report.Position {
	return &report.Position{Side: spectra.New, File: "m.go", Line: line}
}

// TestUniteRoots checks that a root is there once, with all that any shard knows of it.
func TestUniteRoots(t *testing.T) {
	type found struct {
		root       report.Root
		deviations []report.Deviation
	}
	of := func(change func(*report.Root), paths ...string) found {
		r := report.Root{
			Function: "m.F", Change: spectra.ChangeModified, Confidence: spectra.Likely, Tier: spectra.TierLatent,
			Reach: spectra.Masked, Sequences: 2, Summary: "latent", Drivers: []string{"tests"}, Position: at(3),
			OnNil: true, OnNegative: true, Only: true,
		}
		change(&r)
		f := found{root: r}
		for _, p := range paths {
			f.deviations = append(f.deviations, deviation(p))
		}
		return f
	}
	same := func(*report.Root) {}
	proof := &report.Proof{Sufficient: true, Necessary: true, Trials: 4}
	confirmed := func(r *report.Root) { r.Confidence, r.Proof = spectra.Confirmed, proof }
	for _, c := range []struct {
		reason     string
		x, y       []found
		functions  []string
		deviations int // of the first
		check      func(report.Root) bool
	}{
		{"in both", []found{of(same, "ret0")}, []found{of(same, "ret0", "ret1")}, []string{"m.F"}, 2,
			func(r report.Root) bool { return r.Sequences == 4 && r.OnNil && r.OnNegative && r.Only }},
		{"in the first", []found{of(same, "ret0")}, nil, []string{"m.F"}, 1,
			func(r report.Root) bool { return r.Sequences == 2 }},
		{"in the second", nil, []found{of(same, "ret0")}, []string{"m.F"}, 1,
			func(r report.Root) bool { return r.Sequences == 2 }},
		{"two that differ in an index alone stay two", []found{of(same, "ret0[1]", "ret0[2]")},
			[]found{of(same, "ret0[3]")}, []string{"m.F"}, 2, func(report.Root) bool { return true }},
		{"the proof of one, the example of the worse", []found{of(confirmed, "ret0")}, []found{of(func(r *report.Root) {
			r.Tier, r.Reach, r.Summary, r.Drivers = spectra.TierValue, spectra.Visible, "value", []string{"api"}
			r.OnNil, r.OnNegative, r.Only = false, false, false
		}, "ret1")}, []string{"m.F"}, 2, func(r report.Root) bool {
			return r.Confidence == spectra.Confirmed && r.Proof == proof && r.Summary == "value" &&
				r.Tier == spectra.TierValue && r.Reach == spectra.Visible && !r.OnNil && !r.OnNegative && !r.Only &&
				slices.Equal(r.Drivers, []string{"api", "tests"})
		}},
		{"of the same harm the proven example", []found{of(same, "ret0")}, []found{of(func(r *report.Root) {
			confirmed(r)
			r.Summary = "proven"
		}, "ret0")}, []string{"m.F"}, 1, func(r report.Root) bool { return r.Summary == "proven" }},
		{"a worse one of nil alone counts too",
			[]found{of(func(r *report.Root) { r.Tier = spectra.TierCrash }, "panic")},
			[]found{of(func(r *report.Root) { r.OnNil, r.Only = false, false }, "ret0")}, []string{"m.F"}, 2,
			func(r report.Root) bool { return r.Tier == spectra.TierCrash && !r.OnNil && r.Summary == "latent" }},
		{"another edit of the same function", []found{of(same, "ret0")},
			[]found{of(func(r *report.Root) { r.Basis = "other" }, "ret0")}, []string{"m.F", "m.F"}, 1,
			func(report.Root) bool { return true }},
		{"a place alone that another shard saw as one decision", []found{of(func(r *report.Root) {
			r.Places = []report.Place{{Function: "m.G", Position: at(9), Confidence: spectra.Likely}}
		}, "ret0")}, []found{of(func(r *report.Root) {
			confirmed(r)
			r.Function, r.Position = "m.G", at(9)
		}, "ret0")}, []string{"m.G"}, 1, func(r report.Root) bool {
			return len(r.Places) == 1 && r.Places[0].Function == "m.F" && r.Sequences == 4
		}},
	} {
		list := [][]found{c.x, c.y}
		var shards []*report.Report
		for i, roots := range list {
			shards = append(shards, shardOf(t, i+1, func(r *report.Report) {
				for _, f := range roots {
					r.Add(f.root, f.deviations...)
				}
			}))
		}
		r := united(t, nil, shards...)
		var functions []string
		for _, root := range r.Roots {
			functions = append(functions, root.Function)
		}
		if !slices.Equal(functions, c.functions) {
			t.Errorf("%s: roots %q, want %q", c.reason, functions, c.functions)
			continue
		}
		if root := r.Roots[0]; len(root.Deviations) != c.deviations || !c.check(root) {
			t.Errorf("%s: %d deviations, want %d, of %+v", c.reason, len(root.Deviations), c.deviations, root)
		}
	}
}

// TestUniteCounts checks that counts of what was played add up, and that nothing else does.
func TestUniteCounts(t *testing.T) {
	fill := func(r *report.Report) {
		r.Settings.Sandbox = "landlock"
		r.Generation = report.Generation{Sequences: 20, Kept: 5, OperationsReached: 3}
		r.Generation.StatementCoverage = report.Share(1, 2)
		r.Tests = &report.Tests{Found: 3, NotRun: 1, Reaching: 2, LeftOut: []string{"m/x: it waits"}}
		r.Commands = &report.Commands{Names: []string{"m"}, Lines: 4}
		r.Noise = report.Noise{Values: 7, Sites: []report.NoiseSite{{Function: "m.F", Path: "ret0", Reason: "a clock"}}}
		r.Structural = []report.Structural{{Function: "m.H", Change: spectra.ChangeAdded}}
		r.Exposure.Hit = 2
		r.Warnings = []string{"of all"}
	}
	r := united(t, nil, shardOf(t, 1, fill), shardOf(t, 2, fill), shardOf(t, 3, func(r *report.Report) {
		fill(r)
		r.Warnings = append(r.Warnings, "of one")
		r.Lacks = []report.Lack{report.LackTests, report.LackCommands}
	}))
	want := shardOf(t, 0, func(r *report.Report) {
		fill(r)
		r.Generation = report.Generation{Sequences: 60, Kept: 15}
		r.Tests = &report.Tests{Found: 9, NotRun: 3, Reaching: 6, LeftOut: []string{"m/x: it waits"}}
		r.Commands.Lines, r.Noise.Values, r.Exposure.Hit, r.Replay.Sequences = 12, 21, 6, 30
		r.Warnings = []string{"of all", "of one"}
		r.Lacks = []report.Lack{report.LackCommands, report.LackTests}
	})
	if got, want := text(t, r), text(t, want); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func text(t *testing.T, r *report.Report) string {
	t.Helper()
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestUniteUnreached checks that a function ran if it did in one shard, and why one did not.
func TestUniteUnreached(t *testing.T) {
	of := func(number int, why map[string]string, unreached ...string) *report.Report {
		return shardOf(t, number, func(r *report.Report) { r.Subject.Unreached, r.Subject.Why = unreached, why })
	}
	none := shardOf(t, 3, func(r *report.Report) { r.Replay.Sequences = 0 })
	for _, c := range []struct {
		reason string
		shards []*report.Report
		want   []string
		why    map[string]string
	}{
		{"each shard ran one", []*report.Report{of(1, nil, "m.F"), of(2, nil, "m.G")}, nil, nil},
		{"none ran one", []*report.Report{of(1, nil, "m.F", "m.G"), of(2, nil, "m.G")}, []string{"m.G"}, nil},
		{"a shard that played nothing says nothing", []*report.Report{of(1, nil, "m.F"), none}, []string{"m.F"}, nil},
		{"all say the same", []*report.Report{
			of(1, map[string]string{"m.F": "no caller"}, "m.F"), of(2, map[string]string{"m.F": "no caller"}, "m.F"),
		}, []string{"m.F"}, map[string]string{"m.F": "no caller"}},
		{"each says another thing", []*report.Report{
			of(1, map[string]string{"m.F": "no caller ran"}, "m.F"), of(2, map[string]string{"m.F": "m.G ran"}, "m.F"),
		}, []string{"m.F"}, map[string]string{"m.F": "shard 1/3: no caller ran; shard 2/3: m.G ran"}},
	} {
		got := united(t, nil, c.shards...).Subject
		if !slices.Equal(got.Unreached, c.want) || !reflect.DeepEqual(got.Why, c.why) {
			t.Errorf("%s: %q, %q; want %q, %q", c.reason, got.Unreached, got.Why, c.want, c.why)
		}
	}
}

// TestUnitePartial checks what a report says of shards that ended early or are missing, and its exit status.
func TestUnitePartial(t *testing.T) {
	whole := func(*report.Report) {}
	ended := func(reason report.Reason) func(*report.Report) {
		return func(r *report.Report) {
			r.Partial = &report.Partial{Reason: reason, Stage: "prove", Undone: []string{"tests", "commands"}}
		}
	}
	deviates := func(r *report.Report) { r.Add(root("m.F", spectra.Visible), deviation("ret0")) }
	for _, c := range []struct {
		reason        string
		first, second func(*report.Report)
		missing       []int
		want          *report.Partial
		verdict       report.Verdict
		exit          int
	}{
		{"all are there", whole, whole, nil, nil, report.Same, 0},
		{"one is missing", whole, whole, []int{3}, &report.Partial{
			Reason: report.Missing, Stage: report.StageMerge, Undone: []string{"shard 3/3"},
		}, report.Incomplete, 2},
		{"one is missing, and there are deviations", whole, deviates, []int{3}, &report.Partial{
			Reason: report.Missing, Stage: report.StageMerge, Undone: []string{"shard 3/3"},
		}, report.Deviates, 2},
		{"the time was over in one", whole, ended(report.TimedOut), nil, &report.Partial{
			Reason: report.TimedOut, Stage: "prove", Undone: []string{"shard 2/3: tests", "shard 2/3: commands"},
		}, report.Same, 0},
		{"that, and one is missing", ended(report.TimedOut), whole, []int{3}, &report.Partial{
			Reason: report.Missing, Stage: report.StageMerge,
			Undone: []string{"shard 1/3: tests", "shard 1/3: commands", "shard 3/3"},
		}, report.Incomplete, 2},
		{"an interruption comes first", ended(report.TimedOut), ended(report.Interrupted), []int{3}, &report.Partial{
			Reason: report.Interrupted, Stage: "prove", Undone: []string{
				"shard 1/3: tests", "shard 1/3: commands", "shard 2/3: tests", "shard 2/3: commands", "shard 3/3",
			},
		}, report.Incomplete, 2},
	} {
		r := united(t, c.missing, shardOf(t, 1, c.first), shardOf(t, 2, c.second))
		if !reflect.DeepEqual(r.Partial, c.want) || r.Verdict != c.verdict || r.Exit != c.exit {
			t.Errorf("%s: %+v, %s, %d; want %+v, %s, %d", c.reason, r.Partial, r.Verdict, r.Exit, c.want, c.verdict,
				c.exit)
		}
	}
}

// TestUniteContracts checks that a contract is there once, and whose root it shows.
func TestUniteContracts(t *testing.T) {
	breaks := func(number int, side spectra.Side, shows bool) *report.Report {
		return shardOf(t, number, func(r *report.Report) {
			c := report.Contract{Contract: "symmetric", Function: "m.F", Sides: []spectra.Side{side}}
			r.Add(root("m.G", spectra.Masked), deviation("ret1"))
			if shows {
				r.Add(root("m.F", spectra.Masked), deviation("ret0"))
				c.Root = 2
			}
			r.Contracts = []report.Contract{c}
		})
	}
	for _, c := range []struct {
		reason string
		x, y   *report.Report
		sides  int
		root   string
	}{
		{"the same in both", breaks(1, spectra.New, true), breaks(2, spectra.New, true), 1, "m.F"},
		{"the second knows the root", breaks(1, spectra.New, false), breaks(2, spectra.New, true), 1, "m.F"},
		{"each version breaks it: no root shows it", breaks(1, spectra.Old, true), breaks(2, spectra.New, true), 2, ""},
	} {
		r := united(t, nil, c.x, c.y)
		if len(r.Contracts) != 1 || len(r.Contracts[0].Sides) != c.sides {
			t.Errorf("%s: %+v", c.reason, r.Contracts)
			continue
		}
		shown := ""
		if n := r.Contracts[0].Root; n > 0 {
			shown = r.Roots[n-1].Function
		}
		if shown != c.root {
			t.Errorf("%s: it shows %q, want %q", c.reason, shown, c.root)
		}
	}
}
