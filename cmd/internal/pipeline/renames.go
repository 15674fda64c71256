package pipeline

// This file keeps renames out of what changed: they are reported as structural, once, and are no
// roots.

import (
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/diff/root"
	"github.com/spectradiff/spectradiff/replay/version"
	"github.com/spectradiff/spectradiff/report"
)

// structuralRenames lists what has another name in new.
func (r *run) structuralRenames() {
	for _, f := range r.common.Renames {
		if f.Kind == "const" || f.Kind == "receiver" {
			continue // nothing of it runs; the signature says it
		}
		r.report.Structural = append(r.report.Structural, report.Structural{
			Function: string(f.Old), Change: report.Renamed,
			Detail: fmt.Sprintf("now %s, matched by %s", f.New, f.By()),
		})
	}
}

// elsewhere says whether a removed function is in new under another name.
func (r *run) elsewhere(c version.Change) bool {
	return c.What == version.Removed && r.common.InBoth(c.Symbol)
}

// countOnce has what was renamed count as one changed function.
func (r *run) countOnce() {
	gone := map[string]bool{}
	for _, c := range r.changes.Functions() {
		gone[string(c.Symbol)] = r.elsewhere(c)
	}
	names := &r.report.Subject.ChangedFunctions
	*names = slices.DeleteFunc(*names, func(name string) bool { return gone[name] })
}

// withoutRename says what really changed in a function: nothing (false) where names alone did.
// A function that new has under another name is one, not a removed and an added one.
func (r *run) withoutRename(f root.Function, c version.Change) (root.Function, bool) {
	old := c.Symbol
	if c.What != version.Removed {
		old = r.oldName(c.Symbol)
	}
	switch {
	case r.common.Same(old):
		return f, false
	case c.What == version.Modified && len(r.common.Renames) == 0, !r.common.InBoth(old):
		return f, true
	case c.What == version.Removed:
		return f, false // its new name stands for it
	}
	before, after, hunks, ok := r.common.Hunks(old)
	if !ok {
		return f, true
	}
	if c.What == version.Added {
		f.Change, f.OldSymbol = root.ChangeRenamed, old
	}
	f.Old, f.New, f.Hunks = root.Lines(before), root.Lines(after), nil
	for _, h := range hunks {
		f.Hunks = append(f.Hunks, root.Hunk{Old: root.Lines(h.Old), New: root.Lines(h.New)})
	}
	return f, true
}

// onlyRenamed says whether a variable, constant or type differs in its name alone, or its new name
// stands for it.
func (r *run) onlyRenamed(c version.Change) bool {
	if c.What == version.Removed {
		return r.common.InBoth(c.Symbol)
	}
	return r.common.Same(r.oldName(c.Symbol))
}
