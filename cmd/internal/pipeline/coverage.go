package pipeline

// This file works out how much of the code, and of the change, was executed.

import (
	"github.com/spectradiff/spectradiff/replay/version"
	"github.com/spectradiff/spectradiff/report"
	"github.com/spectradiff/spectradiff/spectra"
)

// blocks visits the blocks of a version with their numbers.
func (s *side) blocks(visit func(id uint32, b spectra.Block)) {
	id := uint32(0)
	for _, p := range s.build.instrumented {
		for _, b := range p.Blocks {
			visit(id, b)
			id++
		}
	}
}

// coverage reports how many of the statements, and of the changed ones, were executed, and which
// changed functions were not. hits has the executed blocks by side.
func (r *run) coverage(hits map[string]map[uint32]bool) {
	all, covered, changed, changedCovered := 0, 0, 0, 0
	for _, s := range []*side{r.old, r.new} {
		s.blocks(func(id uint32, b spectra.Block) {
			hit := hits[s.name][id]
			if s == r.old {
				all += b.Statements
				covered += counted(hit, b)
			}
			if r.watched(s, id) {
				changed += b.Statements
				changedCovered += counted(hit, b)
			}
		})
	}
	r.report.Generation.StatementCoverage = report.Share(covered, all)
	r.report.Generation.ChangedStatementCoverage = report.Share(changedCovered, changed)
	for _, f := range r.changes.Functions() {
		if !r.executed(f, hits) && !r.elsewhere(f) && !r.common.Same(r.oldName(f.Symbol)) {
			r.report.Subject.Unreached = append(r.report.Subject.Unreached, string(f.Symbol))
		}
	}
}

func counted(hit bool, b spectra.Block) int {
	if hit {
		return b.Statements
	}
	return 0
}

// executed says whether any block of a changed function was executed, on the side that has it. One
// without statements counts as executed.
func (r *run) executed(f version.Change, hits map[string]map[uint32]bool) bool {
	s, at := r.new, f.New
	if at.Line == 0 {
		s, at = r.old, f.Old
	}
	found, hit := false, false
	s.blocks(func(id uint32, b spectra.Block) {
		if b.File == at.File && at.Line <= b.Line && b.EndLine <= at.EndLine && b.Statements > 0 {
			found = true
			hit = hit || hits[s.name][id]
		}
	})
	return hit || !found && r.instruments(s, f.Package)
}

// instruments says whether a package of that version is recorded.
func (r *run) instruments(s *side, path string) bool {
	for _, p := range s.build.instrumented {
		if p.Path == path {
			return true
		}
	}
	return false
}
