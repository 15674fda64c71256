package group_test

import (
	"fmt"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/group"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
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
			return group.Pattern(diff.Difference{Path: spectra.Path(v.path), Old: v.old, New: v.new})
		}
		one, other := pattern(c.one), pattern(c.other)
		if got := one != "" && one == other; got != c.same {
			t.Errorf("%s: %q and %q are alike: %v, want %v", c.reason, one, other, got, c.same)
		}
	}
}

// modified is a finding of a changed function.
func modified(function string, tier spectra.Tier) *diff.Finding {
	return &diff.Finding{
		Cause:  diff.Cause{Symbol: spectra.Symbol(function), Change: spectra.ChangeModified},
		Effect: diff.Effect{Tier: tier},
	}
}

// TestSettles: further findings need no proof where each changed declaration is a proven cause, and they say no more.
func TestSettles(t *testing.T) {
	change := func(kind source.DeclKind, name string) source.Change {
		return source.Change{Kind: kind, Symbol: spectra.Symbol(name), What: spectra.ChangeModified}
	}
	added := func(name string) source.Change {
		return source.Change{Kind: source.Function, Symbol: spectra.Symbol(name), What: spectra.ChangeAdded}
	}
	proven := func(f *diff.Finding) *diff.Finding {
		f.Proof = &diff.Proof{Sufficient: true, Necessary: true}
		return f
	}
	list := func(all ...*diff.Finding) []*diff.Finding { return all }
	functions := func(all ...source.Change) []source.Change { return all }
	f, g := change(source.Function, "m.F"), change(source.Function, "m.G")
	provenF := proven(modified("m.F", spectra.TierValue))
	for _, c := range []struct {
		reason         string
		changes        []source.Change
		known, further []*diff.Finding
		want           bool
	}{
		{"the same, internal", functions(f), list(provenF), list(modified("m.F", spectra.TierInternal)), true},
		{"the same, a crash", functions(f), list(provenF), list(modified("m.F", spectra.TierCrash)), false},
		{"another function", functions(f), list(provenF), list(modified("m.G", spectra.TierInternal)), false},
		{"what nothing shows", functions(f, g), list(provenF), list(modified("m.F", spectra.TierInternal)), false},
		{
			"two changes, both proven", functions(f, g), list(provenF, proven(modified("m.G", spectra.TierValue))),
			list(modified("m.G", spectra.TierValue), modified("m.F", spectra.TierValue)), true,
		},
		{
			"not proven", functions(f), list(modified("m.F", spectra.TierValue)),
			list(modified("m.F", spectra.TierValue)), false,
		},
		{
			"a variable changed, too", append(functions(f), change(source.Variable, "m.v")), list(provenF),
			list(modified("m.F", spectra.TierValue)), false,
		},
		{
			"a variable alone, and an import", functions(change(source.Variable, "m.F"), change(source.Import, "fmt")),
			list(provenF), list(modified("m.F", spectra.TierValue)), true,
		},
		{
			"a helper is there now", functions(f, added("m.helper")), list(provenF),
			list(modified("m.F", spectra.TierValue)), true,
		},
		{
			"a method is there now", functions(f, added("m.(*T).String")), list(provenF),
			list(modified("m.F", spectra.TierValue)), false,
		},
		{
			"a function in the place of a predeclared one", functions(f, added("m.min")),
			list(provenF), list(modified("m.F", spectra.TierValue)), false,
		},
	} {
		p := &plan.Plan{Changes: &source.Changes{Declarations: c.changes}}
		if got := group.Settles(p, c.known, c.further); got != c.want {
			t.Errorf("%s: %t", c.reason, got)
		}
	}
}

// TestOpen: what is no declaration is never proven, and where nothing changed nothing is proven either.
func TestOpen(t *testing.T) {
	modifiedFunction := func(name string) source.Change {
		return source.Change{Kind: source.Function, Symbol: spectra.Symbol(name), What: spectra.ChangeModified}
	}
	f, g := modifiedFunction("m.F"), modifiedFunction("m.G")
	method := source.Change{Kind: source.Function, Symbol: "m.(*T).String", What: spectra.ChangeAdded}
	likely, proven := modified("m.F", spectra.TierValue), modified("m.F", spectra.TierValue)
	proven.Proof = &diff.Proof{Sufficient: true, Necessary: true}
	calls := modified("m.F", spectra.TierCalls)
	calls.Proof = proven.Proof
	for _, c := range []struct {
		reason  string
		changes []source.Change
		known   *diff.Finding
		want    float64
	}{
		{"proven", []source.Change{f}, proven, 0},
		{"a half", []source.Change{f, g}, proven, 0.5},
		{"likely alone", []source.Change{f}, likely, 1},
		{"no value differs", []source.Change{f}, calls, 1},
		{"a method is there now", []source.Change{f, method}, proven, 0.5},
		{"nothing", nil, proven, 1},
	} {
		p := &plan.Plan{Changes: &source.Changes{Declarations: c.changes}}
		if got := group.Open(p, []*diff.Finding{c.known}); got != c.want {
			t.Errorf("%s: %g, want %g", c.reason, got, c.want)
		}
	}
}

