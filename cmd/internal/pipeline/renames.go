package pipeline

// This file keeps renames out of what changed: they are reported as structural, once, and are no
// roots.

import (
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/diff/root"
	"github.com/spectradiff/spectradiff/replay/version"
	"github.com/spectradiff/spectradiff/report"
	"github.com/spectradiff/spectradiff/spectra"
)

// structuralRenames lists what has another name in new.
func (r *run) structuralRenames() {
	by := map[string]string{"func": "body", "type": "fields, methods and users", "var": "type and initial value", "package": "its declarations"}
	for _, f := range r.common.Renames {
		if by[f.Kind] == "" {
			continue
		}
		r.report.Structural = append(r.report.Structural, report.Structural{
			Function: string(f.Old), Change: report.Renamed,
			Detail: fmt.Sprintf("now %s, matched by %s, similarity %.2f", f.New, by[f.Kind], f.Similarity),
		})
	}
}

// withoutRename says what really changed in a function: nothing (false) where names alone did, and
// a function that new has under another name is one, not a removed and an added one.
func (r *run) withoutRename(f root.Function, c version.Change) (root.Function, bool) {
	old := r.oldName(c.Symbol)
	if c.What == version.Removed {
		old = c.Symbol
	}
	if r.common.Same(old) {
		return f, false
	}
	if c.What == version.Modified || !r.common.InBoth(old) {
		return f, true
	}
	if c.What == version.Removed {
		return f, false // its new name stands for it
	}
	f.Change, f.OldSymbol = root.ChangeRenamed, old
	before := bySymbol(r.old.points())[old]
	if before == nil {
		return f, true
	}
	f.Old = root.Lines{File: before.File, Line: before.Line, EndLine: before.EndLine}
	f.Hunks = r.common.Hunks(old)
	return f, true
}

// onlyRenamed says whether a variable, constant or type differs in its name alone.
func (r *run) onlyRenamed(c version.Change) bool {
	old := r.oldName(c.Symbol)
	if c.What == version.Removed {
		old = c.Symbol
	}
	return r.common.Same(old) && slices.ContainsFunc([]version.What{version.Added, version.Removed, version.Modified}, func(w version.What) bool { return w == c.What })
}

var _ spectra.Symbol
