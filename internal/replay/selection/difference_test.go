package selection

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestApart checks that Difference distinguishes the deviating call, and a different state from a different result.
func TestApart(t *testing.T) {
	q := sequence.Sequence{Statements: []sequence.Statement{{Op: "F"}, {Op: "G"}}}
	played := func(change func(p *replay.Played)) *replay.Played {
		p := &replay.Played{
			Spectrum: &spectra.Spectrum{Steps: []spectra.StepOutcome{{Ran: true}, {Ran: true}}},
			Results:  make([]replay.StepResults, 2),
		}
		change(p)
		return p
	}
	returns := func(i int) func(p *replay.Played) {
		return func(p *replay.Played) { p.Spectrum.Steps[i].Results = []spectra.Output{{Digest: spectra.Digest{1}}} }
	}
	leaves := func(i int) func(p *replay.Played) {
		return func(p *replay.Played) { p.Results[i].State = spectra.Digest{1} }
	}
	ways := map[string]int{}
	for i, change := range []func(p *replay.Played){
		func(p *replay.Played) {}, returns(0), returns(1), leaves(0), leaves(1),
	} {
		way := Difference(q, spectra.Pair[*replay.Played]{Old: played(func(*replay.Played) {}), New: played(change)})
		if (way == "") != (i == 0) {
			t.Errorf("way %d is %q", i, way)
		}
		if other, ok := ways[way]; ok {
			t.Errorf("ways %d and %d are %q", other, i, way)
		}
		ways[way] = i
	}
}

// TestOnlyPrinted: another text is printed, and nothing else that a caller sees differs.
func TestOnlyPrinted(t *testing.T) {
	played := func(printed string, state byte, clock replay.Clock) *replay.Played {
		return &replay.Played{
			Spectrum: &spectra.Spectrum{Stdout: printed}, Clock: clock,
			Results: []replay.StepResults{{State: spectra.Digest{uint64(state)}}},
		}
	}
	for _, c := range []struct {
		reason string
		new    *replay.Played
		want   bool
	}{
		{"nothing differs", played("a", 1, ""), false},
		{"what is printed", played("b", 1, ""), true},
		{"what is left, too", played("b", 2, ""), false},
		{"a clock ended it, too", played("b", 1, replay.Wall), false},
	} {
		if got := OnlyPrinted(spectra.Pair[*replay.Played]{Old: played("a", 1, ""), New: c.new}); got != c.want {
			t.Errorf("%s: got %v", c.reason, got)
		}
	}
}
