package drivers

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
)

// TestReason checks that a function counts as not called only if it did not run on old either: what runs no changed
// block of old is not played on new.
func TestReason(t *testing.T) {
	d := &Drivers{Plan: &plan.Plan{Driven: []string{"m"}, Distant: []string{"y"}, Callable: &api.Surface{}}}
	for _, name := range []spectra.Symbol{"m.F", "m.G"} {
		d.Plan.Callable.Operations.Old = append(d.Plan.Callable.Operations.Old, &api.Operation{Symbol: name})
	}
	d.Versions.Old.Packages = instrument.Packages{{
		Path: "m",
		Points: []spectra.Point{
			{Symbol: "m.F", File: "a.go", Line: 1, EndLine: 9},
			{Symbol: "m.G", File: "a.go", Line: 11, EndLine: 19},
		},
		Blocks: []spectra.Block{
			{File: "a.go", Line: 2, EndLine: 3, Last: 3, Statements: 1},
			{File: "a.go", Line: 12, EndLine: 13, Last: 13, Statements: 1},
		},
	}}
	u := unreached{
		Drivers: d, executed: map[uint32]bool{0: true}, alone: map[spectra.Symbol]spectra.Side{"m.T.M": spectra.New},
	}
	for name, want := range map[spectra.Symbol]string{
		"m.F":   "it ran, but none of its changed lines",
		"m.G":   "no generated call reached it; a longer --budget may",
		"m.T.M": "only new has it, and nothing that ran calls it there",
		"x.H":   "its package is not compared",
		"y.H":   "its package is too far from the change to be compared; --all compares it",
	} {
		if got := u.reason(name, ""); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
