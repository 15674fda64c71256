package root_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/report/summary"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A run is one sequence on both versions.
type run struct{ old, new string }

// find compares the runs; every function f stands in f.go, from line 10 to line 90.
func find(runs []run, common map[spectra.Symbol]spectra.Symbol, changes root.Changes) []*diff.Finding {
	var cases []*diff.Case
	for i, r := range runs {
		old, new := difftest.Spectrum(r.old), difftest.Spectrum(r.new)
		for e := range new.Executions {
			e.Point.Line, e.Point.EndLine = 10, 90
		}
		cases = append(cases, &diff.Case{Number: i, Comparison: diff.Compare(old, new, diff.Options{Common: common})})
	}
	return root.Find(cases, changes)
}

// modified is a changed function with one hunk at the given line of its file.
func modified(symbol string, line int) root.Function {
	at := lines(line, line)
	return root.Function{
		Symbol: spectra.Symbol(symbol), Change: spectra.ChangeModified, Hunks: []spectra.Hunk{{Old: at, New: at}},
	}
}

// lines returns a range of lines of the file that all functions stand in.
func lines(first, last int) spectra.Lines {
	return spectra.Lines{File: "f.go", Line: first, EndLine: last}
}

func functions(list ...root.Function) root.Changes { return root.Changes{Functions: list} }

func render(roots []*diff.Finding) string {
	var list []string
	for i, r := range roots {
		list = append(list, fmt.Sprintf("%d. %s %s H%d %s:%d-%d %s in %d (%d): %s",
			i+1, r.Cause.Symbol.Short(), r.Cause.Change, r.Cause.Evidence.Heuristic, r.Cause.Position.Side,
			r.Cause.Position.Line, r.Cause.Position.EndLine,
			r.Effect.Tier, r.Sequences, len(r.Deviations), summary.Sentence(r)))
	}
	return strings.Join(list, "\n")
}

// The two trees of figure 7.3: tcas, version 9, where Non_Crossing_Biased_Descend compares with >=
// instead of >.
const (
	test58Old = `main.main(argc=13) -> ret0=0
  main.initialize() ->
  main.alt_sep_test(g=58) -> ret0=0
    main.Non_Crossing_Biased_Climb(g=58) -> ret0=1
      main.Inhibit_Biased_Climb(g=58) -> ret0=500
      main.Own_Above_Threat(g=58) -> ret0=0
    main.Non_Crossing_Biased_Descend(g=58) -> ret0=0
      main.Inhibit_Biased_Climb(g=58) -> ret0=500
      main.Own_Above_Threat(g=58) -> ret0=0
    main.Own_Above_Threat(g=58) -> ret0=0`
	test58New = `main.main(argc=13) -> ret0=0
  main.initialize() ->
  main.alt_sep_test(g=58) -> ret0=0
    main.Non_Crossing_Biased_Climb(g=58) -> ret0=1
      main.Inhibit_Biased_Climb(g=58) -> ret0=500
      main.Own_Above_Threat(g=58) -> ret0=0
    main.Non_Crossing_Biased_Descend(g=58) -> ret0=0 @40
      main.Inhibit_Biased_Climb(g=58) -> ret0=500 @20
      main.Own_Below_Threat(g=58) -> ret0=1 @30
      main.ALIM(g=58) -> ret0=400 @31
    main.Own_Above_Threat(g=58) -> ret0=0`
	test91Old = `main.main(argc=13) -> ret0=0
  main.initialize() ->
  main.alt_sep_test(g=91) -> ret0=0
    main.Non_Crossing_Biased_Climb(g=91) -> ret0=0
    main.Non_Crossing_Biased_Descend(g=91) -> ret0=1
      main.Inhibit_Biased_Climb(g=91) -> ret0=600
      main.Own_Above_Threat(g=91) -> ret0=1
      main.ALIM(g=91) -> ret0=400
    main.Own_Above_Threat(g=91) -> ret0=1`
	test91New = `main.main(argc=13) -> ret0=0
  main.initialize() ->
  main.alt_sep_test(g=91) -> ret0=2
    main.Non_Crossing_Biased_Climb(g=91) -> ret0=0
    main.Non_Crossing_Biased_Descend(g=91) -> ret0=0
      main.Inhibit_Biased_Climb(g=91) -> ret0=600
      main.Own_Above_Threat(g=91) -> ret0=1
      main.ALIM(g=91) -> ret0=400
    main.Own_Above_Threat(g=91) -> ret0=1`
)

