package search

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
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
	named := map[string][]string{"m/b": {"run", "atomic_types", "parse", "r"}}
	var got [][]string
	for _, list := range byLikeness(tests, named) {
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
