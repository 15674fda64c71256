package coverage

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/branch"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// A Never is a reached branch with a side that no sequence took.
type Never struct {
	Side spectra.Side `json:"side"` // the version to which the lines belong
	File string       `json:"file"`
	Line int          `json:"line"`
	Was  string       `json:"was,omitempty"`

	// OnTheWay says that it guards calls that lead to changed code, and is not changed itself.
	OnTheWay bool `json:"on_the_way,omitempty"`
}

// The kinds of branches.
const (
	AlwaysTrue   = "always true"
	AlwaysFalse  = "always false"
	NeverTaken   = "never taken"
	NeverEntered = "never entered"
)

// Branches are the branches of both versions that are changed or guard changed code.
type Branches struct {
	list []twins
	ran  spectra.Pair[map[uint32]bool] // numbers of the blocks that ran
}

// twins are one branch as both versions have it; one of them may be missing.
type twins struct {
	of      spectra.Pair[*numbered]
	changed bool // the change is in the code that it guards, not only in code called from there
}

// A numbered branch has blocks that are numbered through its version.
type numbered struct {
	branch.Branch
	first uint32 // number of the first block of its package
}

// block returns the number of a block, false for a missing one.
func (b *numbered) block(in int) (uint32, bool) {
	return b.first + uint32(max(in, 0)), in != branch.None
}

// NewBranches finds the branches. No block has run yet.
func NewBranches(packages spectra.Pair[instrument.Packages], changes *source.Changes) *Branches {
	b := &Branches{ran: spectra.MakePair(func(spectra.Side) map[uint32]bool { return map[uint32]bool{} })}
	news, places := numberedIn(packages.New), map[place]*numbered{}
	seen := map[place]int{}
	for _, of := range news {
		places[placeOf(of, of.Line, seen)] = of
	}
	clear(seen)
	paired := map[*numbered]bool{}
	for _, of := range numberedIn(packages.Old) {
		t := twins{of: spectra.Pair[*numbered]{Old: of}, changed: branchTouched(changes, spectra.Old, of)}
		if line, same := moved(changes.Hunks(of.File), of.Line); same {
			t.of.New = places[placeOf(of, line, seen)]
			paired[t.of.New] = true
		}
		if of.Guards || t.changed || t.of.New != nil && t.of.New.Guards {
			b.list = append(b.list, t)
		}
	}
	for _, of := range news {
		changed := branchTouched(changes, spectra.New, of)
		if !paired[of] && (of.Guards || changed) {
			b.list = append(b.list, twins{of: spectra.Pair[*numbered]{New: of}, changed: changed})
		}
	}
	return b
}

// A place identifies a branch: the nth of its kind in a line.
type place struct {
	file string
	line int
	kind branch.Kind
	nth  int
}

// placeOf returns the place of a branch in a line, after the places already seen.
func placeOf(of *numbered, line int, seen map[place]int) place {
	p := place{file: of.File, line: line, kind: of.Kind}
	seen[p]++
	p.nth = seen[p]
	return p
}

// numberedIn lists the branches of a version.
func numberedIn(packages instrument.Packages) (list []*numbered) {
	first := uint32(0)
	for _, pkg := range packages {
		for _, of := range pkg.Branches {
			list = append(list, &numbered{of, first})
		}
		first += uint32(len(pkg.Blocks))
	}
	return list
}

// branchTouched reports whether a change touches lines that a branch guards.
func branchTouched(changes *source.Changes, s spectra.Side, of *numbered) bool {
	return slices.ContainsFunc(changes.Hunks(of.File), func(h source.Hunk) bool {
		return h.Of(s).Touch(spectra.Lines{File: of.File, Line: of.Line, EndLine: of.Last})
	})
}

// moved returns the line of new for a line of old, false if it changed.
func moved(hunks []source.Hunk, line int) (int, bool) {
	by := 0
	for _, h := range hunks {
		switch {
		case h.Old.Start+h.Old.Count <= line:
			by += h.New.Count - h.Old.Count
		case h.Old.Start <= line:
			return 0, false
		}
	}
	return line + by, true
}

// Ran notes that a block of a version ran.
func (b *Branches) Ran(s spectra.Side, block uint32) { (*b.ran.Of(s))[block] = true }

// goal returns the number of one side of a branch.
func goal(i int, holds bool) int {
	if holds {
		return 2*i + 1
	}
	return 2 * i
}

// Distances returns the branch distances of a sequence on one version to all sides that nothing has taken yet. Blocks
// are those that the sequence was seen to run.
func (b *Branches) Distances(s spectra.Side, operands []replay.Operand, blocks []uint32) (list []generate.Distance) {
	noted := branch.Noted{}
	for _, o := range operands {
		if !o.Alone {
			noted[o.Site] = append(noted[o.Site], branch.Seen{Number: o.Number, Left: o.Left, Right: o.Right})
		}
	}
	for i := range b.list {
		of := *b.list[i].of.Of(s)
		if of == nil {
			continue
		}
		for _, holds := range []bool{true, false} {
			if b.list[i].took(holds, b.ran) {
				continue
			}
			d, ok := of.When.Distance(holds, noted)
			if in, there := of.block(of.side(holds)); there && slices.Contains(blocks, in) {
				d.Value, ok = 0, true
			}
			if ok && of.side(holds) != branch.None {
				list = append(list, generate.Distance{Goal: goal(i, holds), Value: d.Value, Wanted: d.Wanted})
			}
		}
	}
	return list
}

// side returns the block of a side.
func (b *numbered) side(holds bool) int {
	if holds {
		return b.True
	}
	return b.False
}

// took reports whether either version took a side. A missing side counts as taken.
func (t *twins) took(holds bool, ran spectra.Pair[map[uint32]bool]) bool {
	none := true
	for _, s := range spectra.Sides() {
		of := *t.of.Of(s)
		if of == nil {
			continue
		}
		if id, ok := of.block(of.side(holds)); ok {
			if none = false; (*ran.Of(s))[id] {
				return true
			}
		}
	}
	return none
}

// reached reports whether either version reached the branch.
func (t *twins) reached(ran spectra.Pair[map[uint32]bool]) bool {
	sides := spectra.Sides()
	return slices.ContainsFunc(sides[:], func(s spectra.Side) bool {
		of := *t.of.Of(s)
		if of == nil {
			return false
		}
		id, _ := of.block(of.At)
		return (*ran.Of(s))[id]
	})
}

// Whole reports whether changed code has branches and every side of them was taken.
func (b *Branches) Whole() bool {
	changed := false
	for i := range b.list {
		if t := &b.list[i]; t.changed {
			if changed = true; !t.took(true, b.ran) || !t.took(false, b.ran) {
				return false
			}
		}
	}
	return changed
}

// taken returns for each branch what happened of it, given the blocks that ran.
func (b *Branches) taken(ran spectra.Pair[map[uint32]bool]) (list []Taken) {
	for i := range b.list {
		t := &b.list[i]
		list = append(list, Taken{
			Never: t.place(), Reached: t.reached(ran), Held: t.took(true, ran), Failed: t.took(false, ran),
		})
	}
	return list
}

// place describes a branch, and the side that may never happen where there is only one such side.
func (t *twins) place() Never {
	n, of := Never{Side: spectra.New, OnTheWay: !t.changed}, t.of.New
	if of == nil {
		n.Side, of = spectra.Old, t.of.Old
	}
	n.File, n.Line = of.File, of.Line
	switch of.Kind {
	case branch.Case:
		n.Was = NeverTaken
	case branch.Loop:
		n.Was = NeverEntered
	}
	return n
}
