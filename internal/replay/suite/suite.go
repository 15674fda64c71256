// Package suite turns the tests of a package into sources and operations of a driver.
//
// Input: the folder of a package. Output: its test files (Read), the literals in them that may have other values (Dig),
// files that are compiled with the package, and an operation for each test function and example (Write). Test files of
// a package become files of that package under other names; those of its external test package become a package in a
// folder below. A test's operation takes the values of its literals, and returns whether the test passed.
//
// A test with the values that its source has does what it does under go test. Whether the files compile is seen when
// the driver is built. Nothing is written. The same files lead to the same sources.
package suite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/version"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

// externalFolder is the folder, and the end of the import path, of an external test package in the driver.
const externalFolder = "zspectra_tests"

// externalPath is the end of the import path that go test gives an external test package.
const externalPath = "_test"

// Tested returns the tested package of a package of external tests, and other packages as they are.
func Tested(path string) string { return strings.TrimSuffix(path, "/"+externalFolder) }

// Tests returns the package that the test tests, as old has it.
func (t *Test) Tests() string {
	path := t.Symbol.Package()
	if t.twin {
		path = strings.TrimSuffix(path, externalPath)
	}
	return path
}

// Twins returns the functions of these files, without methods, that both the tests of the package itself and the
// external ones declare.
func (f *Files) Twins() map[string]bool {
	twins := map[string]bool{}
	if f == nil {
		return twins
	}
	inside := homes(f.inside)
	for name := range homes(f.external) {
		if _, both := inside[name]; both {
			twins[name] = true
		}
	}
	return twins
}

// Files are the test files of a package.
type Files struct {
	inside, external []file
	fset             *token.FileSet
	embeds           bool     // the external tests embed files
	patterns         []string // of the files that others embed
}

// A file is one test file.
type file struct {
	name   string // without its folder
	source []byte
	syntax *ast.File
	fset   *token.FileSet
}

// constrained reports whether the file says for which builds it is.
func (f file) constrained() bool {
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			if c.Pos() < f.syntax.Package && (constraint.IsGoBuild(c.Text) || constraint.IsPlusBuild(c.Text)) {
				return true
			}
		}
	}
	return false
}

// Read reads the test files in a folder that go test of a Go version, such as "go1.24.3", would compile, for an
// environment of the go command. Without any it returns nil.
func Read(dir, goVersion string, env []string, fset *token.FileSet) (*Files, error) {
	found, err := contextOf(goVersion, env).ImportDir(dir, 0)
	if found == nil || len(found.TestGoFiles)+len(found.XTestGoFiles) == 0 {
		return nil, nil //nolint:nilerr,nilnil // a folder that go/build refuses has no tests for us
	}
	if err != nil {
		return nil, fmt.Errorf("read tests: %w", err)
	}
	f := &Files{fset: fset, embeds: len(found.XTestEmbedPatterns) > 0, patterns: found.TestEmbedPatterns}
	if f.inside, err = read(dir, found.TestGoFiles, fset); err != nil {
		return nil, err
	}
	f.external, err = read(dir, found.XTestGoFiles, fset)
	return f, err
}

// skimmed returns the test files in a folder, whatever go test would compile. Those that can't be read are left out.
func skimmed(dir string, mode parser.Mode) (list []*ast.File) {
	names, _ := fs.Glob(os.DirFS(dir), "*_test.go")
	for _, name := range names {
		source, err := repository.ReadFile(dir, name)
		if err != nil {
			continue
		}
		if syntax, _ := parser.ParseFile(token.NewFileSet(), name, source, mode); syntax != nil {
			list = append(list, syntax)
		}
	}
	return list
}

