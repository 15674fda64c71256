package impact

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// TestWatched: of blocks in changed lines, those of changed declarations are watched.
func TestWatched(t *testing.T) {
	at := func(line, last int) spectra.Lines { return spectra.Lines{File: "a.go", Line: line, EndLine: last} }
	changes := &source.Changes{
		Files: []source.FileChange{{Path: "a.go", Kind: source.GoFile, Hunks: []source.Hunk{
			{Old: source.Lines{Start: 2, Count: 1}, New: source.Lines{Start: 2, Count: 1}},
			{Old: source.Lines{Start: 12, Count: 1}, New: source.Lines{Start: 12, Count: 1}},
		}}},
		Declarations: []source.Change{{Symbol: "m.F", What: spectra.ChangeModified, Old: at(1, 5), New: at(1, 5)}},
	}
	packages := instrument.Packages{{Path: "m", Blocks: []spectra.Block{
		{File: "a.go", Line: 2, EndLine: 3, Last: 3, After: 1, Before: 4},
		{File: "a.go", Line: 11, EndLine: 13, Last: 13, After: 10, Before: 14},
	}}}
	for _, s := range spectra.Sides() {
		if got := Watched(changes, s, packages); len(got) != 1 || !got[0] {
			t.Errorf("%s: blocks %v are watched, want that of the changed function", s, got)
		}
	}
}

// before is the body of the function that changes. Its lines are counted from 2.
const before = `	a := n
	if n > 100 {
		a = 1
	}
	switch n {
	case 1:
		a = 2
	case 2:
	}
	if a == n { a++ }
	f := func() int {

		return a
	}
	if n > 5 {
		a = 3
	} else if n > 4 {
		a = 4
	} else {
		a = 5
		// five
		a += f()
	}
	return a`

// TestChangedBlocks: a block is changed if its own lines changed, not those of blocks in it.
func TestChangedBlocks(t *testing.T) {
	for _, c := range []struct {
		reason, replaced, by string
		old, new             string // lines where the changed blocks begin
	}{
		{"the only line of a body", "a = 1\n", "a = 7\n", "4", "4"},
		{"the line that opens it", "n > 100", "n > 99", "2", "2"},
		{"the only line of a case", "a = 2\n", "a = 7\n", "8", "8"},
		{"the line of a case", "case 1:", "case 3:", "6", "6"},
		{"a body on the line of its condition", "a++", "a--", "11 11", "11 11"},
		{"a case that gets its first statement", "case 2:\n", "case 2:\n\t\ta = 9\n", "9", "10"},
		{"the only line of a literal", "return a\n\t}", "return 7\n\t}", "14", "14"},
		{"a blank line of a literal", "int {\n\n", "int {\n\t\ta++\n", "14", "13"},
		{"the first line of a body", "a = 5\n", "a = 7\n", "21", "21"},
		{"a line before that", "\t\ta = 5\n", "\t\tn++\n\t\ta = 5\n", "21", "21"},
		{"the last line of a body", "a += f()\n", "a -= f()\n", "21", "21"},
		{"a line behind that", "a += f()\n", "a += f()\n\t\ta++\n", "21", "21"},
		{"a comment of a body", "// five\n", "a++\n", "21", "21"},
		{"the first body of a chain", "a = 3\n", "a = 7\n", "17", "17"},
		{"an else-if, in the line that closes a body", "n > 4 {", "n > 3 {", "12 18", "12 18"},
		{"the last run", "}\n\treturn a", "}\n\treturn 1", "25", "25"},
		{"all but the first line", strings.SplitN(before, "\n", 2)[1], "\treturn a",
			"2 4 6 8 9 11 11 12 14 17 18 19 21", "2"},
		{"one body that becomes two", "\t\ta = 1\n", "\t\ta = 7\n\t}\n\tif n > 7 {\n\t\ta = 8\n", "2 4", "2 4 6 7"},
		{"one case that becomes two", "\t\ta = 2\n", "\t\ta = 7\n\tcase 8:\n\t\ta = 8\n", "6 8", "6 8 10"},
	} {
		changes, packages := versions(t, before, strings.Replace(before, c.replaced, c.by, 1))
		want := spectra.Pair[string]{Old: c.old, New: c.new}
		for _, s := range spectra.Sides() {
			var lines []int
			for _, i := range changedBlocks(changes, s, (*packages.Of(s)).Blocks) {
				lines = append(lines, (*packages.Of(s)).Blocks[i].Line-2)
			}
			slices.Sort(lines)
			if got := strings.Trim(fmt.Sprint(lines), "[]"); got != *want.Of(s) {
				t.Errorf("%s: in %s the blocks of lines %s changed, want %s", c.reason, s, got, *want.Of(s))
			}
		}
	}
}

// versions returns what differs between two versions of a function's body, which begins in line 4, and both versions
// with probes.
func versions(t *testing.T, old, new string) (*source.Changes, spectra.Pair[*instrument.Package]) {
	t.Helper()
	var modules spectra.Pair[source.Module]
	var packages spectra.Pair[*instrument.Package]
	for _, s := range spectra.Sides() {
		body := *(&spectra.Pair[string]{Old: old, New: new}).Of(s)
		dir := filepath.Join(t.TempDir(), string(s))
		moduletest.Write(t, dir, map[string]string{
			"go.mod": "module m\n\ngo 1.24\n", "a.go": "package m\n\nfunc F(n int) int {\n" + body + "\n}\n",
		})
		*modules.Of(s) = source.Module{Dir: dir, Path: "m", Tree: dir}
		var err error
		loaded := moduletest.Load(t, dir, "./...")[0]
		*packages.Of(s), err = instrument.Instrument(loaded, instrument.Options{Dir: dir, Runtime: "r"})
		if err != nil {
			t.Fatal(err)
		}
	}
	changes, err := source.Diff(modules)
	if err != nil {
		t.Fatal(err)
	}
	return changes, packages
}

// TestInnermost: a test that runs what is right around a changed block is worth varying, since it came that near.
func TestInnermost(t *testing.T) {
	outer := spectra.Block{File: "f.go", After: 1, Before: 20, Inside: []spectra.Span{{First: 2, Last: 19}}}
	inside := []spectra.Span{{First: 4, Last: 6}, {First: 8, Last: 9}}
	inner := spectra.Block{File: "f.go", After: 2, Before: 19, Inside: inside}
	changed := spectra.Block{File: "f.go", After: 8, Before: 9}
	other := spectra.Block{File: "g.go", After: 7, Before: 10, Inside: []spectra.Span{{First: 7, Last: 10}}}
	blocks := []spectra.Block{outer, other, inner, changed}
	for i, want := range []int{-1, -1, 0, 2} {
		inFile := []int{0, 2, 3}
		if i == 1 {
			inFile = []int{1}
		}
		if got := innermost(blocks, inFile, i); got != want {
			t.Errorf("around block %d: %d, want %d", i, got, want)
		}
	}
}
