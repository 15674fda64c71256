package root_test

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// TestOnNegative: a root needs a negative integer if all calls that show the worst of it pass one. The literals of
// tests are what their authors chose.
func TestOnNegative(t *testing.T) {
	const same, other, crash = "m.F(n=1) -> ret0=1", "m.F(n=1) -> ret0=2", "m.F(n=1) -> panic=boom !panic"
	type played struct {
		argument, new string
		test          bool
	}
	for _, c := range []struct {
		runs   []played
		want   bool
		reason string
	}{
		{[]played{{"-1", other, false}, {"-2", other, false}}, true, "no other number shows it"},
		{[]played{{"-1", other, false}, {"2", other, false}}, false, "another number shows it, too"},
		{[]played{{"-1", crash, false}, {"2", other, false}}, true, "another number shows less"},
		{[]played{{"-1", other, false}, {"2", crash, false}}, false, "another number shows worse"},
		{[]played{{"-1", other, true}}, false, "a test has it"},
	} {
		var cases []*diff.Case
		for i, r := range c.runs {
			old, new := difftest.Spectrum(same), difftest.Spectrum(r.new)
			call := sequence.Statement{Op: "m.F", Args: []sequence.Value{{Kind: sequence.Int, Text: r.argument}}}
			cases = append(cases, &diff.Case{
				Number: i, Test: r.test, Sequence: sequence.Sequence{Statements: []sequence.Statement{call}},
				Comparison: diff.Compare(old, new, diff.Options{}),
			})
		}
		found := root.Find(cases, functions(modified("m.F", 20)))
		if len(found) != 1 || found[0].OnNegative != c.want {
			t.Errorf("%s: got %+v, want one root with %t", c.reason, found, c.want)
		}
	}
}
