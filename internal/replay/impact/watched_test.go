package impact

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
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
		{File: "a.go", Line: 2, EndLine: 3, Last: 3}, {File: "a.go", Line: 11, EndLine: 13, Last: 13},
	}}}
	for _, s := range spectra.Sides() {
		if got := Watched(changes, s, packages); len(got) != 1 || !got[0] {
			t.Errorf("%s: blocks %v are watched, want that of the changed function", s, got)
		}
	}
}

// TestChangedBlocks checks that a block is changed if it is in changed lines or next to lines that only the other
// version has.
func TestChangedBlocks(t *testing.T) {
	block := func(file string, line, last int) spectra.Block {
		return spectra.Block{File: file, Line: line, EndLine: line, Last: last}
	}
	hunk := func(old, count, new int) source.Hunk {
		return source.Hunk{Old: source.Lines{Start: old, Count: count}, New: source.Lines{Start: new}}
	}
	nested := []spectra.Block{block("a.go", 1, 20), block("a.go", 5, 15), block("a.go", 8, 9)}
	for _, c := range []struct {
		reason string
		side   spectra.Side
		hunk   source.Hunk
		blocks []spectra.Block
		want   []int
	}{
		{"before", spectra.Old, hunk(10, 2, 12), []spectra.Block{block("a.go", 1, 9)}, nil},
		{"its last line is the first that changed", spectra.Old, hunk(10, 2, 12),
			[]spectra.Block{block("a.go", 1, 10)}, []int{0}},
		{"its first line is the last that changed", spectra.Old, hunk(10, 2, 12),
			[]spectra.Block{block("a.go", 11, 20)}, []int{0}},
		{"behind", spectra.Old, hunk(10, 2, 12), []spectra.Block{block("a.go", 12, 20)}, nil},
		{"another file", spectra.Old, hunk(10, 2, 12), []spectra.Block{block("b.go", 10, 11)}, nil},
		{"before where lines were taken out", spectra.New, hunk(10, 2, 12),
			[]spectra.Block{block("a.go", 11, 11)}, []int{0}},
		{"behind where lines were taken out", spectra.New, hunk(10, 2, 12),
			[]spectra.Block{block("a.go", 12, 12)}, []int{0}},
		{"beside that", spectra.New, hunk(10, 2, 12), []spectra.Block{block("a.go", 13, 13)}, nil},
		{"only the innermost", spectra.Old, hunk(6, 1, 6), nested, []int{1}},
		{"a line that two share", spectra.Old, hunk(5, 1, 5), nested, []int{0, 1}},
		{"behind the inner ones", spectra.Old, hunk(16, 1, 16), nested, []int{0}},
		{"all that a change spans", spectra.Old, hunk(7, 12, 7), nested, []int{0, 1, 2}},
	} {
		changes := &source.Changes{Files: []source.FileChange{{
			Path: "a.go", Kind: source.GoFile, Hunks: []source.Hunk{c.hunk},
		}}}
		if got := changedBlocks(changes, c.side, c.blocks); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.reason, got, c.want)
		}
	}
}
