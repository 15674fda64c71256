package root_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestManyDifferences: what a whole run shows is kept once, and not for each of its deviations. Twice as many of both
// take twice the memory.
func TestManyDifferences(t *testing.T) {
	allocated := func(n int) uint64 {
		spectrum := func(result int) *spectra.Spectrum {
			var b strings.Builder
			b.WriteString("m.F(a=1) -> ret0=1")
			for i := range n {
				fmt.Fprintf(&b, "\n\tm.G(a=%d) -> ret0=%d", i, i+result)
			}
			s := difftest.Spectrum(b.String())
			for i := range n {
				s.Files = append(s.Files, spectra.FileOutput{Name: fmt.Sprint(i), Size: int64(result)})
			}
			return s
		}
		common := map[spectra.Symbol]spectra.Symbol{"m.F": "m.F", "m.G": "m.G"}
		c := diff.Compare(spectrum(1), spectrum(2), diff.Options{Common: common})
		cases := []*diff.Case{{Comparison: c}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		found := root.Find(cases, functions(modified("m.G", 20)))
		runtime.ReadMemStats(&after)
		if len(found) != 1 || len(found[0].Deviations) < n {
			t.Fatalf("%d findings, want one with %d deviations", len(found), n)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if one, two := allocated(400), allocated(800); two > 3*one {
		t.Errorf("%d bytes for 400 deviations, %d for 800", one, two)
	}
}
