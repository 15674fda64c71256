package search

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
)

// TestByLikeness: tests named like a changed function or its file come first, and those beside it, then others of its
// package; the order of others stays.
func TestByLikeness(t *testing.T) {
	var tests []suite.Test
	for _, of := range [][3]string{
		{"m/a", "TestRead", "run_test.go"}, {"m/b", "TestZip"}, {"m/b", "TestAtomicTypes"}, {"m/b", "TestGo"},
		{"m/b", "FuzzParse"}, {"m/b/zspectra_tests", "TestParse_Lines"}, {"m/c", "TestParse"},
		{"m/b", "TestAll", "run_test.go"},
	} {
		tests = append(tests, suite.Test{Operation: &api.Operation{Package: of[0], Expr: of[1]}, File: of[2]})
	}
	l := likeness{
		names: map[string][]string{"m/b": {"run", "atomic_types", "parse", "r"}},
		files: map[string][]string{"m/b": {"run_test.go"}},
	}
	var got [][]string
	for _, list := range l.likelyFirst(tests) {
		var names []string
		for _, test := range list {
			names = append(names, test.Expr)
		}
		got = append(got, names)
	}
	want := [][]string{
		{"TestAtomicTypes", "FuzzParse", "TestParse_Lines", "TestAll"},
		{"TestZip", "TestGo"}, {"TestRead", "TestParse"},
	}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v, want %v", got, want)
	}
}
