package pipeline

import (
	"path"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// changedPackages returns the import paths of the packages with a changed file. A changed module
// file may change every package.
func (p *plan) changedPackages() map[string]bool {
	changed := map[string]bool{}
	for _, f := range p.changes.Files {
		built := f.Kind == source.GoFile || f.Kind == source.NativeFile || f.Kind == source.EmbeddedFile
		if !built || f.Test || f.Other || f.Vendor {
			continue
		}
		for _, module := range []string{p.given.Old.Build.Path, p.given.New.Build.Path} {
			pkg := source.PackagePath(module, f.Path)
			changed[pkg] = true
			for ; f.Kind == source.EmbeddedFile && path.Dir(pkg) != "."; pkg = path.Dir(pkg) {
				changed[path.Dir(pkg)] = true
			}
		}
	}
	if p.dependenciesChanged() {
		p.sides.Each(func(_ spectra.Side, s side) {
			for _, pkg := range s.target.Packages {
				changed[pkg.PkgPath] = true
			}
		})
	}
	return changed
}

// dependenciesChanged reports whether other code than the module's own may differ.
func (p *plan) dependenciesChanged() bool {
	if slices.ContainsFunc(p.changes.Modules, func(m source.ModuleChange) bool { return !m.Included }) {
		return true
	}
	return slices.ContainsFunc(p.changes.Files, func(f source.FileChange) bool {
		return f.Vendor && f.Kind == source.GoFile && !f.Test
	})
}

// changedSymbols returns the changed declarations, by their names in old.
func (p *plan) changedSymbols() map[spectra.Symbol]bool {
	changed := map[spectra.Symbol]bool{}
	for _, c := range p.changes.Declarations {
		if c.Test || c.Other || c.Vendor || c.Kind == source.Import || c.Kind == source.Required {
			continue
		}
		changed[p.oldName(c.Symbol)] = true
	}
	return changed
}

// oldName returns a name of new as old has it.
func (p *plan) oldName(s spectra.Symbol) spectra.Symbol {
	return spectra.Symbol(p.common.Old(string(s)))
}

// newName returns a name of old as new has it.
func (p *plan) newName(s string) string { return p.common.New(s) }

// ownType reports whether a type is declared in the module.
func (p *plan) ownType(name string) bool {
	module := p.sides.Old.target.Module
	return strings.HasPrefix(name, module+"/") || strings.HasPrefix(name, module+".")
}

// foreignShapes counts the types of dependencies whose states lack fields.
func (p *plan) foreignShapes() int {
	n := 0
	for _, s := range p.common.Shapes() {
		if !p.ownType(s.Type) && len(s.Skip) > 0 {
			n++
		}
	}
	return n
}

// elsewhere reports whether a removed function is in new under another name.
func (p *plan) elsewhere(c source.Change) bool {
	return p.common.Elsewhere(c.Symbol, c.What)
}
