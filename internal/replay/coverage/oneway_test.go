package coverage

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/branch"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// versions are a condition in both versions, two lines further down in new; one that only new has; a loop that guards
// nothing; and a case on the way to the change.
func versions() *Branches {
	same := branch.Branch{
		Kind: branch.If, File: "a.go", Line: 10, Last: 20, At: 0, True: 1, False: 2,
		When: &branch.Condition{Op: branch.Equal, Site: 7},
	}
	far := branch.Branch{Kind: branch.Loop, File: "a.go", Line: 30, Last: 32, At: 0, True: 3, False: branch.None}
	guard := branch.Branch{
		Kind: branch.Case, File: "b.go", Line: 4, Last: 5, At: 4, True: 5, False: branch.None, Guards: true,
	}
	pkg := func(blocks int, list ...branch.Branch) *instrument.Package {
		return &instrument.Package{Blocks: make([]spectra.Block, blocks), Branches: list}
	}
	down := func(b branch.Branch) branch.Branch {
		b.Line, b.Last = b.Line+2, b.Last+2
		return b
	}
	added := branch.Branch{Kind: branch.If, File: "a.go", Line: 6, Last: 6, At: 6, True: 7, False: 8}
	return NewBranches(spectra.Pair[instrument.Packages]{
		Old: instrument.Packages{pkg(3), pkg(6, same, far, guard)},
		New: instrument.Packages{pkg(9, added, down(same), down(far), guard)},
	}, &source.Changes{Files: []source.FileChange{{Path: "a.go", Kind: source.GoFile, Hunks: []source.Hunk{
		{Old: source.Lines{Start: 6}, New: source.Lines{Start: 6, Count: 2}},
		{Old: source.Lines{Start: 15, Count: 1}, New: source.Lines{Start: 17, Count: 1}},
	}}}})
}

// TestOneWay checks that a branch that went one way is listed by its place in new. A run on one version counts for
// both.
func TestOneWay(t *testing.T) {
	b := versions()
	ran := func(old, new []uint32) (of spectra.Pair[map[uint32]bool]) {
		of = spectra.MakePair(func(spectra.Side) map[uint32]bool { return map[uint32]bool{} })
		for _, id := range old {
			of.Old[id] = true
		}
		for _, id := range new {
			of.New[id] = true
		}
		return of
	}
	at := func(file string, line int, was string) Never {
		return Never{spectra.New, file, line, was, file == "b.go"}
	}
	for _, c := range []struct {
		reason   string
		old, new []uint32
		want     []Never
	}{
		{"nothing ran", nil, nil, nil},
		{"a condition that stands in both", []uint32{3, 4}, nil, []Never{at("a.go", 12, AlwaysTrue)}},
		{"each version took one side", []uint32{3, 4}, []uint32{0, 2}, nil},
		{"neither side was taken: it panicked", []uint32{3}, nil, nil},
		{"one that only new has, and a case that was not taken", []uint32{7}, []uint32{6, 8},
			[]Never{at("a.go", 6, AlwaysFalse), at("b.go", 4, NeverTaken)}},
	} {
		e := &Extent{Branches: b.taken(ran(c.old, c.new))}
		if got := e.OneWay(); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.reason, got, c.want)
		}
		parts := []*Extent{{Branches: b.taken(ran(c.old, nil))}, {Branches: b.taken(ran(nil, c.new))}}
		if e, err := parts[0].With(parts[1]); err != nil || !slices.Equal(e.OneWay(), c.want) {
			t.Errorf("%s: of two parts %v, %v, want %v", c.reason, e.OneWay(), err, c.want)
		}
	}
}

// TestDistances checks that only sides without a run have distances, and that a side loses its distance when it is
// taken.
func TestDistances(t *testing.T) {
	b := versions()
	seen := []replay.Operand{{Site: 7, Number: true, Left: "4", Right: "9"}}
	if got := b.Distances(spectra.Old, seen, nil); len(got) != 2 || got[0].Value == 0 || got[1].Value != 0 {
		t.Errorf("neither side was taken: %v", got)
	}
	b.Ran(spectra.Old, 5) // the condition did not hold
	if got := b.Distances(spectra.New, seen, nil); len(got) != 1 || got[0].Value == 0 {
		t.Errorf("one side was taken in old: %v", got)
	}
	if got := b.Distances(spectra.Old, nil, []uint32{4}); len(got) != 1 || got[0].Value != 0 {
		t.Errorf("the other one was just taken: %v", got)
	}
	if b.Whole() {
		t.Error("all sides were taken")
	}
	for _, id := range []uint32{4, 7, 8} {
		b.Ran(spectra.Old, id)
		b.Ran(spectra.New, id)
	}
	if !b.Whole() {
		t.Error("a side of changed code is left")
	}
}
