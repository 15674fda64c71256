package proof_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/proof"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A program says what a call of m.F returns when some units are new. Old returns 1.
type program func(new map[spectra.Symbol]bool) string

// compared compares old, in which m.F returns 1, with a program in which it returns something else.
func compared(result string) *diff.Comparison {
	spectrum := func(result string) *spectra.Spectrum {
		return difftest.Spectrum("m.F(n=3) -> ret0=" + result + "\n\tm.G(n=3) -> ret0=0\n\tm.H(n=3) -> ret0=0")
	}
	common := map[spectra.Symbol]spectra.Symbol{"m.F": "m.F", "m.G": "m.G", "m.H": "m.H"}
	return diff.Compare(spectrum("1"), spectrum(result), diff.Options{Common: common})
}

// example is a root of the function with the effect that m.F returns another value.
func example(function spectra.Symbol, result string) *diff.Finding {
	c := compared(result)
	effect := diff.Effect{Tier: spectra.TierCalls}
	if len(c.Deviations) > 0 {
		effect = c.Effect(c.Deviations[0])
	}
	cause := diff.Cause{Symbol: function, Change: spectra.ChangeModified}
	return &diff.Finding{
		Blamed: cause, Cause: cause, Effect: effect,
		Example: diff.Example{Case: &diff.Case{Comparison: c}, Effect: effect},
	}
}

// A tested has a finding to prove on a program.
type tested struct {
	*proof.Subject
	finding *diff.Finding
}

// subject tries to prove that the function is the cause of what the program does when all units are new.
func subject(base spectra.Side, function spectra.Symbol, of program, units ...spectra.Symbol) tested {
	all := map[spectra.Symbol]bool{}
	s := tested{
		Subject: &proof.Subject{Base: base, Unswitchable: map[spectra.Symbol]string{"m.Left": "it has no body"}},
	}
	for _, unit := range units {
		s.Units = append(s.Units, []spectra.Symbol{unit})
		all[unit] = true
	}
	if s.finding = example(function, of(all)); function == "m.Gone" {
		s.finding = example(function, "2") // what the program never shows
	}
	s.Play = func(
		_ context.Context, _ int, choice string, _ *diff.Finding, _ *replay.Memory, _ bool,
	) (*diff.Comparison, error) {
		new := map[spectra.Symbol]bool{}
		for i, unit := range units {
			new[unit] = (choice[i] == wire.UnitBase) == (base == spectra.New)
		}
		return compared(of(new)), nil
	}
	return s
}

func prove(t *testing.T, s tested, before *diff.Proof) diff.Proof {
	t.Helper()
	s.finding.Proof = before
	findings, err := proof.Try(t.Context(), &replay.Workers{Jobs: 1}, s.Subject, []*diff.Finding{s.finding})
	if err != nil {
		t.Fatal(err)
	}
	return *findings[0].Proof
}

// when returns a program that returns the value if all of the units are new, otherwise 1.
func when(value string, units ...spectra.Symbol) program {
	return func(new map[spectra.Symbol]bool) string {
		for _, unit := range units {
			if !new[unit] {
				return "1"
			}
		}
		return value
	}
}