// Imports returns the packages that the test files in a folder import. Files that can't be read have none.
func Imports(dir string) (paths []string) {
	for _, syntax := range skimmed(dir, parser.ImportsOnly) {
		for _, spec := range syntax.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err == nil {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// contextOf returns the context in which the go command of a version chooses files.
func contextOf(goVersion string, env []string) *build.Context {
	ctx := build.Default
	if tags := releases(goVersion); tags != nil {
		ctx.ReleaseTags = tags
	}
	ctx.BuildTags = gocommand.Tags(gocommand.Flags(env))
	for _, entry := range env {
		switch name, value, _ := strings.Cut(entry, "="); name {
		case "GOOS":
			ctx.GOOS = value
		case "GOARCH":
			ctx.GOARCH = value
		case "CGO_ENABLED":
			ctx.CgoEnabled = value == "1"
		}
	}
	return &ctx
}

// releases returns the build tags that a Go version sets for itself and the releases before it, nil if it says none.
func releases(goVersion string) (tags []string) {
	_, minor, _ := strings.Cut(version.Lang(goVersion), ".")
	last, _ := strconv.Atoi(minor)
	for n := 1; n <= last; n++ {
		tags = append(tags, fmt.Sprintf("go1.%d", n))
	}
	return tags
}

// testMain is the function that runs all tests of a package.
const testMain = "TestMain"

// parsing is how test files are parsed.
const parsing = parser.ParseComments | parser.SkipObjectResolution

func read(dir string, names []string, fset *token.FileSet) (list []file, err error) {
	for _, name := range names {
		source, err := repository.ReadFile(dir, name)
		if err != nil {
			return nil, fmt.Errorf("read tests: %w", err)
		}
		f, err := parsed(fset, filepath.Join(dir, name), source)
		if err != nil {
			return nil, fmt.Errorf("read tests: %w", err)
		}
		list = append(list, f)
	}
	return list, nil
}

func parsed(fset *token.FileSet, path string, source []byte) (f file, err error) {
	source = bytes.TrimPrefix(source, []byte("\ufeff")) // which may stand nowhere but at the begin of a file
	f = file{name: filepath.Base(path), source: source, fset: fset}
	f.syntax, err = parser.ParseFile(fset, path, source, parsing)
	return f, err
}

// Syntax returns the files of the package itself, and those of its external test package.
func (f *Files) Syntax() (inside, external []*ast.File) {
	of := func(files []file) (list []*ast.File) {
		for _, f := range files {
			list = append(list, f.syntax)
		}
		return list
	}
	return of(f.inside), of(f.external)
}

// offset returns the place of a position in the source, whatever line directives say.
func (f *file) offset(p token.Pos) int { return int(p - f.syntax.FileStart) }

func (f *file) imports(path string) bool {
	return slices.ContainsFunc(f.syntax.Imports, func(spec *ast.ImportSpec) bool {
		return spec.Path.Value == strconv.Quote(path)
	})
}

// functions lists the functions of a file that go test runs and whose names begin with one of some words: Test, Fuzz
// or Benchmark.
func (f *file) functions(kinds ...string) (list []*ast.FuncDecl) {
	for _, d := range f.syntax.Decls {
		d, ok := d.(*ast.FuncDecl)
		if ok && slices.ContainsFunc(kinds, func(kind string) bool { return isTest(d, kind) }) {
			list = append(list, d)
		}
	}
	return list
}

// isTest reports whether go test runs a function: TestX(*testing.T), where X does not begin with a small letter. The
// type is called by the first letter of the kind.
func isTest(d *ast.FuncDecl, kind string) bool {
	rest, ok := strings.CutPrefix(d.Name.Name, kind)
	first, _ := utf8.DecodeRuneInString(rest)
	if !ok || rest != "" && unicode.IsLower(first) {
		return false
	}
	return d.Recv == nil && d.Type.TypeParams == nil && d.Type.Results == nil && takes(d, kind[:1])
}

// takes reports whether a function takes a pointer to a type of package testing, and nothing else.
func takes(d *ast.FuncDecl, name string) bool {
	params := d.Type.Params.List
	return len(params) == 1 && len(params[0].Names) <= 1 && pointsTo(params[0].Type, name)
}

// pointsTo reports whether a type is written as a pointer to a type of package testing.
func pointsTo(t ast.Expr, name string) bool {
	star, ok := t.(*ast.StarExpr)
	if !ok {
		return false
	}
	switch of := star.X.(type) {
	case *ast.SelectorExpr:
		return of.Sel.Name == name
	case *ast.Ident: // with a dot import
		return of.Name == name
	}
	return false
}

// hasMain reports whether a file declares TestMain.
func (f *file) hasMain() bool {
	return slices.ContainsFunc(f.syntax.Decls, func(d ast.Decl) bool {
		of, ok := d.(*ast.FuncDecl)
		return ok && of.Recv == nil && of.Name.Name == testMain && takes(of, "M")
	})
}
