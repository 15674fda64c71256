package group_test

import (
	"fmt"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff/group"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

func TestPattern(t *testing.T) {
	const wrapped, plain = `&errors.withStack{error: 1}`, `&fmt.wrapError{err: 2}`
	type value struct{ path, old, new string }
	for _, c := range []struct {
		reason     string
		one, other value
		same       bool
	}{
		{"another type of error", value{"ret0", wrapped, plain}, value{"ret1", wrapped, plain}, true},
		{
			"another type in another kind of place",
			value{"ret0", wrapped, plain}, value{"recv.err", wrapped, plain}, false,
		},
		{
			"two variables",
			value{"example.com/m/p.ErrA", wrapped, plain}, value{"example.com/m/p.ErrB", wrapped, plain}, true,
		},
		{"the reverse", value{"ret0", wrapped, plain}, value{"ret0", plain, wrapped}, false},
		{
			"a letter of a message", value{"ret0.s", `"Error at 7"`, `"error at 7"`},
			value{"ret1.s", `"Could not"`, `"could not"`}, true,
		},
		{"one word", value{"ret0", `"a no b"`, `"a not b"`}, value{"ret0", `"x no"`, `"x not"`}, true},
		{"two words", value{"ret0", `"a no b"`, `"a not b"`}, value{"ret0", `"a no b"`, `"a nod b"`}, false},
		{"tables", value{"len(example.com/m/p.a)", "3", "4"}, value{"len(example.com/m/p.b)", "9", "8"}, true},
		{"lists", value{"len(recv.a)", "3", "4"}, value{"len(recv.a)", "3", "4"}, false},
		{"numbers", value{"ret0", "1", "2"}, value{"ret0", "1", "2"}, false},
		{"nothing known", value{}, value{}, false},
	} {
		pattern := func(v value) string {
			return group.Pattern(report.Difference{Path: v.path, Old: v.old, New: v.new})
		}
		one, other := pattern(c.one), pattern(c.other)
		if got := one != "" && one == other; got != c.same {
			t.Errorf("%s: %q and %q are alike: %v, want %v", c.reason, one, other, got, c.same)
		}
	}
}

func TestFold(t *testing.T) {
	finding := func(function string, tier spectra.Tier, old, new string) group.Finding {
		return group.Finding{
			Root:       report.Root{Function: function, Change: spectra.ChangeModified, Tier: tier, Sequences: len(function)},
			Deviations: []report.Deviation{{Function: function}},
			Own:        report.Difference{Path: "ret0", Old: old, New: new},
		}
	}
	list := []group.Finding{
		finding("m.A", spectra.TierError, "nil", "&b.E{}"),
		finding("m.B", spectra.TierLatent, "&a.E{}", "&b.E{}"),
		finding("m.C", spectra.TierLatent, "1", "2"),
		finding("m.Long", spectra.TierLatent, "&a.E{}", "&b.E{}"),
		finding("m.D", spectra.TierLatent, "1", "2"),
		finding("m.E", spectra.TierValue, "&a.E{}", "&b.E{}"),
		finding("m.Inner", spectra.TierInternal, "&a.E{}", "&b.E{}"),
	}
	got := ""
	for _, f := range group.Fold(list) {
		got += fmt.Sprint(f.Root.Function, " ", f.Root.Sequences, " ", len(f.Deviations))
		for _, p := range f.Root.Places {
			got += " " + p.Function
		}
		got += "; "
	}
	if want := "m.A 3 1; m.B 7 3 m.Long m.Inner; m.C 3 1; m.D 3 1; m.E 3 1; "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestFoldShapes: what has the same code for several types, and changes alike, is one finding.
func TestFoldShapes(t *testing.T) {
	finding := func(function, shape, old, new string) group.Finding {
		return group.Finding{
			Root:  report.Root{Function: function, Change: spectra.ChangeModified, Tier: spectra.TierError},
			Own:   report.Difference{Path: "ret1", Old: old, New: new},
			Shape: shape,
		}
	}
	got := ""
	for _, f := range group.Fold([]group.Finding{
		finding("m.A", "x", "&errors.errorString{s: 1}", "nil"),
		finding("m.B", "x", "&errors.errorString{s: 2}", "nil"),
		finding("m.C", "y", "&errors.errorString{s: 1}", "nil"),
		finding("m.D", "", "&errors.errorString{s: 1}", "nil"),
		finding("m.E", "", "&errors.errorString{s: 1}", "nil"), finding("m.F", "x", "7", "nil"),
		finding("m.G", "x", "m.T{}", "m.T{1}"), finding("m.H", "x", "m.T{}", "m.T{1}"),
	}) {
		got += fmt.Sprint(f.Root.Function, len(f.Root.Places), " ")
	}
	if want := "m.A1 m.C0 m.D0 m.E0 m.F0 m.G0 m.H0 "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestFoldBlock: constants that are counted on are one finding, the worst of which leads, whatever the others do.
func TestFoldBlock(t *testing.T) {
	finding := func(function, block string, tier spectra.Tier) group.Finding {
		root := report.Root{Function: function, Change: spectra.ChangeVariable, Tier: tier}
		return group.Finding{Root: root, Block: block}
	}
	got := ""
	for _, f := range group.Fold([]group.Finding{
		finding("m.a", "m.first", spectra.TierError), finding("m.x", "", spectra.TierValue),
		finding("m.b", "m.first", spectra.TierInternal), finding("m.c", "m.other", spectra.TierInternal),
	}) {
		got += fmt.Sprint(f.Root.Function, " ", len(f.Root.Places), "; ")
	}
	if want := "m.a 1; m.x 0; m.c 0; "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestFoldTogether: changes that lead to something only together are one finding, whatever the order in which they are
// named; what takes one of them and another is its own.
func TestFoldTogether(t *testing.T) {
	finding := func(function string, with ...string) group.Finding {
		return group.Finding{Root: report.Root{Function: function, Proof: &report.Proof{With: with}}}
	}
	folded := group.Fold([]group.Finding{
		finding("m.A", "m.C", "m.B"), finding("m.B"), finding("m.C", "m.B", "m.A"), finding("m.B", "m.A"),
	})
	if len(folded) != 3 || len(folded[0].Root.Places) != 1 || folded[0].Root.Places[0].Function != "m.C" {
		t.Errorf("got %+v, want m.C as a place of m.A", folded)
	}
}

// TestFoldInteracting: what shows only together with something else is folded by its effect like everything else.
func TestFoldInteracting(t *testing.T) {
	finding := func(function string, with ...string) group.Finding {
		return group.Finding{
			Root: report.Root{Function: function, Tier: spectra.TierLatent, Proof: &report.Proof{With: with}},
			Own:  report.Difference{Path: "ret0", Old: "&a.E{}", New: "&b.E{}"},
		}
	}
	folded := group.Fold([]group.Finding{finding("m.A", "m.err"), finding("m.B"), finding("m.C", "m.err", "m.A")})
	if len(folded) != 1 || len(folded[0].Root.Places) != 2 {
		t.Errorf("got %+v, want m.B and m.C as places of m.A", folded)
	}
}

// TestCompare: harm comes first, then its direction, then proof.
func TestCompare(t *testing.T) {
	finding := func(tier spectra.Tier, reverse bool, confidence spectra.Confidence) group.Finding {
		return group.Finding{Root: report.Root{Tier: tier, Confidence: confidence}, Reverse: reverse}
	}
	order := []group.Finding{
		finding(spectra.TierCrash, false, spectra.Confirmed), finding(spectra.TierCrash, false, spectra.Likely),
		finding(spectra.TierCrash, true, spectra.Confirmed), finding(spectra.TierCrash, true, spectra.Likely),
		finding(spectra.TierError, false, spectra.Confirmed),
	}
	for i, x := range order {
		for j, y := range order {
			if got := group.Compare(x, y); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%d and %d compare as %d", i, j, got)
			}
		}
	}
}

// TestJoin: findings of one change are one, and the worse leads.
func TestJoin(t *testing.T) {
	finding := func(function string, tier spectra.Tier, n int) group.Finding {
		return group.Finding{
			Root:       report.Root{Function: function, Change: spectra.ChangeModified, Tier: tier, Sequences: n},
			Deviations: []report.Deviation{{Tier: tier}},
		}
	}
	var list []group.Finding
	for _, f := range []group.Finding{
		finding("m.A", spectra.TierText, 3), finding("m.B", spectra.TierText, 1), finding("m.A", spectra.TierCrash, 2),
		finding("m.A", spectra.TierValue, 5),
	} {
		list = group.Join(list, f)
	}
	if len(list) != 2 || list[0].Root.Tier != spectra.TierCrash || list[0].Root.Sequences != 5 ||
		len(list[0].Deviations) != 3 {
		t.Errorf("got %+v, want all of m.A in one, a crash", list)
	}
}
