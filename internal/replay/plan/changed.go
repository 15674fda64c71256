package plan

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// ChangedPackages returns the import paths of the packages with a changed file, and of those that import a dependency
// that changed. Another version of Go may change every package; where these are many, only what is near to the changed
// files is recorded, and warnOfGo says so.
func (p *Plan) ChangedPackages() map[string]bool {
	changed := map[string]bool{}
	for _, f := range p.Changes.Files {
		if !built(f) || f.Vendor {
			continue
		}
		for _, module := range []string{p.Given.Old.Build.Path, p.Given.New.Build.Path} {
			addPackages(changed, module, f)
		}
		p.addIncluding(changed, f)
	}
	differs := p.differing()
	p.Sides.Each(func(_ spectra.Side, s Side) {
		for _, path := range s.Target.Using(s.Target.Concerned(differs)) {
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

// warnOfGo warns of packages that are not recorded although another version of Go may change them.
func (p *Plan) warnOfGo() {
	at := slices.IndexFunc(p.Changes.Modules, source.ModuleChange.AboutGo)
	if at < 0 {
		return
	}
	left := map[string]bool{}
	p.Sides.Each(func(_ spectra.Side, s Side) {
		for _, pkg := range s.Target.Packages {
			path := symbol.Rebase(pkg.PkgPath, s.Target.Module, p.Sides.Old.Target.Module)
			if !slices.Contains(p.Recorded, path) {
				left[path] = true
			}
		}
	})
	if len(left) > 0 {
		const text = "the %s line changed, which may change what any package does, and %d packages that are far from " +
			"the changed files are not recorded: --all records them"
		p.warn(fmt.Sprintf(text, p.Changes.Modules[at].Path, len(left)))
	}
}

// differing returns whether the code of a package of another module may differ: a vendored file of it changed, both
// versions have other versions of the module, or only one has it. Of a folder that replaces a module it is known which
// packages differ.
func (p *Plan) differing() func(module, path string) bool {
	versions := spectra.MakePair(func(s spectra.Side) []load.Dependency {
		return slices.DeleteFunc(slices.Clone(p.Sides.Of(s).Target.Dependencies), load.Dependency.IsFolder)
	})
	changed := map[string]source.ModuleChange{}
	for _, path := range load.ChangedDependencies(versions, nil) {
		changed[path] = source.ModuleChange{}
	}
	for _, m := range p.Changes.Modules {
		if !m.Included {
			changed[m.Path] = m
		}
	}
	vendored := map[string]bool{}
	for _, f := range p.Changes.Files {
		if builtVendored(f) {
			addPackages(vendored, "", f)
		}
	}
	return func(module, path string) bool {
		m, found := changed[module]
		return vendored[path] || found && (m.Packages == nil || slices.Contains(m.Packages, path))
	}
}

// Outside returns whether code outside of the module and the included ones may behave otherwise, by the package's path
// in old; nil = none may. If one that may is imported for what it does to others while the program starts, any may.
func (p *Plan) Outside() func(path string) bool {
	old := p.Sides.Old
	concerned := old.Target.Concerned(p.differing())
	switch {
	case p.vendoredChanged() || importsBlank(old.Target.Packages, concerned):
		return old.Program.Foreign
	case len(concerned) == 0:
		return nil
	}
	return func(path string) bool { return concerned[path] }
}

// importsBlank reports whether a file imports one of these packages without a name.
func importsBlank(list []*packages.Package, of map[string]bool) bool {
	return slices.ContainsFunc(list, func(pkg *packages.Package) bool {
		return slices.ContainsFunc(pkg.Syntax, func(file *ast.File) bool {
			return slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool {
				path, err := strconv.Unquote(spec.Path.Value)
				return err == nil && spec.Name != nil && spec.Name.Name == "_" && of[path]
			})
		})
	})
}

// mayChangeAll reports whether what changed may be anything: the version of Go, or vendored code of whatever module.
func (p *Plan) mayChangeAll() bool {
	return p.vendoredChanged() || slices.ContainsFunc(p.Changes.Modules, source.ModuleChange.AboutGo)
}

// DependenciesChanged reports whether other code than the module's own may differ.
func (p *Plan) DependenciesChanged() bool {
	if slices.ContainsFunc(p.Changes.Modules, func(m source.ModuleChange) bool { return !m.Included }) {
		return true
	}
	return p.vendoredChanged()
}

func (p *Plan) vendoredChanged() bool {
	return slices.ContainsFunc(p.Changes.Files, builtVendored)
}

// built reports whether a file is part of a package, tests left out.
func built(f source.FileChange) bool { return f.Embedded || f.Compiled() }

func builtVendored(f source.FileChange) bool { return f.Vendor && built(f) }

// addPackages adds the packages that a file of a module may be part of: an embedded one, or one that C code includes,
// those of all folders around it.
func addPackages(to map[string]bool, module string, f source.FileChange) {
	pkg := source.PackagePath(module, f.Path)
	to[pkg] = true
	for ; (f.Embedded || f.Kind == source.NativeFile) && path.Dir(pkg) != "."; pkg = path.Dir(pkg) {
		to[path.Dir(pkg)] = true
	}
}

// addIncluding adds the packages that may include a file from wherever it lies: of a header, or of C code and assembly
// in a folder without a package, all that are not Go alone.
func (p *Plan) addIncluding(to map[string]bool, f source.FileChange) {
	if f.Kind != source.NativeFile {
		return
	}
	for _, s := range spectra.Sides() {
		of := p.Sides.Of(s).Target
		list := of.Native(of.Dir)
		own := slices.ContainsFunc(list, func(pkg *packages.Package) bool {
			return pkg.PkgPath == source.PackagePath(of.Module, f.Path)
		})
		if own && !source.Header(f.Path) {
			continue
		}
		for _, pkg := range list {
			to[pkg.PkgPath] = true
		}
	}
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

// Alone returns the functions that only one version has, by their names in old, with that version. The package is in
// both. Init functions are as the comparison of sources pairs them.
func (p *Plan) Alone() map[spectra.Symbol]spectra.Side {
	sides := map[spectra.Change]spectra.Side{spectra.ChangeAdded: spectra.New, spectra.ChangeRemoved: spectra.Old}
	alone := map[spectra.Symbol]spectra.Side{}
	for _, c := range p.Common.Structural() {
		if s := sides[c.Change]; s != "" {
			alone[c.Symbol] = s
		}
	}
	apart := slices.Concat(p.Common.OldOnly(), p.Common.NewOnly())
	for _, f := range p.Changes.Functions() {
		old, init := p.OldName(f.Symbol), strings.HasPrefix(f.Symbol.Short(), "init.")
		if s := sides[f.What]; s != "" && init && !slices.Contains(apart, old.Package()) {
			alone[old] = s
		}
	}
	return alone
}

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
