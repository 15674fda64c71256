package plan

import (
	"path"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// ChangedPackages returns the import paths of the packages with a changed file, and of those that import a dependency
// that changed. Another version of Go may change every package.
func (p *Plan) ChangedPackages() map[string]bool {
	changed := map[string]bool{}
	for _, f := range p.Changes.Files {
		built := f.Kind == source.GoFile || f.Kind == source.NativeFile || f.Kind == source.EmbeddedFile
		if !built || f.Test || f.Other || f.Vendor {
			continue
		}
		for _, module := range []string{p.Given.Old.Build.Path, p.Given.New.Build.Path} {
			pkg := source.PackagePath(module, f.Path)
			changed[pkg] = true
			for ; f.Kind == source.EmbeddedFile && path.Dir(pkg) != "."; pkg = path.Dir(pkg) {
				changed[path.Dir(pkg)] = true
			}
		}
	}
	p.Sides.Each(func(_ spectra.Side, s Side) {
		for _, path := range s.Target.Using(p.changedModules()) {
			changed[path] = true
		}
		if !p.mayChangeAll() || len(changed) > 0 && len(s.Target.Packages) > mostPackages {
			return
		}
		for _, pkg := range s.Target.Packages {
			changed[pkg.PkgPath] = true
		}
	})
	return changed
}

// changedModules lists the modules that both versions require in different versions, or only one of them.
func (p *Plan) changedModules() (paths []string) {
	for _, m := range p.Changes.Modules {
		if !m.Included {
			paths = append(paths, m.Path)
		}
	}
	return paths
}

// mayChangeAll reports whether what changed may be anything: the version of Go, or vendored code of whatever module.
func (p *Plan) mayChangeAll() bool {
	return p.vendoredChanged() || slices.ContainsFunc(p.Changes.Modules, func(m source.ModuleChange) bool {
		return m.Path == "go" || m.Path == "toolchain"
	})
}

// DependenciesChanged reports whether other code than the module's own may differ.
func (p *Plan) DependenciesChanged() bool {
	if slices.ContainsFunc(p.Changes.Modules, func(m source.ModuleChange) bool { return !m.Included }) {
		return true
	}
	return p.vendoredChanged()
}

func (p *Plan) vendoredChanged() bool {
	return slices.ContainsFunc(p.Changes.Files, func(f source.FileChange) bool {
		return f.Vendor && f.Kind == source.GoFile && !f.Test
	})
}

// ChangedSymbols returns the changed declarations, by their names in old.
func (p *Plan) ChangedSymbols() map[spectra.Symbol]bool {
	changed := map[spectra.Symbol]bool{}
	for _, c := range p.Changes.Declarations {
		if c.Test || c.Other || c.Vendor || c.Kind == source.Import || c.Kind == source.Required {
			continue
		}
		changed[p.OldName(c.Symbol)] = true
	}
	return changed
}

// OldName returns a name of new as old has it.
func (p *Plan) OldName(s spectra.Symbol) spectra.Symbol {
	return spectra.Symbol(p.Common.Old(string(s)))
}

// NewName returns a name of old as new has it.
func (p *Plan) NewName(s string) string { return p.Common.New(s) }

// OwnType reports whether a type is declared in the module.
func (p *Plan) OwnType(name string) bool {
	module := p.Sides.Old.Target.Module
	return strings.HasPrefix(name, module+"/") || strings.HasPrefix(name, module+".")
}

// ForeignShapes counts the types of dependencies whose states lack fields.
func (p *Plan) ForeignShapes() int {
	n := 0
	for _, s := range p.Common.Shapes() {
		if !p.OwnType(s.Type) && len(s.Skip) > 0 {
			n++
		}
	}
	return n
}

// Elsewhere reports whether a removed function is in new under another name.
func (p *Plan) Elsewhere(c source.Change) bool {
	return p.Common.Elsewhere(c.Symbol, c.What)
}

// Interest returns which functions note what they compare, nil if none do: changed ones, those on the way to them, and
// those of the same package that changed ones call, because conditions are often written as functions. Where sequences
// are there already, none do: then old's programs are the same whatever it is compared with, and are built once.
func (p *Plan) Interest() func(spectra.Symbol) instrument.Interest {
	if p.in.Between {
		return nil
	}
	changed := p.ChangedSymbols()
	called := p.Sides.Old.Program.MentionedBy(changed)
	inNew := map[spectra.Symbol]bool{}
	for name := range changed {
		inNew[spectra.Symbol(p.NewName(string(name)))] = true
	}
	for name := range p.Sides.New.Program.MentionedBy(inNew) {
		called[p.OldName(name)] = true
	}
	return func(function spectra.Symbol) instrument.Interest {
		switch name := p.OldName(function.Declared()); {
		case changed[name]:
			return instrument.Changed
		case p.reaching[name]:
			return instrument.OnTheWay
		case called[name]:
			return instrument.Called
		}
		return instrument.NoInterest
	}
}

// Whole reports whether all packages are recorded, whether or not the change touches them.
func (p *Plan) Whole() bool { return p.in.All }

// DrivenIn lists the driven packages by their paths in one version.
func (p *Plan) DrivenIn(s spectra.Side) []string {
	if s == spectra.Old {
		return p.Driven
	}
	var paths []string
	for _, path := range p.Driven {
		paths = append(paths, p.NewName(path))
	}
	return paths
}

// InsideOperations returns operations for the changed functions that only code of their own package can call.
func (p *Plan) InsideOperations() spectra.Pair[[]*api.Operation] {
	functions := p.inside
	if functions == nil {
		functions = p.ChangedSymbols()
	}
	return api.Inside(p.Sides.Old.Target, p.Sides.New.Target, p.Driven, p.Common, functions)
}

// Calling returns the plan with some operations only, by their names, and of the functions that only code of their own
// package can call with those given by their names in old, whether they changed or not. So what old is built to call
// does not depend on what else new has.
func (p *Plan) Calling(operations map[string]bool, inside map[spectra.Symbol]bool) *Plan {
	own := *p
	own.Callable, own.inside = p.Callable.Calling(operations), inside
	return &own
}
