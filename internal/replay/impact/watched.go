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

// changedBlocks returns the indexes of those blocks. Among nested blocks the innermost counts, and also each that
// shares its first or last line with one around it, since a condition or a label belongs to the block around.
func changedBlocks(changes *source.Changes, s spectra.Side, blocks []spectra.Block) []int {
	var changed []int
	for i, b := range blocks {
		if slices.ContainsFunc(changes.Hunks(b.File), func(h source.Hunk) bool {
			first, last := reachOf(*h.Of(s))
			for line := max(first, b.Line); line <= min(last, b.Last); line++ {
				if !inside(line, b, blocks) {
					return true
				}
			}
			return false
		}) {
			changed = append(changed, i)
		}
	}
	return changed
}

// reachOf returns the first and the last line that a change touches on one side.
func reachOf(l source.Lines) (first, last int) {
	if l.Count == 0 {
		return l.Start - 1, l.Start
	}
	return l.Start, l.Start + l.Count - 1
}

// inside reports whether a line of a block lies between the first and the last line of a block inside it.
func inside(line int, of spectra.Block, blocks []spectra.Block) bool {
	return slices.ContainsFunc(blocks, func(b spectra.Block) bool {
		return b.File == of.File && of.Line <= b.Line && b.Last <= of.Last && b.Last-b.Line < of.Last-of.Line &&
			b.Line < line && line < b.Last
	})
}
