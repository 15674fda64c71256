package search

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// TestByLikeness: tests named like a changed function or its file come first, then others of its package; the order of
// others stays.
func TestByLikeness(t *testing.T) {
	var tests []suite.Test
	for _, of := range [][2]string{
		{"m/a", "TestRead"}, {"m/b", "TestZip"}, {"m/b", "TestAtomicTypes"}, {"m/b", "TestGo"}, {"m/b", "FuzzParse"},
		{"m/b/zspectra_tests", "TestParse_Lines"}, {"m/c", "TestParse"},
	} {
		tests = append(tests, suite.Test{Operation: &api.Operation{Package: of[0], Expr: of[1]}})
	}
	changes := []source.Change{
		{Symbol: "m/v2/b.run", Package: "m/v2/b", File: "b/atomic_types.go"},
		{Symbol: "m/v2/b.(*Reader).parse", Package: "m/v2/b", File: "b/r.go"},
	}
	var got [][]string
	for _, list := range byLikeness(tests, changes, func(path string) string { return "m" + path[len("m/v2"):] }) {
		var names []string
		for _, test := range list {
			names = append(names, test.Expr)
		}
		got = append(got, names)
	}
	want := [][]string{
		{"TestAtomicTypes", "FuzzParse", "TestParse_Lines"}, {"TestZip", "TestGo"}, {"TestRead", "TestParse"},
	}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v, want %v", got, want)
	}
}
