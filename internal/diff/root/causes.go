package root

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// ChangesOf returns the changes of a plan that may cause deviations, as package root takes them.
func ChangesOf(p *plan.Plan) Changes {
	var changes Changes
	names := map[spectra.Symbol]bool{}
	for _, c := range p.Changes.Declarations {
		if c.Test || c.Other || c.Vendor {
			continue
		}
		switch c.Kind {
		case source.Function:
			if f, ok := withoutRename(p, changedFunction(p, c), c); ok {
				changes.Functions = append(changes.Functions, f)
			}
		case source.Variable, source.Constant, source.Type:
			if p.Common.OnlyRenamed(c.Symbol, c.What) {
				continue
			}
			names[c.Symbol] = true
			changes.Declarations = append(changes.Declarations, ChangedDeclaration(c))
		}
	}
	newUsers, oldUsers := p.Sides.New.Program.Users(names), p.Sides.Old.Program.Users(oldNames(p, names))
	for i := range changes.Declarations {
		d := &changes.Declarations[i]
		d.Users = newUsers[d.Name]
		for _, user := range oldUsers[p.OldName(d.Name)] {
			d.Users = append(d.Users, spectra.Symbol(p.NewName(string(user))))
		}
	}
	var paths []string
	for _, m := range p.Changes.Modules {
		if !m.Included {
			paths = append(paths, m.Path)
		}
	}
	callers := p.Sides.New.Program.Callers(paths)
	for _, m := range p.Changes.Modules {
		if m.Included {
			continue
		}
		changed := Module{
			Upgrade: diff.Upgrade{Path: m.Path, Old: m.Old, New: m.New}, Users: callers[m.Path],
		}
		changes.Modules = append(changes.Modules, changed)
	}
	importedFirst(changes.Modules, p.Sides.New.Target.Packages)
	return changes
}

// importedFirst sorts modules: those that packages import come before those that only modules need.
func importedFirst(modules []Module, by []*packages.Package) {
	direct := map[string]bool{}
	for _, p := range by {
		for _, imported := range p.Types.Imports() {
			for _, m := range modules {
				direct[m.Path] = direct[m.Path] || within(imported.Path(), m.Path)
			}
		}
	}
	slices.SortStableFunc(modules, func(x, y Module) int {
		return cmp.Compare(truth(direct[y.Path]), truth(direct[x.Path]))
	})
}

// oldNames returns names of new as old has them.
func oldNames(p *plan.Plan, names map[spectra.Symbol]bool) map[spectra.Symbol]bool {
	old := map[spectra.Symbol]bool{}
	for name := range names {
		old[p.OldName(name)] = true
	}
	return old
}

// changedFunction returns a changed function with the changed lines inside it.
func changedFunction(p *plan.Plan, c source.Change) Function {
	f := Function{
		Symbol: c.Symbol, Before: c.Before, Change: c.What,
		Old: c.Old, New: c.New,
	}
	file := cmp.Or(c.New.File, c.Old.File)
	for _, h := range p.Changes.Hunks(file) {
		if h.New.Touch(c.New) || c.Old.File == file && h.Old.Touch(c.Old) {
			f.Hunks = append(f.Hunks, spectra.Hunk{Old: lines(h.Old, c.Old.File), New: lines(h.New, c.New.File)})
		}
	}
	return f
}

// lines returns changed lines as a place in a file.
func lines(l source.Lines, file string) spectra.Lines {
	if l.Count == 0 {
		return spectra.Lines{}
	}
	return spectra.Lines{File: file, Line: l.Start, EndLine: l.Start + l.Count - 1}
}

// ChangedDeclaration returns a changed variable, constant or type with its place in new, or in old if it is gone.
func ChangedDeclaration(c source.Change) Declaration {
	d := Declaration{Name: c.Symbol, Change: spectra.ChangeVariable}
	if c.Kind == source.Type {
		d.Change = spectra.ChangeType
	}
	d.Position = diff.PositionOf(spectra.New, c.New)
	if c.What == spectra.ChangeRemoved {
		d.Position = diff.PositionOf(spectra.Old, c.Old)
	}
	return d
}

// withoutRename returns what really changed in a function, false if nothing but names did.
func withoutRename(p *plan.Plan, f Function, c source.Change) (Function, bool) {
	edit, changed := p.Common.Edit(c.Symbol, c.What)
	if edit == nil {
		return f, changed
	}
	if edit.Renamed != "" {
		f.Change, f.OldSymbol = spectra.ChangeRenamed, edit.Renamed
	}
	f.Old, f.New, f.Hunks = edit.Old, edit.New, edit.Hunks
	return f, changed
}
