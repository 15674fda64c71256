package diff_test

import (
	"fmt"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// ran makes a run of one call, with results and a panic as a caller sees them.
func ran(tree, panic string, results ...string) *spectra.Spectrum {
	s := difftest.Spectrum(tree)
	s.Steps[0].Panic = panic
	for _, text := range results {
		one := spectra.Output{Text: text}
		copy(one.Digest[:], []uint64{uint64(len(text)), uint64(text[len(text)-1])})
		s.Steps[0].Results = append(s.Steps[0].Results, one)
	}
	return s
}

func ending(s *spectra.Spectrum, kind wire.End) *spectra.Spectrum {
	s.End.Kind = kind
	return s
}

func exit(s *spectra.Spectrum, code string) *spectra.Spectrum {
	s.End = spectra.End{Kind: wire.EndExited, Detail: code}
	return s
}

func TestEffect(t *testing.T) {
	const (
		one     = "m.F(a=1) -> ret0=1\n"
		two     = "m.F(a=1) -> ret0=2\n"
		inside  = "m.F(a=1) -> ret0=1\n  m.G(x=1) -> ret0=1\n"
		within  = "m.F(a=1) -> ret0=1\n  m.G(x=2) -> ret0=1\n"
		fewer   = "m.F(a=1) -> ret0=1\n"
		boom    = "m.F(a=1) -> panic=boom !panic\n"
		bang    = "m.F(a=1) -> panic=bang !panic\n"
		open    = "m.F(a=1) -> !open\n"
		failed  = `error "no"`
		other   = `error "not at all"`
		another = `*m.E(error "no")`
	)
	for _, c := range []struct {
		old, new *spectra.Spectrum
		want     string
		reason   string
	}{
		{ran(one, "", "1"), ran(two, "boom", "1"), "crash visible", "a panic that was not there"},
		{ran(one, "boom", "1"), ran(two, "", "1"), "crash visible reverse", "a panic that is gone"},
		{
			ran("m.F(recv=[1]) -> ret0=1\n", "", "1"), ran("m.F(recv=nil) -> panic=boom !panic\n", "boom", "1"),
			"value visible", "a panic for nil that only new was handed",
		},
		{
			ran("m.F(recv=nil) -> ret0=1\n", "", "1"), ran("m.F(recv=nil) -> panic=boom !panic\n", "boom", "1"),
			"crash visible", "a panic for nil that both were handed",
		},
		{ran(boom, "boom"), ran(bang, "bang"), "text visible", "another text of a panic"},
		{ran(one, "", "nil"), ran(two, "", failed), "error visible", "an error where there was none"},
		{ran(one, "", failed), ran(two, "", "nil"), "error visible reverse", "an error that is gone"},
		{ran(one, "", failed), ran(two, "", other), "text visible", "another wording, and nothing else"},
		{ran(one, "", failed), ran(two, "", another), "value visible", "an error of another type"},
		{ran(one, "", "nil"), ran(two, "", "&T{}"), "value visible", "nil is not always the absence of an error"},
		{ran(one, "", "1"), ran(two, "", "2"), "value visible", "a result"},
		{ran(one, "", "1"), ran(two, "", "1"), "latent", "a state that no output shows"},
		{ran(inside, "", "1"), ran(within, "", "1"), "internal", "the driven call ends alike"},
		{ran(inside, "", "1"), ran(fewer, "", "1"), "calls", "a call that is gone, and nothing else"},
		{ran(inside, "", "1"), ran(within, "", "2"), "internal", "what shows lies beside: the caller ended alike"},
		{ran(one, "", "1"), ran(one, "", "2"), "value visible", "a result that no call shows: that of a test, say"},
		{
			ending(ran(one, ""), wire.EndDone), ending(ran(open, ""), wire.EndExited),
			"crash visible", "the process is ended",
		},
		{
			exit(ran(open, ""), "1"), exit(ran(open, ""), "2"),
			"value visible", "another exit code",
		},
		{
			ending(ran(open, ""), wire.EndBlocked), ending(ran(two, ""), wire.EndDone),
			"crash visible reverse", "a deadlock that is gone",
		},
	} {
		comparison := diff.Compare(c.old, c.new, diff.Options{})
		if len(comparison.Deviations) == 0 {
			t.Errorf("%s: no deviation", c.reason)
			continue
		}
		e := comparison.Effect(comparison.Deviations[0])
		got := string(e.Tier)
		if e.Visible {
			got += " visible"
		}
		if e.Reverse {
			got += " reverse"
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s (%v)", c.reason, got, c.want, fmt.Sprint(e))
		}
	}
}

// TestEffectOrder: each effect is worse than the one behind it.
func TestEffectOrder(t *testing.T) {
	var list []diff.Effect
	for _, tier := range []spectra.Tier{
		spectra.TierCrash, spectra.TierError, spectra.TierValue, spectra.TierLatent, spectra.TierInternal,
		spectra.TierText,
		spectra.TierCalls,
	} {
		list = append(list, diff.Effect{Tier: tier}, diff.Effect{Tier: tier, Reverse: true})
	}
	for i, e := range list {
		for j, other := range list {
			if got := e.Compare(other) < 0; got != (i < j) {
				t.Errorf("%v worse than %v: %v", e, other, got)
			}
		}
	}
	varies := diff.Effect{Tier: spectra.TierNondeterminism}
	for _, c := range []struct {
		visible       bool
		worse, milder spectra.Tier
	}{{false, spectra.TierValue, spectra.TierLatent}, {true, spectra.TierError, spectra.TierValue}} {
		varies.Visible = c.visible
		if varies.Compare(diff.Effect{Tier: c.worse}) < 0 || varies.Compare(diff.Effect{Tier: c.milder}) > 0 {
			t.Errorf("visible %v: what varies does not stand between %s and %s", c.visible, c.worse, c.milder)
		}
	}
}

// TestVariablesLast: of several values that differ, those in package variables come last.
func TestVariablesLast(t *testing.T) {
	c := diff.Compare(ran("m.F(a=1) -> m.x=1 ret0=1\n", ""), ran("m.F(a=1) -> m.x=2 ret0=2\n", ""), diff.Options{})
	if len(c.Deviations) != 1 || c.Deviations[0].Path != "ret0" || c.Deviations[0].Differences[1].Path != "m.x" {
		t.Errorf("%+v", c.Deviations)
	}
}
