package coverage

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// TestExecuted checks that a function ran if one of its blocks did, on the side that has it.
func TestExecuted(t *testing.T) {
	packages := spectra.Pair[instrument.Packages]{
		Old: instrument.Packages{{Path: "m", Blocks: []spectra.Block{block("a.go", 4, 1)}}},
		New: instrument.Packages{{
			Path: "m", Blocks: []spectra.Block{block("a.go", 2, 1), block("a.go", 8, 1)},
			Skipped: []instrument.Skipped{{Symbol: "m.F", Reason: "//go:nosplit"}},
		}},
	}
	at := func(line int) spectra.Lines { return spectra.Lines{File: "a.go", Line: line, EndLine: line + 2} }
	on := func(s spectra.Side, id uint32) (hits spectra.Pair[map[uint32]bool]) {
		*hits.Of(s) = map[uint32]bool{id: true}
		return hits
	}
	for _, c := range []struct {
		reason string
		f      source.Change
		hits   spectra.Pair[map[uint32]bool]
		want   bool
	}{
		{"it ran on new", source.Change{Package: "m", New: at(1)}, on(spectra.New, 0), true},
		{"another one ran", source.Change{Package: "m", New: at(1)}, on(spectra.New, 1), false},
		{"only old has it", source.Change{Package: "m", Old: at(3)}, on(spectra.Old, 0), true},
		{"it has no statements", source.Change{Package: "m", New: at(20)}, on(spectra.New, 1), true},
		{"it has no probes", source.Change{Symbol: "m.F", Package: "m", New: at(30)}, on(spectra.New, 1), false},
		{"it is not recorded", source.Change{Package: "x", New: at(20)}, on(spectra.New, 1), false},
	} {
		if got := Executed(c.f, packages, c.hits); got != c.want {
			t.Errorf("%s: got %v", c.reason, got)
		}
	}
}