func TestRoots(t *testing.T) {
	many := []spectra.Symbol{"m.F", "m.G", "m.H"}
	for i := range 40 {
		many = append(many, spectra.Symbol(fmt.Sprintf("m.X%d", i)))
	}
	for _, c := range []struct {
		reason   string
		function spectra.Symbol
		of       program
		units    []spectra.Symbol
		want     diff.Proof
		why      string // what the reason contains
	}{
		{
			"one change alone does it, and without it nothing does", "m.F", when("2", "m.F"), many,
			diff.Proof{Sufficient: true, Necessary: true, Trials: 4}, "",
		},
		{
			"two changes do it together", "m.F", when("2", "m.F", "m.X7"), many,
			diff.Proof{Sufficient: true, Necessary: true, With: []spectra.Symbol{"m.X7"}}, "",
		},
		{
			"another change does it", "m.F", when("2", "m.H"), many,
			diff.Proof{Sufficient: true, Necessary: true, Instead: []spectra.Symbol{"m.H"}}, "",
		},
		{
			"two other changes do it together", "m.F", when("2", "m.H", "m.X3"), many,
			diff.Proof{Sufficient: true, Necessary: true, Instead: []spectra.Symbol{"m.H", "m.X3"}}, "",
		},
		{
			"each of two changes does it", "m.F",
			func(new map[spectra.Symbol]bool) string {
				if new["m.F"] || new["m.G"] {
					return "2"
				}
				return "1"
			}, many,
			diff.Proof{Sufficient: true, Also: []spectra.Symbol{"m.G"}}, "",
		},
		{
			"a change alone, and two others together", "m.F",
			func(new map[spectra.Symbol]bool) string {
				if new["m.F"] || new["m.G"] && new["m.X9"] {
					return "2"
				}
				return "1"
			}, many,
			diff.Proof{Sufficient: true, Also: []spectra.Symbol{"m.G"}}, "",
		},
		{
			"another one does it, and without that a third one keeps the change from it", "m.F",
			func(new map[spectra.Symbol]bool) string {
				does := new["m.F"]
				does = does && !new["m.G"]
				if does = does || new["m.H"]; does {
					return "2"
				}
				return "1"
			}, many,
			diff.Proof{Sufficient: true, Also: []spectra.Symbol{"m.G", "m.H"}}, "",
		},
		{
			"each of four changes does it", "m.F",
			func(new map[spectra.Symbol]bool) string {
				if new["m.F"] || new["m.G"] || new["m.X3"] || new["m.X20"] {
					return "2"
				}
				return "1"
			}, many,
			diff.Proof{Sufficient: true, Also: []spectra.Symbol{"m.G", "m.X3", "m.X20"}}, "",
		},
		{
			"each of too many changes does it", "m.F",
			func(new map[spectra.Symbol]bool) string {
				for _, is := range new {
					if is {
						return "2"
					}
				}
				return "1"
			}, many,
			diff.Proof{Sufficient: true}, "new shows it without this change, too",
		},
		{
			"half of a change does other harm, and that proves nothing", "m.F",
			func(new map[spectra.Symbol]bool) string {
				switch {
				case new["m.F"] && new["m.G"]:
					return "2"
				case new["m.F"]:
					return "99"
				}
				return "1"
			}, many,
			diff.Proof{Sufficient: true, Necessary: true, With: []spectra.Symbol{"m.G"}}, "",
		},
		{
			"what is no unit may have a cause that is one", "m.Left", when("2", "m.G"), many,
			diff.Proof{Sufficient: true, Necessary: true, Instead: []spectra.Symbol{"m.G"}}, "",
		},
		{
			"nothing that can be taken back leads to it", "m.F",
			func(map[spectra.Symbol]bool) string { return "2" }, many,
			diff.Proof{Trials: 1, Outside: true, Unfit: true}, "change undone",
		},
		{
			"with all units new the program is not new", "m.Gone", when("1"), many,
			diff.Proof{Trials: 2, Unfit: true}, "does not show the example's effect, all of them in place",
		},
		{
			"nothing can be switched", "m.Left", when("2"), nil,
			diff.Proof{Trials: 1, Outside: true, Unfit: true}, "change undone",
		},
		{
			"no value differs", "m.F", when("1", "m.F"), many,
			diff.Proof{}, "no value differs",
		},
	} {
		for _, base := range spectra.Sides() {
			t.Run(c.reason+" "+string(base), func(t *testing.T) {
				got := prove(t, subject(base, c.function, c.of, c.units...), nil)
				if !strings.Contains(got.Reason, c.why) || c.why == "" && got.Reason != "" {
					t.Errorf("reason %q, want one with %q", got.Reason, c.why)
				}
				if got.Trials > 60 {
					t.Errorf("%d trials", got.Trials)
				}
				if c.want.Trials == 0 {
					got.Trials = 0
				}
				want := c.want
				want.Outside = want.Outside && base == spectra.New // else the types and dependencies are old's
				if got.Reason = ""; !reflect.DeepEqual(got, want) {
					t.Errorf("got %+v, want %+v", got, want)
				}
			})
		}
	}
}

