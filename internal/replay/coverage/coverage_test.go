package coverage

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

func block(file string, line, statements int) spectra.Block {
	return spectra.Block{File: file, Line: line, EndLine: line, Last: line, Statements: statements}
}

// TestOf checks that all code counts on old and changed code on both sides, with blocks numbered through the packages.
func TestOf(t *testing.T) {
	packages := spectra.Pair[instrument.Packages]{
		Old: instrument.Packages{
			{Path: "m", Blocks: []spectra.Block{block("a.go", 1, 3)}},
			{Path: "m/p", Blocks: []spectra.Block{block("p/a.go", 1, 4)}},
		},
		New: instrument.Packages{{Path: "m", Blocks: []spectra.Block{block("a.go", 1, 5), block("a.go", 9, 7)}}},
	}
	watched := spectra.Pair[map[uint32]bool]{
		Old: map[uint32]bool{1: true}, New: map[uint32]bool{0: true, 1: true},
	}
	hits := spectra.Pair[map[uint32]bool]{
		Old: map[uint32]bool{1: true}, New: map[uint32]bool{1: true},
	}
	all, changed := Of(packages, watched, hits)
	if want := (Share{7, 4}); all != want {
		t.Errorf("of all %v, want %v", all, want)
	}
	if want := (Share{16, 11}); changed != want {
		t.Errorf("of what changed %v, want %v", changed, want)
	}
}

// TestExecuted checks that a function ran if one of its blocks did, on the side that has it.
func TestExecuted(t *testing.T) {
	packages := spectra.Pair[instrument.Packages]{
		Old: instrument.Packages{{Path: "m", Blocks: []spectra.Block{block("a.go", 4, 1)}}},
		New: instrument.Packages{{Path: "m", Blocks: []spectra.Block{block("a.go", 2, 1), block("a.go", 8, 1)}}},
	}
	at := func(line int) spectra.Lines { return spectra.Lines{File: "a.go", Line: line, EndLine: line + 2} }
	on := func(s spectra.Side, id uint32) (hits spectra.Pair[map[uint32]bool]) {
		*hits.Of(s) = map[uint32]bool{id: true}
		return hits
	}
	for _, c := range []struct {
		reason string
		f      source.Change
		hits   spectra.Pair[map[uint32]bool]
		want   bool
	}{
		{"it ran on new", source.Change{Package: "m", New: at(1)}, on(spectra.New, 0), true},
		{"another one ran", source.Change{Package: "m", New: at(1)}, on(spectra.New, 1), false},
		{"only old has it", source.Change{Package: "m", Old: at(3)}, on(spectra.Old, 0), true},
		{"it has no statements", source.Change{Package: "m", New: at(20)}, on(spectra.New, 1), true},
		{"it is not recorded", source.Change{Package: "x", New: at(20)}, on(spectra.New, 1), false},
	} {
		if got := Executed(c.f, packages, c.hits); got != c.want {
			t.Errorf("%s: got %v", c.reason, got)
		}
	}
}

// TestMissed checks that only changed blocks without a run are listed, of functions that ran and that old has too.
func TestMissed(t *testing.T) {
	packages := instrument.Packages{{Path: "m", Blocks: []spectra.Block{
		block("b.go", 5, 1), block("a.go", 3, 1), block("a.go", 2, 1), block("a.go", 4, 0), block("a.go", 6, 1),
		block("a.go", 7, 1), block("a.go", 20, 1), block("a.go", 30, 1), block("b.go", 4, 1),
	}}}
	lines := func(file string, first, last int) spectra.Lines {
		return spectra.Lines{File: file, Line: first, EndLine: last}
	}
	old := lines("a.go", 1, 2)
	changes := []source.Change{
		{New: lines("a.go", 1, 10), Old: old}, {New: lines("b.go", 4, 5), Old: old},
		{New: lines("a.go", 20, 22)}, // only new has it
		{New: lines("a.go", 30, 31), Old: old},
	}
	watched := map[uint32]bool{0: true, 1: true, 2: true, 3: true, 4: true, 6: true, 7: true}
	got := Missed(changes, packages, watched, map[uint32]bool{5: true, 6: true, 8: true})
	want := []spectra.Lines{lines("a.go", 2, 3), lines("a.go", 6, 6), lines("b.go", 5, 5)}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
