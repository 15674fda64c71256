// Package coverage works out how much of the code, and of the change, sequences ran.
//
// In: the instrumented packages of both versions, the numbers of the blocks in changed code, and of those that ran.
// Out: counts of statements, and whether a changed function ran. The package is pure.
package coverage

import (
	"slices"

	"github.com/spectradiff/spectradiff/diff/source"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/instrument"
)

// A Share counts statements.
type Share struct{ Statements, Covered int }

func (s *Share) add(b spectra.Block, hit bool) {
	s.Statements += b.Statements
	if hit {
		s.Covered += b.Statements
	}
}

// Of counts the statements of the old version, and the changed ones of both.
func Of(packages spectra.Pair[instrument.Packages], watched, hits spectra.Pair[map[uint32]bool]) (all, changed Share) {
	for _, s := range spectra.Sides() {
		ran, of := *hits.Of(s), *watched.Of(s)
		packages.Of(s).Blocks(func(id uint32, _ string, _ int, b spectra.Block) {
			if s == spectra.Old {
				all.add(b, ran[id])
			}
			if of[id] {
				changed.add(b, ran[id])
			}
		})
	}
	return all, changed
}

// Executed reports whether any block of a changed function ran, on the side that has it. One without statements counts
// as run.
func Executed(f source.Change, packages spectra.Pair[instrument.Packages], hits spectra.Pair[map[uint32]bool]) bool {
	s, at := spectra.New, f.New
	if at.Line == 0 {
		s, at = spectra.Old, f.Old
	}
	found, hit := false, false
	of := *packages.Of(s)
	of.Blocks(func(id uint32, _ string, _ int, b spectra.Block) {
		if b.File == at.File && at.Line <= b.Line && b.EndLine <= at.EndLine && b.Statements > 0 {
			found = true
			hit = hit || (*hits.Of(s))[id]
		}
	})
	recorded := slices.ContainsFunc(of, func(pkg *instrument.Package) bool { return pkg.Path == f.Package })
	return hit || !found && recorded
}
