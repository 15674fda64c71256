package fuzz

import (
	"fmt"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// An exported package is one that others can import.
type exported struct {
	dir, name    string
	constructors []string // functions that return a value of one of its types
}

// exported lists the packages that others can import, and notes the path of the module.
func (f *fuzzing) exported() (list []exported, err error) {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedSyntax | packages.NeedTypes | packages.NeedModule | packages.NeedDeps
	loaded, err := packages.Load(&packages.Config{
		Mode: mode, Dir: f.dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod"),
	}, "./...")
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", f.dir, err)
	}
	for _, p := range loaded {
		if outside(p) {
			f.module = p.Module.Path
			list = append(list, exported{filepath.Dir(p.GoFiles[0]), p.Name, constructors(p.Types)})
		}
	}
	return list, nil
}

// constructors lists the exported functions of a package whose first result is one of its types, or a pointer to one.
func constructors(pkg *types.Package) (names []string) {
	for _, name := range pkg.Scope().Names() {
		f, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !f.Exported() || f.Signature().Results().Len() == 0 {
			continue
		}
		t := f.Signature().Results().At(0).Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if of, ok := t.(*types.Named); ok && of.Obj().Pkg() == pkg && of.NumMethods() > 0 {
			names = append(names, name)
		}
	}
	return names
}

// outside reports whether other modules can import a package.
func outside(p *packages.Package) bool {
	return p.Name != "main" && len(p.GoFiles) > 0 && p.Module != nil &&
		!slices.Contains(strings.Split(p.PkgPath, "/"), "internal")
}

// withoutTests removes the test files below a folder.
func withoutTests(dir string) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		return os.Remove(name)
	})
}
