package proof_test

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/proof"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestCause: what trials found is the cause; what they can't take back is a dependency that the function can call, a
// type that it refers to or that the example names, or, if no type changed, a dependency of which nothing is known, in
// this order.
func TestCause(t *testing.T) {
	changes := root.Changes{
		Functions: []root.Function{{Symbol: "m.G", Change: spectra.ChangeModified}},
		Declarations: []root.Declaration{
			{Name: "m.table", Change: spectra.ChangeVariable},
			{Name: "m.T", Change: spectra.ChangeType, Users: []spectra.Symbol{"m.UsesT"}},
			{Name: "m.Named", Change: spectra.ChangeType}, {Name: "m.One", Change: spectra.ChangeType},
		},
		Modules: []root.Module{
			{Path: "a.org/known", Users: []spectra.Symbol{"m.Calls"}}, {Path: "b.org/any"},
		},
	}
	types := changes
	changes.Declarations = changes.Declarations[:1]
	for _, c := range []struct {
		reason   string
		proof    proof.Proof
		function spectra.Symbol
		op       string
		want     spectra.Symbol
		change   spectra.Change
	}{
		{"the root's own change", proof.Proof{Sufficient: true}, "m.F", "m.F", "m.F", spectra.ChangeModified},
		{"a function", proof.Proof{Instead: []spectra.Symbol{"m.G"}}, "m.F", "m.F", "m.G", spectra.ChangeModified},
		{
			"a variable, with others", proof.Proof{Instead: []spectra.Symbol{"m.table", "m.G"}}, "m.F", "m.F",
			"m.table", spectra.ChangeVariable,
		},
		{"a dependency", proof.Proof{Outside: true}, "m.Calls", "m.F", "a.org/known", spectra.ChangeDependency},
		{"a type", proof.Proof{Outside: true}, "m.UsesT", "m.F", "m.T", spectra.ChangeType},
		{"a type that is named", proof.Proof{Outside: true}, "m.F", "m.Named.Call", "m.Named", spectra.ChangeType},
		{
			"one of several types", proof.Proof{Outside: true, Reason: "it differs"}, "m.F", "m.Namedly", "m.F",
			spectra.ChangeModified,
		},
		{"no type", proof.Proof{Outside: true}, "m.Other", "m.F", "b.org/any", spectra.ChangeDependency},
		{
			"a constant", proof.Proof{Outside: true, Reason: "it differs"}, "m.table", "m.F", "m.table",
			spectra.ChangeVariable,
		},
	} {
		changes := changes
		if c.function != "m.Other" && c.function != "m.table" {
			changes = types
		}
		found := example(c.function, "2")
		found.Sequence = sequence.Sequence{Statements: []sequence.Statement{{Op: c.op}}}
		found.Root.Summary = "as it was"
		if c.function == "m.table" {
			found.Root.Change = spectra.ChangeVariable
		}
		got := c.proof.Cause(judge.Example{Root: found.Root, Found: found.Found, Sequence: found.Sequence}, changes)
		if got.Root.Function != c.want || got.Root.Change != c.change {
			t.Errorf("%s: got %s, %s, want %s, %s", c.reason, got.Root.Function, got.Root.Change, c.want, c.change)
		}
		if moved := got.Root != found.Root; moved == (got.Root.Summary == "as it was") {
			t.Errorf("%s: the sentence is %q", c.reason, got.Root.Summary)
		}
		if c.proof.Outside != (c.proof.Reason != "") {
			t.Errorf("%s: the reason is %q", c.reason, c.proof.Reason)
		}
	}
}