func TestFigure73(t *testing.T) {
	for _, test := range []struct {
		reason string
		run    run
		want   string
		tree   string
	}{
		{
			reason: "test 58: heuristic 1 from the entry of Non_Crossing_Biased_Descend " +
				"to the call of Own_Below_Threat, and not before ALIM",
			run: run{test58Old, test58New},
			want: "1. Non_Crossing_Biased_Descend unknown H1 new:10-30 calls in 1 (2): " +
				"Non_Crossing_Biased_Descend calls Own_Below_Threat, which the old version does not call here",
			tree: `main
  … 1 call unchanged
  alt_sep_test
    … 3 calls unchanged
    Non_Crossing_Biased_Descend <- root
      … 2 calls unchanged
      Own_Below_Threat [follower] only in the new run
      ALIM [follower] only in the new run
    … 1 call unchanged`,
		},
		{
			reason: "test 91: heuristic 2 on Non_Crossing_Biased_Descend, and not on alt_sep_test",
			run:    run{test91Old, test91New},
			want: "1. Non_Crossing_Biased_Descend unknown H2 new:10-90 internal in 1 (2): " +
				"Non_Crossing_Biased_Descend returns 0 where it returned 1 for the same entry state",
			tree: `main
  … 1 call unchanged
  alt_sep_test [container]
    … 1 call unchanged
    Non_Crossing_Biased_Descend [container] <- root
      … 3 calls unchanged
    … 1 call unchanged`,
		},
	} {
		roots := find([]run{test.run}, nil, root.Changes{})
		if got := render(roots); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.reason, got, test.want)
			continue
		}
		c := diff.Compare(difftest.Spectrum(test.run.old), difftest.Spectrum(test.run.new), diff.Options{})
		isRoot := func(n *diff.Node) bool { return n.Function == roots[0].Cause.Symbol }
		if got := strings.TrimSuffix(difftest.Tree(c.Lines(isRoot, 0)), "\n"); got != test.tree {
			t.Errorf("%s:\n got\n%s\nwant\n%s", test.reason, got, test.tree)
		}
	}
}

func one(old, new string) []run { return []run{{old, new}} }

