package proof_test

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
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
			{
				Upgrade: diff.Upgrade{Path: "a.org/known"},
				Users:   []spectra.Symbol{"m.Calls"},
			}, {Upgrade: diff.Upgrade{Path: "b.org/any"}},
		},
	}
	types := changes
	changes.Declarations = changes.Declarations[:1]
	for _, c := range []struct {
		reason   string
		proof    diff.Proof
		function spectra.Symbol
		op       string
		want     spectra.Symbol
		change   spectra.Change
	}{
		{"the root's own change", diff.Proof{Sufficient: true}, "m.F", "m.F", "m.F", spectra.ChangeModified},
		{"a function", diff.Proof{Instead: []spectra.Symbol{"m.G"}}, "m.F", "m.F", "m.G", spectra.ChangeModified},
		{
			"a variable, with others", diff.Proof{Instead: []spectra.Symbol{"m.table", "m.G"}}, "m.F", "m.F",
			"m.table", spectra.ChangeVariable,
		},
		{"a dependency", diff.Proof{Outside: true}, "m.Calls", "m.F", "a.org/known", spectra.ChangeDependency},
		{"a type", diff.Proof{Outside: true}, "m.UsesT", "m.F", "m.T", spectra.ChangeType},
		{"a type that is named", diff.Proof{Outside: true}, "m.F", "m.Named.Call", "m.Named", spectra.ChangeType},
		{
			"one of several types", diff.Proof{Outside: true, Reason: "it differs"}, "m.F", "m.Namedly", "m.F",
			spectra.ChangeModified,
		},
		{"no type", diff.Proof{Outside: true}, "m.Other", "m.F", "b.org/any", spectra.ChangeDependency},
		{
			"a constant", diff.Proof{Outside: true, Reason: "it differs"}, "m.table", "m.F", "m.table",
			spectra.ChangeVariable,
		},
	} {
		changes := changes
		if c.function != "m.Other" && c.function != "m.table" {
			changes = types
		}
		found := example(c.function, "2")
		found.Example.Case.Sequence = sequence.Sequence{Statements: []sequence.Statement{{Op: c.op}}}
		if c.function == "m.table" {
			found.Blamed.Change, found.Cause.Change = spectra.ChangeVariable, spectra.ChangeVariable
		}
		found.Proof = &c.proof
		got := proof.Settle([]*diff.Finding{found}, changes)[0]
		if got.Cause.Symbol != c.want || got.Cause.Change != c.change {
			t.Errorf("%s: got %s, %s, want %s, %s", c.reason, got.Cause.Symbol, got.Cause.Change, c.want, c.change)
		}
		if got.Cause.ByTrial != (got.Cause.Symbol != found.Cause.Symbol) {
			t.Errorf("%s: named by a trial: %v", c.reason, got.Cause.ByTrial)
		}
		if got.Proof.Outside != (got.Proof.Reason != "") {
			t.Errorf("%s: the reason is %q", c.reason, got.Proof.Reason)
		}
	}
}