// TestUndecided: what can't be compared, or not be played, decides nothing; neither does what takes too many trials to
// find: not all of it may be needed.
func TestUndecided(t *testing.T) {
	fails := func(of error, incomparable string) tested {
		s := subject(spectra.New, "m.F", when("2", "m.F"), "m.F", "m.G")
		play := s.Play
		s.Play = func(
			ctx context.Context, worker int, choice string, f *diff.Finding, m *replay.Memory, once bool,
		) (*diff.Comparison, error) {
			if choice == "ob" { // new without the root's change
				return &diff.Comparison{Root: &diff.Node{}, Incomparable: incomparable}, of
			}
			return play(ctx, worker, choice, f, m, once)
		}
		return s
	}
	stillborn := fmt.Errorf("play: %w", &replay.Uninitialised{Package: "m", Reason: "fails: panic"})
	for _, s := range []tested{
		fails(nil, "it was ended"), fails(judge.ErrTimeUp, ""), fails(stillborn, ""),
		fails(errors.New("the program ended before it began"), ""), // as neither version does
	} {
		got := prove(t, s, nil)
		if got.Confirmed() || got.Sufficient || got.Necessary || got.Reason == "" {
			t.Errorf("got %+v, want nothing but a reason", got)
		}
	}
	many := []spectra.Symbol{"m.F"}
	for i := range 50 {
		many = append(many, spectra.Symbol(fmt.Sprintf("m.X%d", i)))
	}
	for _, units := range [][]spectra.Symbol{many, many[1:]} { // with the blamed one, and instead of it
		got := prove(t, subject(spectra.New, "m.F", when("2", units...), many...), nil)
		got.Trials = max(got.Trials, 60)
		const why = "it takes several changes, and 60 trials did not find which"
		want := diff.Proof{Trials: 60, Reason: why}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

// TestRootsAgain: only what the first program could not tell of is tried on the second, and what it said stands where
// the second can't tell either.
func TestRootsAgain(t *testing.T) {
	s := subject(spectra.New, "m.F", when("2", "m.F"), "m.F")
	proven := diff.Proof{Sufficient: true, Trials: 7}
	if got := prove(t, s, &proven); !reflect.DeepEqual(got, proven) {
		t.Errorf("got %+v, want what was known", got)
	}
	unfit := diff.Proof{Unfit: true, Reason: "of the first"}
	if got := prove(t, s, &unfit); !got.Confirmed() {
		t.Errorf("got %+v, want a proof on the second program", got)
	}
	s = subject(spectra.New, "m.Left", func(map[spectra.Symbol]bool) string { return "2" }, "m.F")
	if got := prove(t, s, &unfit); got.Reason != "of the first" {
		t.Errorf("got %+v, want what the first program said", got)
	}
	fails := func(of error) tested {
		s := subject(spectra.Old, "m.F", when("2", "m.F"), "m.F")
		s.Play = func(
			context.Context, int, string, *diff.Finding, *replay.Memory, bool,
		) (*diff.Comparison, error) {
			return &diff.Comparison{Root: &diff.Node{}, Incomparable: "it was ended"}, of
		}
		return s
	}
	for _, s := range []tested{fails(nil), fails(judge.ErrTimeUp)} {
		outside := diff.Proof{Unfit: true, Outside: true, Reason: "of the first"}
		if got := prove(t, s, &outside); !got.Outside || got.Reason != "of the first" {
			t.Errorf("got %+v, want what the first program said", got)
		}
	}
	s = subject(spectra.New, "m.F", when("2", "m.F"), "m.F")
	play := s.Play
	s.Play = func(
		ctx context.Context, worker int, choice string, f *diff.Finding, m *replay.Memory, once bool,
	) (*diff.Comparison, error) {
		c, err := play(ctx, worker, choice, f, m, once)
		if !once {
			c.Incomparable = "it was ended"
		}
		return c, err
	}
	first := prove(t, s, nil)
	if again := subject(spectra.Old, "m.F", when("2", "m.F"), "m.F"); !first.Unfit || first.Confirmed() {
		t.Errorf("got %+v, want that the second program is tried", first)
	} else if got := prove(t, again, &first); !got.Confirmed() {
		t.Errorf("got %+v, want a proof on the second program", got)
	}
}

// TestBuilt: what shows with all changes taken back on the base of new, and not with all of them on the base of old,
// comes from how programs are built, if nothing else changed that could bring it.
func TestBuilt(t *testing.T) {
	always := func(map[spectra.Symbol]bool) string { return "2" }
	first := prove(t, subject(spectra.New, "m.F", always, "m.G"), nil)
	for _, c := range []struct {
		reason string
		edit   func(*tested)
		want   bool
	}{
		{"nothing of the root changed, and all changes are in the program", func(*tested) {}, true},
		{"the root changed", func(s *tested) { s.finding.Blamed.Change = spectra.ChangeModified }, false},
		{"the root's change is in the programs, and another function deviates", func(s *tested) {
			s.finding.Blamed.Symbol, s.finding.Blamed.Change = "m.G", spectra.ChangeModified
			s.finding.Example.Node = &diff.Node{Function: "m.F"}
		}, false},
		{"the root's change is in the programs, and did no more than run before", func(s *tested) {
			s.finding.Blamed.Symbol, s.finding.Blamed.Change = "m.G", spectra.ChangeModified
			s.finding.Example.Evidence = &diff.Evidence{Route: diff.RouteNearby}
		}, true},
		{"other code uses a change that is in the programs, and is not switched with it", func(s *tested) {
			s.Lacks = []proof.Lack{{User: "m.Other", Of: "m.G", Run: []spectra.Symbol{"m.Other"}}}
		}, false},
		{"a file changed", func(s *tested) { s.Lacks = []proof.Lack{{Of: "words.txt"}} }, false},
		{"a change is not in the program, and the example does not run it", func(s *tested) {
			s.Lacks = []proof.Lack{{Of: "m.Left", Run: []spectra.Symbol{"m.Left"}}}
		}, false},
		{"a type changed", func(s *tested) { s.Lacks = []proof.Lack{{Of: "m.T", Outer: true}} }, false},
		{"no change is in the program", func(s *tested) {
			s.Units, s.Play = nil, subject(spectra.Old, "m.Gone", when("1")).Play
		}, false},
		{"the program on the base of new", func(s *tested) { s.Base = spectra.New }, false},
		{"that on the base of old differs from old as well", func(s *tested) {
			s.Play = subject(spectra.Old, "m.F", always, "m.G").Play
		}, false},
		{"that on the base of old can't even begin", func(s *tested) {
			s.Play = func(
				context.Context, int, string, *diff.Finding, *replay.Memory, bool,
			) (*diff.Comparison, error) {
				return nil, &replay.Uninitialised{Package: "m", Reason: "fails: panic"}
			}
		}, false},
	} {
		s := subject(spectra.Old, "m.Gone", when("1"), "m.G")
		clear(s.Unswitchable)
		s.finding.Blamed.Change = spectra.ChangeUnknown
		c.edit(&s)
		if got := prove(t, s, &first); got.Built != c.want {
			t.Errorf("%s: %+v, want built %v", c.reason, got, c.want)
		}
	}
}

// TestLacks: where the example may touch what has new's version of a change whatever is switched, it is not something
// else that leads to the effect, and the reason names it. Types and dependencies are what else there is.
func TestLacks(t *testing.T) {
	run := func(name spectra.Symbol) []spectra.Symbol { return []spectra.Symbol{name} }
	for _, c := range []struct {
		lack    proof.Lack
		outside bool
		why     string
	}{
		{
			proof.Lack{User: "m.H", Of: "m.limit", Run: run("m.H")}, false,
			"m.H can't be exchanged together with m.limit",
		},
		{proof.Lack{User: "m.H", Of: "m.limit"}, false, "m.H can't be exchanged together with m.limit"},
		{proof.Lack{User: "m.H", Of: "m.limit", Run: run("m.Other")}, true, "still differs from old"},
		{proof.Lack{Of: "m.init.0"}, false, "m.init.0 can't be exchanged"},
		{proof.Lack{Of: "m.T.String", Run: run("m.T.String")}, false, "m.T.String can't be exchanged"},
		{proof.Lack{Of: "m.Other", Run: run("m.Other")}, true, "still differs from old"},
		{proof.Lack{Of: "m.T", Outer: true}, true, "still differs from old"},
	} {
		s := subject(spectra.New, "m.F", func(map[spectra.Symbol]bool) string { return "2" }, "m.G")
		s.finding.Example.Case.Comparison.Root.Hidden = []diff.Hidden{{
			Execution: &spectra.Execution{Symbol: "m.T.String"}, // of a method that only one version has
		}}
		s.Lacks = []proof.Lack{c.lack}
		got := prove(t, s, nil)
		if got.Outside != c.outside || !strings.HasSuffix(got.Reason, c.why) {
			t.Errorf("with %+v: got %+v, want outside %v, and %q", c.lack, got, c.outside, c.why)
		}
	}
}

// TestAmid: where old with new's dependencies differs from old, a change is proven amid these if they leave the place
// of the effect as old has it.
func TestAmid(t *testing.T) {
	dependencies := []proof.Lack{{Of: "dependencies", Outer: true}}
	elsewhere, there, ends := "m.G(n=3) -> ret0=9", "m.F(n=3) -> ret0=3", "m.G(n=3) -> !open\nend exited"
	for _, c := range []struct {
		reason string
		lacks  []proof.Lack
		of     program // m.F's result
		always string  // an execution that differs whatever is switched
		want   bool
	}{
		{"they differ elsewhere", dependencies, when("2", "m.F"), elsewhere, true},
		{"they differ there as well", dependencies, when("2", "m.F"), there, false},
		{"they may keep the run from getting there", dependencies, when("2", "m.F"), ends, false},
		{"all is in the program", nil, when("2", "m.F"), elsewhere, false},
		{"something else is not in the program", append([]proof.Lack{{Of: "m.init.0"}}, dependencies...),
			when("2", "m.F"), elsewhere, false},
		{"another change leads to it", dependencies, when("2", "m.H"), elsewhere, true},
		{"another change leads to it as well", dependencies, func(new map[spectra.Symbol]bool) string {
			if new["m.F"] || new["m.H"] {
				return "2"
			}
			return "1"
		}, elsewhere, true},
	} {
		compare := func(of string) *diff.Comparison {
			old := "m.F(n=3) -> ret0=1\n--\nm.G(n=3) -> ret0=0"
			new := "m.F(n=3) -> ret0=" + of + "\n--\n" + c.always
			if c.always == there {
				new = there + "\n--\nm.G(n=3) -> ret0=0"
			}
			common := map[spectra.Symbol]spectra.Symbol{"m.F": "m.F", "m.G": "m.G"}
			return diff.Compare(difftest.Spectrum(old), difftest.Spectrum(new), diff.Options{Common: common})
		}
		s := subject(spectra.New, "m.F", c.of, "m.F", "m.H")
		s.Lacks = c.lacks
		s.Play = func(
			_ context.Context, _ int, choice string, _ *diff.Finding, _ *replay.Memory, _ bool,
		) (*diff.Comparison, error) {
			return compare(c.of(map[spectra.Symbol]bool{
				"m.F": choice[0] == wire.UnitBase, "m.H": choice[1] == wire.UnitBase,
			})), nil
		}
		first := prove(t, s, nil)
		if !first.Unfit || first.Sufficient {
			t.Errorf("%s: at first %+v, want that the program can't tell", c.reason, first)
		}
		s.finding.Proof = &first
		list, err := proof.Amid(t.Context(), &replay.Workers{Jobs: 1}, s.Subject, []*diff.Finding{s.finding})
		if err != nil {
			t.Fatal(err)
		}
		got := *list[0].Proof
		if got.Confirmed() != c.want || got.Amid != c.want || !c.want && !reflect.DeepEqual(got, first) {
			t.Errorf("%s: %+v, want it proven: %v", c.reason, got, c.want)
		}
	}
}

// TestUnit: changes that are switched at once are proven together, and no one of them alone. What is there only because
// it calls others of the unit is none of them.
func TestUnit(t *testing.T) {
	for _, c := range []struct {
		reason  string
		blamed  spectra.Symbol
		unit    []spectra.Symbol
		adapted []spectra.Symbol
		cause   string
		with    string
	}{
		{"two edits", "m.F", []spectra.Symbol{"m.F", "m.G"}, nil, "m.F", "[m.G]"},
		{"one edit", "m.F", []spectra.Symbol{"m.F", "m.G"}, []spectra.Symbol{"m.G"}, "m.F", "[]"},
		{"the edit of another", "m.F", []spectra.Symbol{"m.F", "m.G"}, []spectra.Symbol{"m.F"}, "m.F", "[m.G]"},
		{"no edit", "m.F", []spectra.Symbol{"m.F", "m.G"}, []spectra.Symbol{"m.F", "m.G"}, "m.F", "[]"},
		{"two edits instead", "m.Left", []spectra.Symbol{"m.F", "m.G"}, nil, "m.F", "[m.G]"},
		{"one edit instead", "m.Left", []spectra.Symbol{"m.F", "m.G"}, []spectra.Symbol{"m.F"}, "m.G", "[]"},
	} {
		s := subject(spectra.New, c.blamed, when("2", "m.F"), "m.F")
		s.Units[0], s.Adapted = c.unit, map[spectra.Symbol]bool{}
		for _, name := range c.adapted {
			s.Adapted[name] = true
		}
		found := *s.finding
		proven := prove(t, s, nil)
		found.Proof = &proven
		changes := root.Changes{Functions: []root.Function{{Symbol: "m.F"}, {Symbol: "m.G"}}}
		of := proof.Settle([]*diff.Finding{&found}, changes)[0]
		if !of.Confirmed() || string(of.Cause.Symbol) != c.cause || fmt.Sprint(of.With()) != c.with {
			t.Errorf("%s: got %s with %v, want %s with %s: %+v",
				c.reason, of.Cause.Symbol, of.With(), c.cause, c.with, proven)
		}
	}
}
