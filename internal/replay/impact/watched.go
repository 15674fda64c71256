package impact

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// Watched returns the numbers of one version's blocks that are in changed lines or next to lines that only the other
// version has. Those of declarations that did not change are none of them: lines of theirs that differ are comments, or
// broken otherwise.
func Watched(changes *source.Changes, s spectra.Side, packages instrument.Packages) map[uint32]bool {
	watched, declared := map[uint32]bool{}, map[string][]spectra.Lines{}
	for _, d := range changes.Declarations {
		at := d.New
		if s == spectra.Old {
			at = d.Old
		}
		declared[at.File] = append(declared[at.File], at)
	}
	first := uint32(0)
	for _, pkg := range packages {
		for _, i := range changedBlocks(changes, s, pkg.Blocks) {
			if b := &pkg.Blocks[i]; slices.ContainsFunc(declared[b.File], b.Within) {
				watched[first+uint32(i)] = true
			}
		}
		first += uint32(len(pkg.Blocks))
	}
	return watched
}

// changedBlocks returns the indexes of those blocks. Of nested blocks, those count whose own lines changed. Where the
// other version's lines leave blocks that these lines do not leave, the blocks around count too: an if that was closed
// and followed by another one concerns what is around the first.
func changedBlocks(changes *source.Changes, s spectra.Side, blocks []spectra.Block) []int {
	var changed []int
	for i, b := range blocks {
		if slices.ContainsFunc(changes.Hunks(b.File), func(h source.Hunk) bool {
			at := *h.Of(s)
			if h.Of(s.Other()).Leaves > at.Leaves {
				return touches(at, b)
			}
			return holds(at, &b)
		}) {
			changed = append(changed, i)
		}
	}
	return changed
}

// holds reports whether changed lines are among the own ones of a block, or would be where there are none.
func holds(at source.Lines, b *spectra.Block) bool {
	for line := max(at.Start, b.After); line < min(at.Start+at.Count, b.Before+1); line++ {
		if b.Holds(line) {
			return true
		}
	}
	return at.Count == 0 && b.HoldsGap(at.Start-1)
}

// touches reports whether changed lines are in a block or in what is inside it, or beside these where there are none.
func touches(at source.Lines, b spectra.Block) bool {
	first, last := at.Start, at.Start+at.Count-1
	if at.Count == 0 {
		first, last = at.Start-1, at.Start
	}
	return first <= b.Before && b.After <= last
}
