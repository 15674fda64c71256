package load

import (
	"context"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"
)

// importTests completes the universe with what test files of a package import. Packages of the module that were listed
// are type-checked from source, without bodies: drivers need them with other imports, so compiling them for their
// export data would take a minute for nothing.
func (v *Version) importTests(ctx context.Context, tested string, files []*ast.File) error {
	l := gap{v: v, asked: map[string]bool{tested: true, "C": true, "unsafe": true}, exports: map[string]bool{}}
	for _, f := range files {
		for _, spec := range f.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err == nil {
				l.add(path)
			}
		}
	}
	if len(l.exports) > 0 {
		if err := v.importExports(ctx, l.exports, "what tests import", "-e"); err != nil {
			return err
		}
	}
	maps.Copy(v.asked, l.exports)
	for _, p := range l.sources {
		v.asked[p.PkgPath] = true
		v.checkListed(p)
	}
	return nil
}

// A gap is what the universe lacks of what is imported.
type gap struct {
	v       *Version
	asked   map[string]bool
	exports map[string]bool     // what comes from export data
	sources []*packages.Package // packages of the module that come from source, imports before importers
}

func (l *gap) add(path string) {
	known := l.v.universe[path]
	if l.asked[path] || l.v.asked[path] || known != nil && known.Complete() {
		return
	}
	l.asked[path] = true
	p := l.v.source(path)
	if p == nil || known != nil { // export data refers to that one
		l.exports[path] = true
		return
	}
	for _, imported := range slices.Sorted(maps.Keys(p.Imports)) {
		l.add(imported)
	}
	l.sources = append(l.sources, p)
}

// source returns a package of the module that was listed without an error, nil if there is none.
func (v *Version) source(path string) *packages.Package {
	if v.sources == nil {
		v.sources = map[string]*packages.Package{}
		if v.imports == nil {
			return nil
		}
		_, all, _ := v.imports.graph() // which was looked at before
		for _, p := range all {
			if v.own(p) && len(p.CompiledGoFiles) > 0 && len(p.Errors) == 0 {
				v.sources[p.PkgPath] = p
			}
		}
	}
	return v.sources[path]
}

// checkListed adds a package to the universe, type-checked without the bodies of functions. It leaves out one with
// errors.
func (v *Version) checkListed(p *packages.Package) {
	p.Fset, p.Types = v.Fset, types.NewPackage(p.PkgPath, p.Name)
	for _, name := range p.CompiledGoFiles {
		file, err := v.parseAgain(name, nil)
		if err != nil {
			return
		}
		p.Syntax = append(p.Syntax, file)
	}
	failed := false
	err := checkTypes(p, &types.Config{
		Importer: testImporter{v, p.Types}, IgnoreFuncBodies: true, Sizes: types.SizesFor("gc", v.toolchain.arch),
		Error: func(error) { failed = true },
	})
	if p.Syntax = nil; err == nil && !failed {
		v.universe[p.PkgPath] = p.Types
	}
}
