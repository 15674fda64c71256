package judge_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TestUnfinished checks that a run which never ends is compared up to there, and that it doesn't matter when it was
// killed.
func TestUnfinished(t *testing.T) {
	const ends = "m.F(a=1) -> ret0=2\n  m.G(x=1) -> ret0=1"
	for _, c := range []struct{ reason, first, second, like, want string }{
		{
			"it stays where it is",
			"m.F(a=1) -> !open\n  m.G(x=1) -> !open", "m.F(a=1) -> !open\n  m.G(x=1) -> !open", ends,
			"F {old returned new still running}: G {old returned new still running}",
		},
		{
			"it goes on and on in a loop: no more calls than the other version made",
			"m.F(a=1) -> !open\n  m.G(x=1) -> ret0=1\n  m.G(x=1) -> ret0=1\n  m.G(x=1) -> !open",
			"m.F(a=1) -> !open\n  m.G(x=1) -> ret0=1\n  m.G(x=1) -> ret0=1\n  m.G(x=1) -> ret0=1\n  m.H(x=1) -> !open",
			ends, "F {old returned new still running}: G {old returned new returned}",
		},
		{
			"it was killed before the call, or in it",
			"m.F(a=1) -> !open", "m.F(a=1) -> !open\n  m.G(x=1) -> !open", ends,
			"F {old returned new still running}:",
		},
	} {
		cut := judge.CutUnended(difftest.Spectrum(c.first), difftest.Spectrum(c.second), difftest.Spectrum(c.like))
		f, like := cut.Steps[0].Calls[0], difftest.Spectrum(c.like).Steps[0].Calls[0]
		got := "F {old " + like.How.String() + " new " + f.How.String() + "}:"
		for i, e := range f.Children {
			got += " " + e.Symbol.Short() + " {old " + like.Children[i].How.String() + " new " + e.How.String() + "}"
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.reason, got, c.want)
		}
	}
}

// TestEndless checks that a run which a clock ended is compared only if it is known not to end, and that when it was
// killed does not show.
func TestEndless(t *testing.T) {
	old := difftest.Spectrum("m.F(a=1) -> ret0=2\n--\nm.G(x=1) -> ret0=1")
	old.Steps[0].Results, old.Stdout = []spectra.Output{{Text: "2"}}, "printed\n"
	new := difftest.Spectrum("m.F(a=1) -> ret0=2\n--\nm.G(x=1) -> !open\nend timeout")
	if c := diff.Compare(old, new, diff.Options{}); c.Incomparable == "" {
		t.Error("it was compared")
	}
	new.End.Detail = "waits"
	c := diff.Compare(old, judge.CutUnended(new, new, old), diff.Options{Endless: true})
	if len(c.Deviations) != 1 || len(c.Outputs) != 1 {
		t.Fatalf("deviations %v, outputs %v: want how it ends, once each", c.Deviations, c.Outputs)
	}
	d := c.Deviations[0]
	if d.Kind != spectra.KindExit || d.Function != "m.G" || d.Old != "returned" || d.New != "does not end: waits" {
		t.Errorf("got %+v", d)
	}
	if open := judge.OpenExecutions(new); len(open) != 1 || open[0].Symbol != "m.G" {
		t.Errorf("open are %v, want G", open)
	}
}

// TestLimited checks that of two runs that used up their steps only what both came to is compared, and all of that.
func TestLimited(t *testing.T) {
	loop := func(n int) string { return strings.Repeat("\n  m.G(x=1) -> ret0=1", n) }
	stubs := func(s *spectra.Spectrum, texts ...string) *spectra.Spectrum {
		for _, text := range texts {
			one := spectra.StubCall{Output: spectra.Output{Text: text, Digest: spectra.Digest{uint64(text[0])}}}
			s.StubCalls = append(s.StubCalls, one)
		}
		return s
	}
	for _, c := range []struct {
		reason   string
		old, new *spectra.Spectrum
		deviates bool
	}{
		{
			"one came further in a loop",
			difftest.Spectrum("m.F(a=1) -> !open" + loop(3)), difftest.Spectrum("m.F(a=1) -> !open" + loop(2)), false,
		},
		{
			"what the loop does differs",
			difftest.Spectrum("m.F(a=1) -> !open" + loop(3)),
			difftest.Spectrum("m.F(a=1) -> !open" + loop(1) + "\n  m.G(x=1) -> ret0=2"), true,
		},
		{
			"one was in a call that the other had behind it",
			difftest.Spectrum("m.F(a=1) -> !open\n  m.G(x=1) -> !open"),
			difftest.Spectrum("m.F(a=1) -> !open" + loop(1)), false,
		},
		{
			"other functions are called",
			difftest.Spectrum("m.F(a=1) -> !open\n  m.G(x=1) -> ret0=1"),
			difftest.Spectrum("m.F(a=1) -> !open\n  m.H(x=1) -> ret0=1\n  m.H(x=1) -> !open"), true,
		},
		{
			"one came to another statement",
			difftest.Spectrum("m.F(a=1) -> ret0=1\n--\nm.F(a=2) -> !open"),
			difftest.Spectrum("m.F(a=1) -> ret0=1\n--\nm.F(a=2) -> ret0=1\n--\nm.F(a=3) -> !open"), false,
		},
		{
			"a statement before that differs",
			difftest.Spectrum("m.F(a=1) -> ret0=1\n--\nm.F(a=2) -> !open"),
			difftest.Spectrum("m.F(a=1) -> ret0=2\n--\nm.F(a=2) -> ret0=1\n--\nm.F(a=3) -> !open"), true,
		},
		{
			"one made more calls of what it was handed",
			stubs(difftest.Spectrum("m.F(a=1) -> !open"), "a", "a"),
			stubs(difftest.Spectrum("m.F(a=1) -> !open"), "a"), false,
		},
		{
			"one made other calls of it",
			stubs(difftest.Spectrum("m.F(a=1) -> !open"), "a", "a"),
			stubs(difftest.Spectrum("m.F(a=1) -> !open"), "b"), true,
		},
		{
			"one printed more",
			difftest.Spectrum("m.F(a=1) -> !open\nstdout x\nstdout y"),
			difftest.Spectrum("m.F(a=1) -> !open\nstdout x"), false,
		},
		{
			"one printed something else",
			difftest.Spectrum("m.F(a=1) -> !open\nstdout x\nstdout y"),
			difftest.Spectrum("m.F(a=1) -> !open\nstdout y"), true,
		},
	} {
		c.old.End.Kind, c.new.End.Kind = wire.EndStepLimit, wire.EndStepLimit
		p := likeNames.Limited(spectra.Pair[*spectra.Spectrum]{Old: c.old, New: c.new})
		if got := diff.Compare(p.Old, p.New, diff.Options{}); (len(got.Deviations) > 0) != c.deviates {
			t.Errorf("%s: deviations %v, want some: %v", c.reason, got.Deviations, c.deviates)
		}
	}
	p := spectra.Pair[*spectra.Spectrum]{Old: difftest.Spectrum("m.F(a=1) -> ret0=1"), New: difftest.Spectrum("")}
	if likeNames.Limited(p) != p {
		t.Error("what ended by itself is cut")
	}
}

