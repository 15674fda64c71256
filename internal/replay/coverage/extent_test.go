package coverage

import (
	"reflect"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

func block(file string, line, statements int) spectra.Block {
	return spectra.Block{File: file, Line: line, EndLine: line, Last: line, Statements: statements}
}

func lines(file string, first, last int) spectra.Lines {
	return spectra.Lines{File: file, Line: first, EndLine: last}
}

func numbers(ids ...uint32) map[uint32]bool {
	set := map[uint32]bool{}
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// none are no branches.
func none() *Branches { return new(Branches) }

// TestShares checks that all code counts on old and changed code on both sides, with blocks numbered through the
// packages, and what only one version has apart.
func TestShares(t *testing.T) {
	packages := spectra.Pair[instrument.Packages]{
		Old: instrument.Packages{
			{Path: "m", Blocks: []spectra.Block{block("a.go", 1, 3)}},
			{Path: "m/p", Blocks: []spectra.Block{block("p/a.go", 1, 4)}},
		},
		New: instrument.Packages{{Path: "m", Blocks: []spectra.Block{block("a.go", 1, 5), block("a.go", 9, 7)}}},
	}
	watched := spectra.Pair[map[uint32]bool]{Old: numbers(1), New: numbers(0, 1)}
	changes := []source.Change{{New: lines("a.go", 9, 9)}} // only new has it
	e := Measure(changes, packages, none(), watched, spectra.Pair[map[uint32]bool]{Old: numbers(1), New: numbers(1)},
		numbers(1))
	for _, c := range []struct {
		reason    string
		got, want Share
	}{
		{"all of old", e.All(), Share{7, 4}},
		{"what changed in both", e.Changed(), Share{16, 11}},
		{"in functions of both", e.Comparable(), Share{9, 4}},
		{"what it may touch", e.Concerned(), Share{4, 4}},
		{"what it may touch, if that is not known", new(Extent).Concerned(), Share{}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.reason, c.got, c.want)
		}
	}
}

// TestMissed checks that only changed blocks without a run are listed, of functions that ran and that old has too; and
// that the same follows from any two halves of what ran.
func TestMissed(t *testing.T) {
	packages := instrument.Packages{{Path: "m", Blocks: []spectra.Block{
		block("b.go", 5, 1), block("a.go", 3, 1), block("a.go", 2, 1), block("a.go", 4, 0), block("a.go", 6, 1),
		block("a.go", 7, 1), block("a.go", 20, 1), block("a.go", 30, 1), block("b.go", 4, 1),
	}}}
	old := lines("a.go", 1, 2)
	changes := []source.Change{
		{New: lines("a.go", 1, 10), Old: old}, {New: lines("b.go", 4, 5), Old: old},
		{New: lines("a.go", 20, 22)}, // only new has it
		{New: lines("a.go", 30, 31), Old: old},
	}
	measure := func(ran ...uint32) *Extent {
		return Measure(changes, spectra.Pair[instrument.Packages]{New: packages}, none(),
			spectra.Pair[map[uint32]bool]{New: numbers(0, 1, 2, 3, 4, 6, 7)},
			spectra.Pair[map[uint32]bool]{New: numbers(ran...)}, nil)
	}
	want := []spectra.Lines{lines("a.go", 2, 3), lines("a.go", 6, 6), lines("b.go", 5, 5)}
	all := []uint32{5, 6, 8}
	for cut := range len(all) + 1 {
		half, err := measure(all[:cut]...).With(measure(all[cut:]...))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(half, measure(all...)) {
			t.Errorf("cut before %d: united %+v, want %+v", cut, half, measure(all...))
		}
		if got := half.Missed(); !slices.Equal(got, want) {
			t.Errorf("cut before %d: got %v, want %v", cut, got, want)
		}
	}
	if half, err := measure(5, 1, 2).With(measure(5, 4)); err != nil || len(half.Missed()) != 0 {
		t.Errorf("each half ran what the other missed: %v, %v", half.Missed(), err)
	}
}

// TestOtherCode checks that extents of other code are not united, and that numbers that do not fit are refused.
func TestOtherCode(t *testing.T) {
	measure := func(line int, blocks ...spectra.Block) *Extent {
		packages := spectra.Pair[instrument.Packages]{New: instrument.Packages{{Path: "m", Blocks: blocks}}}
		changes := []source.Change{{New: lines("a.go", line, 9), Old: lines("a.go", 1, 9)}}
		return Measure(changes, packages, none(), spectra.Pair[map[uint32]bool]{New: numbers(0)},
			spectra.Pair[map[uint32]bool]{New: numbers(0)}, nil)
	}
	e := measure(1, block("a.go", 1, 1))
	for reason, other := range map[string]*Extent{
		"other statements": measure(1, block("a.go", 1, 2)),
		"another line":     measure(1, block("a.go", 2, 1)),
		"one more block":   measure(1, block("a.go", 1, 1), block("a.go", 3, 1)),
		"nothing there":    measure(5, block("a.go", 1, 1)),
		"a branch": {
			Old: e.Old, New: e.New, Lines: e.Lines, Ran: e.Ran, Branches: []Taken{{Never: Never{File: "a.go"}}},
		},
	} {
		if _, err := e.With(other); err == nil {
			t.Errorf("%s: united", reason)
		}
	}
	if _, err := e.With(measure(1, block("a.go", 1, 1))); err != nil || e.Check() != nil {
		t.Errorf("the same code: %v, %v", err, e.Check())
	}
	for reason, damage := range map[string]func(*Extent){
		"fewer blocks": func(e *Extent) { e.New.Statements = nil },
		"no set":       func(e *Extent) { e.Old.Ran = Set{1} },
		"a function":   func(e *Extent) { e.Lines[0].In = []int{8} },
		"a negative":   func(e *Extent) { e.Lines[0].In = []int{-1} },
		"no functions": func(e *Extent) { e.Ran = nil },
		"less than the blocks of old": func(e *Extent) {
			e.Old = Blocks{Statements: make([]int, 20), Changed: newSet(20), Comparable: newSet(20), Ran: newSet(20)}
			e.Touched = Set{1}
		},
	} {
		damaged := measure(1, block("a.go", 1, 1))
		if damage(damaged); damaged.Check() == nil {
			t.Errorf("%s: not refused", reason)
		}
	}
}
