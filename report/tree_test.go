package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/report"
)

// lines makes a tree from a text: two spaces a level, "!" after what is marked.
func lines(text string) []report.TreeLine {
	var all []report.TreeLine
	for line := range strings.Lines(text) {
		name := strings.TrimLeft(strings.TrimRight(line, "\n"), " ")
		depth := (len(strings.TrimRight(line, "\n")) - len(name)) / 2
		tree := report.TreeLine{Depth: depth, Text: strings.TrimSuffix(name, "!")}
		if tree.Text != name {
			tree.Mark = "container"
		}
		all = append(all, tree)
	}
	return all
}

func TestFold(t *testing.T) {
	for _, test := range []struct{ reason, tree, want string }{
		{"a run of equal siblings", "F!\n  a\n  b\n  c\n  G!\n  d\n  e\n", "F!\n  … 3 executions not deviated\n  G!\n  … 2 executions not deviated\n"},
		{"one alone keeps its name", "F!\n  a\n  G!\n", "F!\n  a\n  G!\n"},
		{"subtrees count whole", "F!\n  a\n    b\n      c\n  d\n  G!\n", "F!\n  … 4 executions not deviated\n  G!\n"},
		{"what leads to a deviation stays", "f\n  g\n    H!\n  a\n  b\n", "f\n  g\n    H!\n  … 2 executions not deviated\n"},
		{"a run ends where its level ends", "F!\n  G!\n    a\n    b\n  c\n  d\n", "F!\n  G!\n    … 2 executions not deviated\n  … 2 executions not deviated\n"},
		{"nothing", "", ""},
	} {
		r := new(report.Report)
		r.Add(report.Root{Function: "m.F", Tree: lines(test.tree)})
		var got strings.Builder
		for _, line := range r.Roots[0].Tree {
			mark := ""
			if line.Mark != "" {
				mark = "!"
			}
			fmt.Fprintf(&got, "%s%s%s\n", strings.Repeat("  ", line.Depth), line.Text, mark)
		}
		if got.String() != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.reason, got.String(), test.want)
		}
	}
}
