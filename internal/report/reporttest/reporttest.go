// Package reporttest has reports for tests of formats.
//
// In: nothing, or a text. Out: finished reports: one with something in every section, one for each verdict, and one
// whose every text is a given one; a comparison with golden files.
package reporttest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Case is a report with its name.
type Case struct {
	Name   string
	Report *report.Report
	Reason string
}

// Cases returns a report for each way in which a run can end.
func Cases(t testing.TB) []Case {
	interrupted := Full(t)
	interrupted.Partial = &report.Partial{Reason: report.Interrupted, Stage: "confirm", Undone: []string{"proofs"}}
	decide(t, interrupted, report.FailAny)
	accepted := Full(t)
	why := report.Acceptance{Reason: "as we want it", Author: "Ann", Date: "2026-11-26"}
	known := map[string]report.Acceptance{accepted.Roots[0].Fingerprint: why, accepted.Roots[3].Fingerprint: why}
	if err := accepted.Accept(known, nil); err != nil {
		t.Fatal(err)
	}
	return []Case{
		{"accepted", accepted, "some of the roots were accepted"},
		{"full", Full(t), "every tier, places on both sides and none"},
		{"interrupted", interrupted, "deviations, and a run that ended early"},
		{"same", finished(t, base(), report.FailAny), "nothing deviates"},
		{"not-reached", NotReached(t, report.FailAny), "little of the change ran"},
		{"not-reached-fails", NotReached(t, report.FailNotReached), "which is a failure on request"},
		{"incomplete", Incomplete(t), "sequences were lost"},
		{"commits", Commits(t), "the commits that brought in the roots"},
		{"modules", modules(t), "several modules, one of which could not be compared"},
	}
}

func finished(t testing.TB, r *report.Report, failOn report.FailOn) *report.Report {
	t.Helper()
	if err := r.Finish(failOn); err != nil {
		t.Fatal(err)
	}
	return r
}

func decide(t testing.TB, r *report.Report, failOn report.FailOn) {
	t.Helper()
	if err := r.Decide(failOn); err != nil {
		t.Fatal(err)
	}
}

func base() *report.Report {
	return &report.Report{
		Tool:     report.Tool{Version: "v0.1.0", Go: "go1.26.8"},
		Old:      report.Revision{Revision: "v1.2.0", Commit: "1111111111111111111111111111111111111111"},
		New:      report.Revision{Revision: "v1.3.0", Commit: "2222222222222222222222222222222222222222"},
		Settings: report.Settings{Seed: 1, BudgetSeconds: 30, Drive: []string{"api", "tests"}, Sandbox: "landlock"},
		Subject: report.Subject{
			Module: "example.com/shop/v2", Packages: 3, Functions: 210, Operations: 96,
			ChangedFunctions: []string{"example.com/shop/v2.(*Cart).Total"},
		},
		Generation: report.Generation{Sequences: 12000, Kept: 2400, ChangedStatementCoverage: report.Share(93, 100)},
		Replay:     report.Replay{Sequences: 2400, FunctionExecutions: 510000},
	}
}

// Full has a root of each tier, and something in every field that formats print.
func Full(t testing.TB) *report.Report {
	r := base()
	r.Warnings = []string{"package example.com/shop/v2/old does not type-check: old.go:3:8: undefined: x", "50% :: a"}
	addDependency(r)
	addSmall(r, spectra.TierError)
	r.Roots[len(r.Roots)-1].OnNegative = true
	addTotal(r)
	addRound(r)
	addSmall(r, spectra.TierNondeterminism, spectra.TierInternal, spectra.TierText, spectra.TierCalls,
		spectra.TierPotential)
	return finished(t, r, report.FailAny)
}

