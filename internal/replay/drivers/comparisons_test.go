package drivers

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestComparisonsWithout: variables are left out of a copy.
func TestComparisonsWithout(t *testing.T) {
	var all Comparisons
	for _, s := range spectra.Sides() {
		all.Of.Of(s).Touches = map[spectra.Symbol][]int{"m.F": {0, 1, 2}, "m.G": {1}}
	}
	left := all.without(map[int]bool{1: true})
	for _, s := range spectra.Sides() {
		if got := left.Of.Of(s).Touches["m.F"]; !slices.Equal(got, []int{0, 2}) {
			t.Errorf("%s: F compares %v, want 0 and 2", s, got)
		}
		if got := left.Of.Of(s).Touches["m.G"]; len(got) != 0 {
			t.Errorf("%s: G compares %v, want nothing", s, got)
		}
		if got := all.Of.Of(s).Touches["m.F"]; !slices.Equal(got, []int{0, 1, 2}) {
			t.Errorf("%s: the original compares %v now", s, got)
		}
	}
}
