package pipeline

// This file works out how much of the code, and of the change, was executed.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/diff/source"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/instrument"
)

// A share counts statements.
type share struct{ statements, covered int }

func (s *share) add(b spectra.Block, hit bool) {
	s.statements += b.Statements
	if hit {
		s.covered += b.Statements
	}
}

// coverage counts the statements of the old version, and the changed ones of both.
func (b *built) coverage(executed spectra.Pair[map[uint32]bool]) (all, changed share) {
	for _, s := range spectra.Sides() {
		hits, watched := *executed.Of(s), *b.watched.Of(s)
		b.versions.Of(s).packages.Blocks(func(id uint32, _ string, _ int, b spectra.Block) {
			if s == spectra.Old {
				all.add(b, hits[id])
			}
			if watched[id] {
				changed.add(b, hits[id])
			}
		})
	}
	return all, changed
}

// unreached lists the changed functions that no sequence ran. What only one version has is a structural change:
// where it is called, a function changed that both have.
func (b *built) unreached(executed spectra.Pair[map[uint32]bool]) []spectra.Symbol {
	var list []spectra.Symbol
	for _, f := range b.changedFunctions() {
		both := f.Old.File != "" && f.New.File != ""
		if both && !b.executed(f, executed) && !b.elsewhere(f) && !b.common.Same(b.oldName(f.Symbol)) {
			list = append(list, f.Symbol)
		}
	}
	return list
}

// unrecordedShown is how many functions a warning names.
const unrecordedShown = 5

// unrecorded returns a warning that names the changed functions which get no probes.
func (b *built) unrecorded() []string {
	skipped := map[spectra.Symbol]bool{}
	b.versions.Each(func(_ spectra.Side, v instrumented) {
		for _, pkg := range v.packages {
			for _, s := range pkg.Skipped {
				skipped[s.Symbol] = true
			}
		}
	})
	var names []string
	for _, f := range b.changedFunctions() {
		if skipped[f.Symbol] && !b.elsewhere(f) && !b.common.Same(b.oldName(f.Symbol)) {
			names = append(names, f.Symbol.Short())
		}
	}
	if len(names) == 0 {
		return nil
	}
	shown := strings.Join(names[:min(len(names), unrecordedShown)], ", ")
	if rest := len(names) - unrecordedShown; rest > 0 {
		shown += fmt.Sprintf(" and %d more", rest)
	}
	const text = "of changed functions that can't be recorded (-v says why) only what their callers get is compared: "
	return []string{text + shown}
}

// executed reports whether any block of a changed function was executed, on the side that has it. One
// without statements counts as executed.
func (b *built) executed(f source.Change, hits spectra.Pair[map[uint32]bool]) bool {
	s, at := spectra.New, f.New
	if at.Line == 0 {
		s, at = spectra.Old, f.Old
	}
	found, hit := false, false
	of := b.versions.Of(s)
	of.packages.Blocks(func(id uint32, _ string, _ int, b spectra.Block) {
		if b.File == at.File && at.Line <= b.Line && b.EndLine <= at.EndLine && b.Statements > 0 {
			found = true
			hit = hit || (*hits.Of(s))[id]
		}
	})
	recorded := slices.ContainsFunc(of.packages, func(pkg *instrument.Package) bool { return pkg.Path == f.Package })
	return hit || !found && recorded
}