// addTotal adds a root with something in every field.
func addTotal(r *report.Report) {
	const total, text = "example.com/shop/v2.(*Cart).Total", "example.com/shop/v2.(*Cart).String"
	sequence := "spectradiff sequence 1\nv0 := example.com/shop/v2.New()\nv1 := example.com/shop/v2.(*Cart).Total(v0)"
	at := &report.Position{Side: spectra.New, File: "cart.go", Line: 41, EndLine: 47}
	r.Add(report.Root{
		Function: total, Change: spectra.ChangeModified, Confidence: spectra.Confirmed, Tier: spectra.TierValue,
		Proof: &report.Proof{
			Sufficient: true, Necessary: true, Trials: 9, With: []string{"example.com/shop/v2.shipping"},
		},
		Position: at, Sequences: 40, Drivers: []string{"api", "tests"}, Reach: spectra.Visible,
		Summary: "(*Cart).Total returns another value although its receiver and everything it calls are equal",
		Why: "it begins alike and makes 2 equal calls, then it ends differently: the cause lies in 4 lines, " +
			"1 of them changed",
		Values: totalValues(total, text),
		Tree:   []report.TreeLine{{Text: text, Mark: "container"}, {Depth: 1, Text: total, Root: true}},
		Chain: &report.Chain{Links: []report.Link{
			{Function: total, Path: "ret0", Old: "1200", New: "1180", Position: at},
			{Function: "example.com/shop/v2/price.round", Path: "step", Old: "5", New: "10", Called: true},
			{Function: text, Path: "ret0", Position: &report.Position{Side: spectra.New, File: "text.go", Line: 7}},
			{Function: text, Path: `ret0.m["x"](1)`, Output: true},
		}},
		Diff: "@@ -41,4 +41,4 @@\n func (c *Cart) Total() int {\n-\treturn c.sum\n+\treturn c.sum - 20\n }\n",
		Places: []report.Place{
			{Function: "example.com/shop/v2.(*Order).Total", Confidence: spectra.Likely,
				Position: &report.Position{Side: spectra.New, File: "order.go", Line: 9, EndLine: 12}},
			{Function: "example.com/shop/v2.(*Gift).Total"},
		},
		Intended: &report.Test{Name: "TestTotal", Package: "example.com/shop/v2"},
		Sequence: sequence, Reproducer: "out/cart_total_unchanged_test.go",
	}, report.Deviation{
		Kind: spectra.KindContainer, Function: total, Path: "ret0", Old: "1200", New: "1180", Sequence: sequence,
		Reach: spectra.Visible,
	})
}

func totalValues(total, text string) []report.Difference {
	return []report.Difference{
		{Function: total, Path: "ret0", Old: "1200", New: "1180"},
		{Function: text, Path: "ret0", Output: true,
			Old: `"cart of 3 items: tea 3 × 4.00, total 12.00 EUR including shipping and value added tax, to be paid"`,
			New: `"cart of 3 items: tea 3 × 4.00, total 11.80 EUR including shipping and value added tax, to be paid"`},
	}
}

// addRound adds a root in the old version that a test shows.
func addRound(r *report.Report) {
	r.Add(report.Root{
		Function: "example.com/shop/v2/price.round", Change: spectra.ChangeRemoved, Confidence: spectra.Likely,
		Tier: spectra.TierLatent, Reach: spectra.Masked, Sequences: 131,
		Position: &report.Position{Side: spectra.Old, File: "price/price.go", Line: 12},
		Summary:  "round leaves cache with another value", Why: "it begins alike, then it ends differently",
		Proof: &report.Proof{Trials: 2, Reason: "with every change undone the example still differs from old"},
		Chain: &report.Chain{
			Links:     []report.Link{{Function: "example.com/shop/v2/price.round", Path: "ret0"}},
			Swallowed: "example.com/shop/v2.(*Cart).Total",
		},
		Test: &report.Test{Name: "TestRound/half", Package: "example.com/shop/v2/price", Other: []report.Literal{
			{Place: "price_test.go:31", Usual: `"a b"`, Value: `"a\tb"`},
			{Place: "price_test.go:33", Choice: "twice: round(1)"},
		}},
		Sequence: "spectradiff sequence 1\nv0 := example.com/shop/v2/price.TestRound()", NoReproducer: "values inside",
	})
}

// addDependency adds a root without a place that a command shows.
func addDependency(r *report.Report) {
	r.Add(report.Root{
		Function: "example.com/dep", Change: spectra.ChangeDependency, Confidence: spectra.Likely,
		Tier: spectra.TierCrash, Reach: spectra.Visible, Summary: "Parse panics", Sequences: 1,
		Test: &report.Test{Name: "shop", Package: "example.com/shop/v2", Command: &report.CommandLine{
			Line: "shop -n 3 <in", Args: []string{"-n", "3"},
			Files: []report.CommandFile{{Name: "in", Content: "a\nb"}},
		}},
		Sequence: "spectradiff sequence 1\nv0 := shop",
	})
}