func TestFold(t *testing.T) {
	finding := func(function string, tier spectra.Tier, old, new string) *diff.Finding {
		f := modified(function, tier)
		f.Sequences, f.Own = len(function), diff.Difference{Path: "ret0", Old: old, New: new}
		return f
	}
	list := []*diff.Finding{
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
		got += fmt.Sprint(f.Cause.Symbol, " ", f.Sequences)
		for _, p := range f.Places {
			got += fmt.Sprint(" ", p.Cause.Symbol)
		}
		got += "; "
	}
	if want := "m.A 3; m.B 7 m.Long m.Inner; m.C 3; m.D 3; m.E 3; "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestFoldShapes: what has the same code for several types, and changes alike, is one finding.
func TestFoldShapes(t *testing.T) {
	finding := func(function, shape, old, new string) *diff.Finding {
		f := modified(function, spectra.TierError)
		f.Own, f.Identity.Shape = diff.Difference{Path: "ret1", Old: old, New: new}, shape
		return f
	}
	got := ""
	for _, f := range group.Fold([]*diff.Finding{
		finding("m.A", "x", "&errors.errorString{s: 1}", "nil"),
		finding("m.B", "x", "&errors.errorString{s: 2}", "nil"),
		finding("m.C", "y", "&errors.errorString{s: 1}", "nil"),
		finding("m.D", "", "&errors.errorString{s: 1}", "nil"),
		finding("m.E", "", "&errors.errorString{s: 1}", "nil"), finding("m.F", "x", "7", "nil"),
		finding("m.G", "x", "m.T{}", "m.T{1}"), finding("m.H", "x", "m.T{}", "m.T{1}"),
	}) {
		got += fmt.Sprint(f.Cause.Symbol, len(f.Places), " ")
	}
	if want := "m.A1 m.C0 m.D0 m.E0 m.F0 m.G0 m.H0 "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestFoldBlock: constants that are counted on are one finding, the worst of which leads, whatever the others do.
func TestFoldBlock(t *testing.T) {
	finding := func(function, block string, tier spectra.Tier) *diff.Finding {
		f := modified(function, tier)
		f.Cause.Change, f.Identity.Block = spectra.ChangeVariable, block
		return f
	}
	got := ""
	for _, f := range group.Fold([]*diff.Finding{
		finding("m.a", "m.first", spectra.TierError), finding("m.x", "", spectra.TierValue),
		finding("m.b", "m.first", spectra.TierInternal), finding("m.c", "m.other", spectra.TierInternal),
	}) {
		got += fmt.Sprint(f.Cause.Symbol, " ", len(f.Places), "; ")
	}
	if want := "m.a 1; m.x 0; m.c 0; "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestFoldTogether: changes that lead to something only together are one finding, whatever the order in which they are
// named; what takes one of them and another is its own.
func TestFoldTogether(t *testing.T) {
	finding := func(function string, with ...spectra.Symbol) *diff.Finding {
		f := modified(function, "")
		f.Proof = &diff.Proof{Sufficient: true, With: with}
		return f
	}
	folded := group.Fold([]*diff.Finding{
		finding("m.A", "m.C", "m.B"), finding("m.B"), finding("m.C", "m.B", "m.A"), finding("m.B", "m.A"),
	})
	if len(folded) != 3 || len(folded[0].Places) != 1 || folded[0].Places[0].Cause.Symbol != "m.C" {
		t.Errorf("got %+v, want m.C as a place of m.A", folded)
	}
}

// TestFoldInteracting: what shows only together with something else is folded by its effect like everything else.
func TestFoldInteracting(t *testing.T) {
	finding := func(function string, with ...spectra.Symbol) *diff.Finding {
		f := modified(function, spectra.TierLatent)
		f.Proof = &diff.Proof{Sufficient: true, With: with}
		f.Own = diff.Difference{Path: "ret0", Old: "&a.E{}", New: "&b.E{}"}
		return f
	}
	folded := group.Fold([]*diff.Finding{finding("m.A", "m.err"), finding("m.B"), finding("m.C", "m.err", "m.A")})
	if len(folded) != 1 || len(folded[0].Places) != 2 {
		t.Errorf("got %+v, want m.B and m.C as places of m.A", folded)
	}
}

// TestCompare: harm comes first, then proof, then its direction.
func TestCompare(t *testing.T) {
	finding := func(tier spectra.Tier, reverse, proven bool) *diff.Finding {
		f := modified("m.F", tier)
		f.Effect.Reverse, f.Proof = reverse, &diff.Proof{Sufficient: proven, Necessary: proven}
		return f
	}
	onNil, only := finding(spectra.TierCrash, false, true), finding(spectra.TierCrash, false, true)
	onNil.OnNil, only.Only = true, true
	onNegative := finding(spectra.TierCrash, false, true)
	onNegative.OnNegative = true
	order := []*diff.Finding{
		finding(spectra.TierCrash, false, true), finding(spectra.TierCrash, true, true),
		finding(spectra.TierCrash, false, false), finding(spectra.TierCrash, true, false),
		onNegative, finding(spectra.TierError, false, true), onNil, only,
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
	finding := func(function string, tier spectra.Tier, n int) *diff.Finding {
		f := modified(function, tier)
		f.Sequences, f.Deviations = n, make([]diff.Occurrence, 1)
		return f
	}
	list := group.Join([]*diff.Finding{
		finding("m.A", spectra.TierText, 3), finding("m.B", spectra.TierText, 1), finding("m.A", spectra.TierCrash, 2),
		finding("m.A", spectra.TierValue, 5),
	})
	if len(list) != 2 || list[0].Tier() != spectra.TierCrash || list[0].Sequences != 5 ||
		len(list[0].Deviations) != 3 {
		t.Errorf("got %+v, want all of m.A in one, a crash", list)
	}
	likely, proven := finding("m.A", spectra.TierValue, 7), finding("m.A", spectra.TierValue, 1)
	proven.Proof = &diff.Proof{Sufficient: true, Necessary: true}
	if list := group.Join([]*diff.Finding{likely, proven}); !list[0].Confirmed() || list[0].Sequences != 7 {
		t.Errorf("got %+v, want the proven one to lead", list[0])
	}
	worse := finding("m.A", spectra.TierCrash, 1)
	list = group.Join([]*diff.Finding{proven, worse, finding("m.A", spectra.TierCrash, 2)})
	if len(list) != 1 || list[0].Confirmed() || list[0].Tier() != spectra.TierCrash || list[0].Proven != proven {
		t.Errorf("got %+v, want the worst one to lead, and to know the proven one", list[0])
	}
}

// TestJoinInitialProof: that a change leads to the value before any call proves no other effect of it.
func TestJoinInitialProof(t *testing.T) {
	for _, c := range []struct {
		reason  string
		name    spectra.Symbol // of the variable
		visible bool
		want    bool
	}{
		{"the value is what the finding stands for", "m.a", true, true},
		{"what calls showed is worse, and nobody proved that", "m.a", false, false},
		{"the value is that of another variable", "m.b", true, false},
	} {
		shown := modified("m.a", spectra.TierInternal)
		shown.Cause.Change, shown.Sequences, shown.Example.Case = spectra.ChangeVariable, 3, &diff.Case{}
		shown.Proof = &diff.Proof{Sufficient: true}
		v := &diff.Initial{Variable: c.name, Visible: c.visible}
		with := &diff.Finding{
			Cause: shown.Cause, Initial: v, Deviations: []diff.Occurrence{{Initial: v}},
			Proof: &diff.Proof{Sufficient: true, Necessary: true},
		}
		list := group.JoinInitial([]*diff.Finding{shown}, []*diff.Finding{with})
		if len(list) != 1 || list[0].Confirmed() != c.want {
			t.Errorf("%s: confirmed: %t", c.reason, !c.want)
		}
	}
}

// TestJoinInitial: a variable that differs before any call is the finding of its change, where calls showed it too.
func TestJoinInitial(t *testing.T) {
	variable := func(name spectra.Symbol, visible bool) *diff.Finding {
		v := &diff.Initial{Variable: name, Visible: visible}
		cause := diff.Cause{Symbol: name, Change: spectra.ChangeVariable}
		return &diff.Finding{Cause: cause, Initial: v, Deviations: []diff.Occurrence{{Initial: v}}}
	}
	shown := modified("m.a", spectra.TierInternal)
	shown.Cause.Change, shown.Sequences, shown.Example.Case = spectra.ChangeVariable, 3, &diff.Case{}
	ledTo := variable("m.b", true)
	ledTo.Cause = shown.Cause
	for _, c := range []struct {
		reason  string
		with    *diff.Finding
		want    int
		leading spectra.Tier
	}{
		{"others can read it, which is worse than what calls showed", variable("m.a", true), 1, spectra.TierValue},
		{"nobody else can read it, so what calls showed is worse", variable("m.a", false), 1, spectra.TierInternal},
		{"another one", variable("m.b", true), 2, spectra.TierInternal},
		{"the first one's change is proven to lead to it", ledTo, 1, spectra.TierInternal},
	} {
		list := group.JoinInitial([]*diff.Finding{shown}, []*diff.Finding{c.with})
		if len(list) != c.want || list[0].Tier() != c.leading || len(shown.Deviations) > 0 {
			t.Errorf("%s: %d findings, the first %s", c.reason, len(list), list[0].Tier())
		}
	}
}
