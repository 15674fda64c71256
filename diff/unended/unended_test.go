package unended_test

import (
	"testing"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/difftest"
	"github.com/spectradiff/spectradiff/diff/unended"
	"github.com/spectradiff/spectradiff/spectra"
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
		cut := unended.Cut(difftest.Spectrum(c.first), difftest.Spectrum(c.second), difftest.Spectrum(c.like))
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
	c := diff.Compare(old, unended.Cut(new, new, old), diff.Options{Endless: true})
	if len(c.Deviations) != 1 || len(c.Outputs) != 1 {
		t.Fatalf("deviations %v, outputs %v: want how it ends, once each", c.Deviations, c.Outputs)
	}
	d := c.Deviations[0]
	if d.Kind != diff.KindExit || d.Function != "m.G" || d.Old != "returned" || d.New != "does not end: waits" {
		t.Errorf("got %+v", d)
	}
	if open := unended.Open(new); len(open) != 1 || open[0].Symbol != "m.G" {
		t.Errorf("open are %v, want G", open)
	}
}
