// Package matchtest type-checks and matches two versions of a small module for tests.
//
// In: a txtar archive with the files of both versions, "old/…" and "new/…", each with a go.mod. Out: two type-checked
// versions, or their Match. Only packages of the standard library come from elsewhere.
//
// A file that does not parse fails the test. A package that does not type-check is listed as broken, and so are its
// importers.
package matchtest

import (
	"cmp"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/spectra/match"
)

// root is the folder that the versions' positions have; nothing is there.
const root = "/module"

// Versions type-checks the two versions of an archive.
func Versions(t testing.TB, archive *txtar.Archive) (old, new match.Version) {
	t.Helper()
	return version(t, archive, "old/"), version(t, archive, "new/")
}

// Match matches the two versions of a text archive.
func Match(t testing.TB, text string, renames ...string) *match.Match {
	t.Helper()
	old, new := Versions(t, txtar.Parse([]byte(text)))
	m, err := match.Versions(old, new, renames)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A checker type-checks the packages of one version.
type checker struct {
	t        testing.TB
	fset     *token.FileSet
	files    map[string][]*ast.File // by import path
	found    map[string]*packages.Package
	broken   map[string]bool
	standard types.Importer
	foreign  map[string]*types.Package
}

func version(t testing.TB, archive *txtar.Archive, prefix string) match.Version {
	t.Helper()
	v := match.Version{Dir: root}
	for _, f := range archive.Files {
		if f.Name == prefix+"go.mod" {
			v.Module = modfile.ModulePath(f.Data)
		}
	}
	if v.Module == "" {
		t.Fatalf("the archive has no %sgo.mod with a module line", prefix)
	}
	c := &checker{
		t: t, fset: token.NewFileSet(), files: map[string][]*ast.File{}, found: map[string]*packages.Package{},
		broken: map[string]bool{}, standard: importer.Default(), foreign: map[string]*types.Package{},
	}
	c.parse(archive, prefix, v.Module)
	for at := range c.files {
		if _, err := c.Import(at); err != nil {
			v.Broken = append(v.Broken, at)
			continue
		}
		v.Packages = append(v.Packages, c.found[at])
	}
	for _, p := range c.foreign {
		v.Foreign = append(v.Foreign, p)
	}
	slices.Sort(v.Broken)
	slices.SortFunc(v.Packages, func(p, q *packages.Package) int { return cmp.Compare(p.PkgPath, q.PkgPath) })
	slices.SortFunc(v.Foreign, func(p, q *types.Package) int { return cmp.Compare(p.Path(), q.Path()) })
	return v
}

// parse reads the Go files of a version.
func (c *checker) parse(archive *txtar.Archive, prefix, module string) {
	c.t.Helper()
	for _, f := range archive.Files {
		name, ok := strings.CutPrefix(f.Name, prefix)
		if !ok || path.Ext(name) != ".go" {
			continue
		}
		file, err := parser.ParseFile(c.fset, path.Join(root, name), f.Data,
			parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			c.t.Fatal(err)
		}
		at := path.Join(module, path.Dir(name))
		c.files[at] = append(c.files[at], file)
	}
}

// Import type-checks a package of the module, or imports one of the standard library.
func (c *checker) Import(at string) (*types.Package, error) {
	switch {
	case c.broken[at]:
		return nil, errors.New(at + " is broken")
	case c.found[at] != nil:
		return c.found[at].Types, nil
	case c.files[at] == nil:
		p, err := c.standard.Import(at)
		if err == nil {
			c.foreign[at] = p
		}
		return p, err
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Defs:  map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
	}
	config := types.Config{Importer: c}
	checked, err := config.Check(at, c.fset, c.files[at], info)
	if err != nil {
		c.broken[at] = true
		return nil, err
	}
	c.found[at] = &packages.Package{
		PkgPath: at, Name: checked.Name(), Fset: c.fset, Syntax: c.files[at], Types: checked, TypesInfo: info,
	}
	return checked, nil
}