// addSmall adds roots that have little more than a tier.
func addSmall(r *report.Report, tiers ...spectra.Tier) {
	for _, tier := range tiers {
		i := len(r.Roots)
		r.Add(report.Root{
			Function: "example.com/shop/v2.F" + string(rune('A'+i)), Change: spectra.ChangeModified,
			Confidence: spectra.Likely, Tier: tier, Sequences: 12 - i, Reach: spectra.Masked,
			Position: &report.Position{Side: spectra.New, File: "f g.go", Line: 10*i + 1, EndLine: 10*i + 3},
		})
	}
}

// NotReached has no deviations, and little of the change ran.
func NotReached(t testing.TB, failOn report.FailOn) *report.Report {
	r := base()
	r.Generation.ChangedStatementCoverage = report.Share(12, 100)
	r.Subject.Unreached = r.Subject.ChangedFunctions
	return finished(t, r, failOn)
}

// Incomplete has no deviations, and sequences that were lost.
func Incomplete(t testing.TB) *report.Report {
	r := base()
	r.Replay.Lost, r.Replay.Unplayed, r.Replay.Incomplete = 2, 1310, 1200
	return finished(t, r, report.FailAny)
}

func modules(t testing.TB) *report.Report {
	r, err := report.Merge([]report.Part{
		{Folder: ".", Report: Full(t)}, {Folder: "lib", Report: finished(t, base(), report.FailAny)},
		{Folder: "tools/gen", Failed: "does not compile"}, {Folder: "far", Report: NotReached(t, report.FailAny)},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Many has so many roots, of one tier.
func Many(t testing.TB, roots int, tier spectra.Tier) *report.Report {
	r := base()
	for i := range roots {
		r.Add(report.Root{
			Function: fmt.Sprintf("example.com/shop/v2.F%d", i), Change: spectra.ChangeModified, Tier: tier,
			Position: &report.Position{Side: spectra.New, File: "f.go", Line: i + 1}, Reach: spectra.Masked,
		}, report.Deviation{Kind: spectra.KindFollower, Function: "m.F", Path: "ret0", Old: "1", New: "2"})
	}
	return finished(t, r, report.FailAny)
}

// Hostile is Commits with a text in all texts, but for those that decide what is printed at all, and with a number as
// all lines. It has one module more if several is set.
func Hostile(t testing.TB, text string, line int, several bool) *report.Report {
	r := Commits(t)
	if several {
		r = modules(t)
		introduce(r)
	}
	verdict, failOn, exec := r.Verdict, r.Settings.FailOn, r.Settings.Exec
	Fill(reflect.ValueOf(r).Elem(), text)
	r.Verdict, r.Settings.FailOn, r.Settings.Exec = verdict, failOn, exec
	for i := range r.Roots {
		root := &r.Roots[i]
		if root.Tier = spectra.TierText; i%2 == 0 {
			root.Tier = spectra.Tier(text)
		}
		if root.Position != nil {
			root.Position.Line, root.Position.EndLine = line, line
		}
	}
	return r
}

// Fill sets all texts in a value that another package can set, and returns how many there are.
func Fill(v reflect.Value, text string) (n int) {
	switch v.Kind() {
	case reflect.String:
		if !v.CanSet() {
			return 0
		}
		v.SetString(text)
		return 1
	case reflect.Struct:
		for i := range v.NumField() {
			n += Fill(v.Field(i), text)
		}
	case reflect.Slice:
		for i := range v.Len() {
			n += Fill(v.Index(i), text)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			n = Fill(v.Elem(), text)
		}
	}
	return n
}

// Texts are what must not do more than be read, in whatever format.
func Texts() []string {
	return []string{
		"", "x\x1b[2J\r\n::error::y", "a\u202eb\u2066c", "]]><failure/>", "--><script>alert(1)</script>",
		"\xff\xfe\x00",
		"``` [x](http://example.com) ![y](z)", "##vso[task.complete]\n##[error]", "%0A::set-output name=a::b", "a,b:c=d",
		"../../etc/passwd", "\ufffe\uffff\U000e0001", "\u2028\u2029\u0085\v\f", "{0} {{1}} ${{ x }}", "%SRCROOT%",
		"C:\\x",
	}
}

// Golden compares with a file of folder testdata, or writes that anew.
func Golden(t *testing.T, name, reason string, update bool, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		const text = "%s (%s) differs; run go test -update and read the change\ngot:\n%s\nwant:\n%s"
		t.Errorf(text, name, reason, got, want)
	}
}

// Closed is a writer that always fails, with os.ErrClosed.
type Closed struct{}

// Write implements io.Writer.
func (Closed) Write([]byte) (int, error) { return 0, os.ErrClosed }