var findCases = []struct {
	reason  string
	runs    []run
	common  map[spectra.Symbol]spectra.Symbol
	changes root.Changes
	want    string
}{
	{
		reason:  "nothing deviates",
		runs:    one("m.F(a=1) ->", "m.F(a=1) ->"),
		changes: functions(modified("m.F", 20)),
	},
	{
		reason:  "a changed container: cut to its changed line",
		runs:    one("m.F(a=1) -> ret0=1", "m.F(a=1) -> ret0=2"),
		changes: functions(modified("m.F", 20)),
		want: "1. F modified H2 new:20-20 latent in 1 (1): " +
			"F returns 2 where it returned 1 for the same entry state",
	},
	{
		reason: "heuristic 1 cuts behind the call site",
		runs:   one("m.F(a=1) ->\n  m.G(x=1) ->", "m.F(a=1) ->\n  m.G(x=2) -> @30"),
		changes: functions(root.Function{
			Symbol: "m.F",
			Change: spectra.ChangeModified,
			Hunks:  []spectra.Hunk{{New: lines(15, 16)}, {New: lines(25, 25)}, {New: lines(50, 50)}},
		}),
		want: "1. F modified H1 new:15-25 internal in 1 (1): F calls G with x = 2 where it was 1",
	},
	{
		reason: "only removed lines stand on the old side",
		runs:   one("m.F(a=1) -> ret0=1", "m.F(a=1) -> ret0=2"),
		changes: functions(
			root.Function{Symbol: "m.F", Change: spectra.ChangeModified, Hunks: []spectra.Hunk{{Old: lines(21, 23)}}},
		),
		want: "1. F modified H2 old:21-23 latent in 1 (1): " +
			"F returns 2 where it returned 1 for the same entry state",
	},
	{
		reason: "a long chain propagates one root",
		runs: one(
			"m.A(a=1) -> ret0=1\n  m.B(a=1) -> ret0=1\n    m.C(a=1) -> ret0=1\n    m.D(x=1) -> ret0=1\n  m.E(y=1) ->",
			"m.A(a=1) -> ret0=2\n  m.B(a=1) -> ret0=2\n    m.C(a=1) -> ret0=2\n    m.D(x=2) -> ret0=2\n  m.E(y=2) ->",
		),
		changes: functions(modified("m.C", 20)),
		want: "1. C modified H2 new:20-20 latent in 1 (5): " +
			"A returns 2 where it returned 1; C does so for the same entry state",
	},
	{
		reason:  "two independent roots in one sequence",
		runs:    one("m.F(a=1) -> ret0=1\n--\nm.G(a=1) -> ret0=1", "m.F(a=1) -> ret0=2\n--\nm.G(a=1) -> ret0=2"),
		changes: functions(modified("m.F", 20), modified("m.G", 30)),
		want: "1. F modified H2 new:20-20 latent in 1 (1): F returns 2 where it returned 1 for the same entry state\n" +
			"2. G modified H2 new:30-30 latent in 1 (1): G returns 2 where it returned 1 for the same entry state",
	},
	{
		reason: "a clean execution in a deviated context is a root of its own",
		runs: one(
			"m.F(a=1) -> ret0=1\n--\nm.G(a=1) ->\n  m.H(h=1) -> ret0=1",
			"m.F(a=1) -> ret0=2\n--\nm.G(a=2) ->\n  m.H(h=1) -> ret0=2",
		),
		changes: functions(modified("m.F", 20), modified("m.H", 30)),
		want: "1. F modified H2 new:20-20 latent in 1 (2): F returns 2 where it returned 1 for the same entry state\n" +
			"2. H modified H2 new:30-30 internal in 1 (1): H returns 2 where it returned 1 for the same entry state",
	},
	{
		reason: "captured state: the changed function that made the literal",
		runs: one(
			"m.Make(a=1) -> ret0=f\n--\nm.Use(f=f) -> ret0=1\n  m.Make.func1(n=1) -> ret0=1",
			"m.Make(a=1) -> ret0=f\n--\nm.Use(f=f) -> ret0=2\n  m.Make.func1(n=2) -> ret0=2",
		),
		changes: functions(modified("m.Other", 40), modified("m.Make", 20)),
		want: "1. Make modified H1 new:20-20 latent in 1 (2): " +
			"Use returns 2 where it returned 1; after Make ran, Use calls Make.func1 with n = 2 where it was 1",
	},
	{
		reason: "a literal belongs to the function that declares it",
		runs: one(
			"m.F(a=1) -> ret0=1\n  m.F.func1(a=1) -> ret0=1",
			"m.F(a=1) -> ret0=2\n  m.F.func1(a=1) -> ret0=2",
		),
		changes: functions(modified("m.F", 20)),
		want: "1. F modified H2 new:20-20 latent in 1 (2): " +
			"F returns 2 where it returned 1; F.func1 does so for the same entry state",
	},
	{
		reason: "a changed function that calls a new helper is the root itself",
		runs:   one("m.F(a=1) -> ret0=1", "m.F(a=1) -> ret0=2\n  m.new(z=1) -> ret0=5"),
		common: map[spectra.Symbol]spectra.Symbol{"m.F": "m.F"},
		changes: functions(
			modified("m.F", 20),
			root.Function{Symbol: "m.new", Change: spectra.ChangeAdded, New: lines(100, 110)},
		),
		want: "1. F modified H2 new:20-20 latent in 1 (1): " +
			"F returns 2 where it returned 1 for the same entry state",
	},
	{
		reason:  "an unchanged function that runs an added method: the added one",
		runs:    one("m.F(a=1) -> ret0=1", "m.F(a=1) -> ret0=2\n  m.T.String(z=1) -> ret0=5"),
		common:  map[spectra.Symbol]spectra.Symbol{"m.F": "m.F"},
		changes: functions(root.Function{Symbol: "m.T.String", Change: spectra.ChangeAdded, New: lines(100, 110)}),
		want: "1. T.String added H2 new:100-110 latent in 1 (1): " +
			"with the added function T.String, F returns 2 where it returned 1 for the same entry state",
	},
	{
		reason: "an unchanged function that no longer runs a removed one",
		runs:   one("m.F(a=1) -> ret0=1\n  m.T.String(z=1) -> ret0=5", "m.F(a=1) -> ret0=2"),
		common: map[spectra.Symbol]spectra.Symbol{"m.F": "m.F"},
		changes: functions(
			root.Function{Symbol: "m.T.String", Change: spectra.ChangeRemoved, Old: lines(100, 110)},
		),
		want: "1. T.String removed H2 old:100-110 latent in 1 (1): " +
			"with the removed function T.String, F returns 2 where it returned 1 for the same entry state",
	},
	{
		reason: "a renamed function with a changed body",
		runs:   one("m.before(a=1) -> ret0=1", "m.after(a=1) -> ret0=2"),
		common: map[spectra.Symbol]spectra.Symbol{"m.after": "m.before"},
		changes: functions(
			root.Function{
				Symbol:    "m.after",
				OldSymbol: "m.before",
				Change:    spectra.ChangeRenamed,
				Hunks:     []spectra.Hunk{{New: lines(12, 12)}},
			},
		),
		want: "1. after renamed H2 new:12-12 latent in 1 (1): " +
			"after returns 2 where it returned 1 for the same entry state",
	},
	{
		reason: "a changed variable that the unchanged function refers to",
		runs:   one("m.F(a=1) -> ret0=1", "m.F(a=1) -> ret0=2"),
		changes: root.Changes{Declarations: []root.Declaration{
			{Name: "m.T", Change: spectra.ChangeType, Users: []spectra.Symbol{"m.F"}},
			{
				Name:     "m.limit",
				Change:   spectra.ChangeVariable,
				Position: diff.Position{Side: "new", File: "f.go", Line: 3, EndLine: 3},
				Users:    []spectra.Symbol{"m.F"},
			},
		}},
		want: "1. limit variable H2 new:3-3 latent in 1 (1): " +
			"limit changed, and F returns 2 where it returned 1 for the same entry state",
	},
	{
		reason: "a changed variable that is part of the deviating state",
		runs:   one("m.F(m.limit=1) ->", "m.F(m.limit=2) ->"),
		changes: root.Changes{
			Declarations: []root.Declaration{
				{
					Name:     "m.limit",
					Change:   spectra.ChangeVariable,
					Position: diff.Position{Side: "new", File: "f.go", Line: 3, EndLine: 3},
				},
			},
		},
		want: "1. limit variable H1 new:3-3 internal in 1 (1): " +
			"limit changed, and F is entered with m.limit = 2 where it was 1",
	},
	{
		reason: "the nearest changed function before the deviation",
		runs: one(
			"m.Far(a=1) ->\n--\nm.Near(a=1) ->\n--\nm.F(a=1) -> ret0=1\n--\nm.Later(a=1) ->",
			"m.Far(a=1) ->\n--\nm.Near(a=1) ->\n--\nm.F(a=1) -> ret0=2\n--\nm.Later(a=1) ->",
		),
		changes: functions(modified("m.Far", 20), modified("m.Later", 30), modified("m.Near", 40)),
		want: "1. Near modified H2 new:40-40 latent in 1 (1): " +
			"after Near ran, F returns 2 where it returned 1 for the same entry state",
	},
	{
		reason: "a changed dependency where nothing of ours explains it",
		runs:   one("m.F(a=1) -> ret0=1", "m.F(a=1) -> ret0=2"),
		changes: root.Changes{
			Modules: []root.Module{
				{
					Upgrade: diff.Upgrade{Path: "example.com/other", Old: "v1.0.0", New: "v2.0.0"},
					Users:   []spectra.Symbol{"m.G"},
				},
				{
					Upgrade: diff.Upgrade{Path: "example.com/dep", Old: "v1.0.0", New: "v1.1.0"},
					Users:   []spectra.Symbol{"m.F"},
				},
			},
		},
		want: "1. example.com/dep dependency H2 :0-0 latent in 1 (1): " +
			"with example.com/dep v1.1.0 in place of v1.0.0, F returns 2 where it returned 1 for the same entry state",
	},
	{
		reason: "a panic is rooted where it starts, not where it passes",
		runs: one(
			"m.F(a=1) -> ret0=1\n  m.G(x=1) -> ret0=1\n    m.H(y=1) ->",
			"m.F(a=1) -> panic=boom !panic\n  m.G(x=1) -> panic=boom !panic",
		),
		changes: functions(modified("m.F", 20), modified("m.G", 30)),
		want: "1. G modified H1 new:30-30 crash in 1 (3): " +
			"F panics with \"boom\" where it did not; G does so",
	},
	{
		reason: "a process that ends: the deepest execution",
		runs: one(
			"m.F(a=1) -> ret0=1\n  m.G(x=1) -> ret0=1",
			"m.F(a=1) -> !open\n  m.G(x=1) -> !open\nend exited",
		),
		changes: functions(modified("m.G", 30)),
		want: "1. G modified H2 new:30-30 crash in 1 (2): " +
			"the run ended the process where it ran to its end; G is still running where it " +
			"returned in the old version",
	},
	{
		reason: "another end of the run inside the same open executions",
		runs: one(
			"m.F(a=1) -> !open\n  m.G(x=1) -> !open\nend exited",
			"m.F(a=1) -> !open\n  m.G(x=1) -> !open\nend crashed",
		),
		changes: functions(modified("m.G", 30)),
		want: "1. G modified H0 new:30-30 crash in 1 (1): " +
			"the run ends otherwise: crashed, where it ended the process",
	},
	{
		reason:  "printed text without any value behind it: the nearest changed function",
		runs:    one("m.F(a=1) ->\nstdout one", "m.F(a=1) ->\nstdout two"),
		changes: functions(modified("m.F", 30)),
		want:    "1. F modified H0 new:30-30 value in 1 (1): after F ran, stdout is \"two\" where it was \"one\"",
	},
	{
		reason:  "recursion: the innermost execution",
		runs:    one("m.F(a=2) -> ret0=2\n  m.F(a=1) -> ret0=1", "m.F(a=2) -> ret0=3\n  m.F(a=1) -> ret0=2"),
		changes: functions(modified("m.F", 30)),
		want: "1. F modified H2 new:30-30 latent in 1 (2): " +
			"F returns 2 where it returned 1 for the same entry state",
	},
	{
		reason:  "counts alone have no root",
		runs:    one("m.F(a=1) ->\n  m.G(x=2) ->", "m.F(a=1) ->\n  m.G(x=2) ->\n  m.G(x=2) ->"),
		changes: functions(modified("m.F", 30)),
	},
	{
		reason: "an inner deviation that does not show does not hide a changed caller",
		runs: one(
			"m.F(a=1) ->\n  m.G(x=1) ->\n    m.H(y=1) ->\n  m.K(z=1) ->",
			"m.F(a=1) ->\n  m.G(x=1) ->\n    m.H(y=2) ->\n  m.K(z=2) ->",
		),
		changes: functions(modified("m.F", 30), modified("m.G", 40)),
		want: "1. F modified H1 new:30-30 internal in 1 (1): F calls K with z = 2 where it was 1\n" +
			"2. G modified H1 new:40-40 internal in 1 (1): G calls H with y = 2 where it was 1",
	},
	{
		reason: "an unknown root that a direct one explains is dropped",
		runs: []run{
			{"m.F(a=1) -> ret0=1\n--\nm.G(a=1) -> ret0=1", "m.F(a=1) -> ret0=2\n--\nm.G(a=1) -> ret0=2"},
		},
		changes: functions(modified("m.F", 30)),
		want: "1. F modified H2 new:30-30 latent in 1 (2): " +
			"F returns 2 where it returned 1 for the same entry state",
	},
	{
		reason: "what the run prints: the function that ran before it every time, and last before it once",
		runs: []run{
			{"m.New(a=1) ->\n--\nm.F(a=1) ->\nstdout 1", "m.New(a=1) ->\n--\nm.F(a=1) ->\nstdout 2"},
			{
				"m.New(a=1) ->\n--\nm.F(a=1) ->\n--\nm.G(a=1) ->\nstdout 1",
				"m.New(a=1) ->\n--\nm.F(a=1) ->\n--\nm.G(a=1) ->\nstdout 2",
			},
		},
		changes: functions(modified("m.F", 20), modified("m.G", 30), modified("m.New", 40)),
		want:    "1. F modified H0 new:20-20 value in 2 (2): after F ran, stdout is \"2\" where it was \"1\"",
	},
	{
		reason: "what the run prints belongs to what occurs where it does",
		runs: []run{
			{"m.F(a=1) -> ret0=1", "m.F(a=1) -> ret0=2"},
			{
				"m.F(a=1) -> ret0=1\n--\nm.G(a=1) -> ret0=1\nstdout 1",
				"m.F(a=1) -> ret0=2\n--\nm.G(a=1) -> ret0=2\nstdout 2",
			},
			{"m.G(a=1) -> ret0=1\nstdout 1", "m.G(a=1) -> ret0=2\nstdout 2"},
		},
		changes: functions(modified("m.F", 20), modified("m.G", 30)),
		want: "1. G modified H2 new:30-30 value in 2 (2): " +
			"stdout is \"2\" where it was \"1\"; G returns 2 where it returned 1 for the same entry state\n" +
			"2. F modified H2 new:20-20 latent in 2 (2): " +
			"F returns 2 where it returned 1 for the same entry state",
	},
	{
		reason: "what the run prints belongs to what shows it alone elsewhere, and ran",
		runs: []run{
			{"m.F(a=1) -> ret0=1", "m.F(a=1) -> ret0=2"},
			{
				"m.F(a=1) -> ret0=1\n--\nm.G(a=1) ->\nstdout 1",
				"m.F(a=1) -> ret0=2\n--\nm.G(a=1) ->\nstdout 2",
			},
			{"m.G(a=1) ->\nstdout 1", "m.G(a=1) ->\nstdout 2"},
		},
		changes: functions(modified("m.F", 20), modified("m.G", 30)),
		want: "1. G modified H0 new:30-30 value in 1 (1): after G ran, stdout is \"2\" where it was \"1\"\n" +
			"2. F modified H2 new:20-20 latent in 2 (2): " +
			"F returns 2 where it returned 1 for the same entry state",
	},
	{
		reason: "roots of several sequences are one, the visible reach wins, more sequences rank first",
		runs: []run{
			{"m.F(a=1) -> ret0=1", "m.F(a=1) -> ret0=2"},
			{"m.G(a=1) -> ret0=1", "m.G(a=1) -> ret0=2"},
			{"m.G(a=1) -> ret0=1\nstdout 1", "m.G(a=1) -> ret0=2\nstdout 2"},
		},
		changes: functions(modified("m.F", 20), modified("m.G", 30)),
		want: "1. G modified H2 new:30-30 value in 2 (2): " +
			"stdout is \"2\" where it was \"1\"; G returns 2 where it returned 1 for the same entry state\n" +
			"2. F modified H2 new:20-20 latent in 1 (1): " +
			"F returns 2 where it returned 1 for the same entry state",
	},
}

func TestFind(t *testing.T) {
	for _, test := range findCases {
		if got := render(find(test.runs, test.common, test.changes)); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.reason, got, test.want)
		}
	}
}
