package text

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestLarge has reports of a size at which comparing each entry with each other one would not end within the time
// that a test has.
func TestLarge(t *testing.T) {
	const many, most = 100_000, 400_000
	for _, test := range []struct {
		reason     string
		roots      int
		deviations int // of each root
		tree       int // lines of the first root's tree, each deeper than the one before
		want       string
	}{
		{"one root with many deviations", 1, most, 0, "… 399,994 more values; --format json has them"},
		{"many roots with a deviation each", many, 1, 0, "100000  masked  m.F99999"},
		{"a deep tree", 1, 1, many, "… 99,970 more lines; --format json has them"},
	} {
		r := new(report.Report)
		for i := range test.roots {
			root := report.Root{
				Function:   fmt.Sprintf("m.F%d", i),
				Change:     spectra.ChangeModified,
				Confidence: spectra.Likely,
			}
			for depth := range test.tree {
				root.Tree = append(root.Tree, report.TreeLine{Depth: depth, Text: "m.F"})
			}
			list := make([]report.Deviation, test.deviations)
			for j := range list {
				list[j] = report.Deviation{
					Kind:     spectra.KindContainer,
					Function: "m.F",
					Path:     fmt.Sprintf("recv.n%d", j), Old: "1", New: "2",
				}
			}
			r.Add(root, list...)
			test.tree = 0
		}
		for i := range test.deviations {
			r.Warnings = append(r.Warnings, fmt.Sprintf("warning %d", i))
		}
		if err := r.Finish(report.FailAny); err != nil {
			t.Fatalf("%s: %v", test.reason, err)
		}
		var out strings.Builder
		if err := Write(io.Writer(&out), r, Options{}); err != nil {
			t.Fatalf("%s: %v", test.reason, err)
		}
		if !strings.Contains(out.String(), test.want) {
			t.Errorf("%s: the text has no %q", test.reason, test.want)
		}
	}
}

// TestMerged: a result that is also an output is shown once.
func TestMerged(t *testing.T) {
	value := func(text string) report.Difference {
		function, path, _ := strings.Cut(text, ":")
		return report.Difference{Function: function, Path: path, Old: "1", New: "2", Output: function == ""}
	}
	for _, test := range []struct{ values, want, reason string }{
		{"f:a g:a f:b", "f:a g:a f:b", "other functions and paths are other values"},
		{"f:a f:a", "f:a", "repeated"},
		{"f:a :a", "f:a!", "the output repeats what a function has"},
		{":a f:a g:a", ":a!", "functions repeat what the output has"},
		{"f:a g:a :a", "f:a! g:a", "the first one stands for the output"},
		{"f:a :a g:a", "f:a! g:a", "what was merged merges nothing"},
	} {
		var values []report.Difference
		for _, text := range strings.Fields(test.values) {
			values = append(values, value(text))
		}
		var got []string
		for _, kept := range merged(values) {
			text := kept.Function + ":" + kept.Path
			if kept.Output {
				text += "!"
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s (%s): %q, want %q", test.values, test.reason, got, test.want)
		}
	}
}