// likeNames is a Cut of versions that have the same functions.
var likeNames judge.Cut = func(_ spectra.Side, name spectra.Symbol) spectra.Symbol { return name }

// TestCutNames: a function that has another name in new is the same one, and one that only one version has stands for
// what it calls.
func TestCutNames(t *testing.T) {
	matched := map[spectra.Symbol]spectra.Symbol{"m.F": "m.F", "m.New": "m.Old", "m.G": "m.G"}
	for _, c := range []struct{ reason, old, new string }{
		{"renamed, and ended in old", "m.F(a=1) -> !open\n  m.Old(x=1) -> ret0=1\n  m.G(x=1) -> !open",
			"m.F(a=1) -> !open\n  m.New(x=1) -> !open"},
		{"extracted", "m.F(a=1) -> !open\n  m.G(x=1) -> ret0=1\n  m.G(x=2) -> !open",
			"m.F(a=1) -> !open\n  m.Extracted(x=1) -> ret0=1\n  m.G(x=1) -> !open"},
	} {
		p := spectra.Pair[*spectra.Spectrum]{Old: difftest.Spectrum(c.old), New: difftest.Spectrum(c.new)}
		p.Old.End.Kind, p.New.End.Kind = wire.EndStepLimit, wire.EndStepLimit
		cut := judge.NewCut(matched).Limited(p)
		if got := diff.Compare(cut.Old, cut.New, diff.Options{Common: matched}); len(got.Deviations) > 0 {
			t.Errorf("%s: deviations %v", c.reason, got.Deviations)
		}
	}
}

// TestCutLoop: a test that goes on where it does not fail any more is no code that does not end.
func TestCutLoop(t *testing.T) {
	for _, c := range []struct {
		reason   string
		old, new string
		cut      bool
	}{
		{"a further call", "m.F(a=1) -> ret0=1", "m.F(a=1) -> ret0=2\nm.F(a=2) -> !open", true},
		{"between two calls", "m.F(a=1) -> ret0=1", "m.F(a=1) -> ret0=2\nm.F(a=2) -> ret0=1", true},
		{"the same call", "m.F(a=1) -> ret0=1\nm.F(a=2) -> ret0=1", "m.F(a=1) -> ret0=1\nm.F(a=2) -> !open", false},
		{
			"the same call, behind others", "m.F(a=1) -> ret0=1\nm.G(a=2) -> ret0=1",
			"m.F(a=1) -> ret0=1\nm.F(a=1) -> ret0=1\nm.G(a=2) -> !open", false,
		},
		{
			"a call in the same one", "m.F(a=1) -> !open\n  m.G(x=1) -> ret0=1",
			"m.F(a=1) -> !open\n  m.G(x=1) -> !open", false,
		},
	} {
		p := spectra.Pair[*spectra.Spectrum]{Old: difftest.Spectrum(c.old), New: difftest.Spectrum(c.new)}
		p.New.End.Kind = wire.EndStepLimit
		cut := likeNames.Loop(p)
		if got := cut != p; got != c.cut {
			t.Errorf("%s: cut %v", c.reason, got)
		}
		ends := slices.ContainsFunc(diff.Compare(cut.Old, cut.New, diff.Options{}).Outputs,
			func(o diff.OutputDifference) bool { return o.Path == "end" })
		if ends == c.cut {
			t.Errorf("%s: that the runs end otherwise is said: %v", c.reason, ends)
		}
		back := likeNames.Loop(spectra.Pair[*spectra.Spectrum]{Old: p.New, New: p.Old})
		if got := back.Old != p.New; got != c.cut {
			t.Errorf("%s, the other way: cut %v", c.reason, got)
		}
	}
}
