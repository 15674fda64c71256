package report_test

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
)

// TestTreeStaysAsItIs checks that Add and Finish don't fold a tree without marks. Such a tree was cut
// before the deviation, and is still the path to it.
func TestTreeStaysAsItIs(t *testing.T) {
	tree := []report.TreeLine{
		{Depth: 0, Text: "F"},
		{Depth: 1, Text: "G"},
		{Depth: 1, Text: "… 3 calls unchanged"},
		{Depth: 0, Text: "… 8 calls more"},
	}
	r := new(report.Report)
	r.Add(report.Root{Function: "m.H", Tree: slices.Clone(tree)})
	if got := r.Roots[0].Tree; !slices.Equal(got, tree) {
		t.Errorf("got %v, want %v", got, tree)
	}
}
