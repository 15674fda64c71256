// Package suite turns the tests of packages into sources and operations of a driver.
//
// Input: packages of a version. Output: files that are compiled with the packages, and an operation for each test
// function. Test files of a package become files of that package under other names; those of its external test package
// become a package in a folder below. A test's operation takes nothing, and returns whether the test passed and what it
// printed.
//
// Tests are only parsed: whether they compile is seen when the driver is built. Nothing is written. The same files lead
// to the same sources.
package suite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// externalFolder is the folder, and the end of the import path, of an external test package in the driver.
const externalFolder = "zspectra_tests"

// A Suite is what a driver needs for the tests of one package.
type Suite struct {
	Package  string            // import path of the tested package
	External string            // import path of its external tests in the driver; "": it has none
	Files    map[string][]byte // absolute path → source
	Tests    []*api.Operation  // sorted by name
	LeftOut  []LeftOut
	inside   []file
	external []file
}

// Tested returns the tested package of a package of external tests, and other packages as they are.
func Tested(path string) string { return strings.TrimSuffix(path, "/"+externalFolder) }

// A LeftOut is a test that no sequence can run.
type LeftOut struct{ Name, Reason string }

// A Config says where tests are, and how the files of a suite are written.
type Config struct {
	Name    string   // import path of the package in the names of operations
	Tests   string   // folder of the test files
	Work    string   // folder in which tests run
	Env     []string // environment of the go command
	Clause  string   // the package's name in the driver
	Runtime string   // import path of the runtime
}

// A file is one test file.
type file struct {
	name   string // absolute
	source []byte
	syntax *ast.File
	fset   *token.FileSet
}

// Of returns the suite of a package. Without tests it is nil.
func Of(p *packages.Package, cfg Config) (*Suite, error) {
	found, err := cfg.context().ImportDir(cfg.Tests, 0)
	if found == nil || len(found.TestGoFiles)+len(found.XTestGoFiles) == 0 {
		return nil, nil //nolint:nilerr // a folder that go/build refuses has no tests for us
	}
	if err != nil {
		return nil, fmt.Errorf("tests of %s: %w", p.PkgPath, err)
	}
	s := &Suite{Package: p.PkgPath, Files: map[string][]byte{}}
	if s.inside, err = read(cfg.Tests, found.TestGoFiles); err != nil {
		return nil, err
	}
	if s.external, err = read(cfg.Tests, found.XTestGoFiles); err != nil {
		return nil, err
	}
	if len(found.XTestEmbedPatterns) > 0 {
		s.external = s.leave(cfg, s.external, "it embeds files")
	}
	if err := s.write(p, cfg); err != nil {
		return nil, err
	}
	slices.SortFunc(s.Tests, func(x, y *api.Operation) int { return strings.Compare(x.Name, y.Name) })
	return s, nil
}

// context returns the context in which the go command chooses files.
func (c *Config) context() *build.Context {
	ctx := build.Default
	ctx.BuildTags = gocommand.Tags(gocommand.Flags(c.Env))
	for _, entry := range c.Env {
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

func read(dir string, names []string) (list []file, err error) {
	for _, name := range names {
		f := file{name: filepath.Join(dir, name), fset: token.NewFileSet()}
		if f.source, err = repository.ReadFile(dir, name); err != nil {
			return nil, fmt.Errorf("read tests: %w", err)
		}
		if f.syntax, err = parser.ParseFile(f.fset, name, f.source, parser.ParseComments|parser.SkipObjectResolution); err != nil {
			return nil, fmt.Errorf("read tests: %w", err)
		}
		list = append(list, f)
	}
	return list, nil
}

// leave notes the tests of files as left out, and returns no files.
func (s *Suite) leave(cfg Config, files []file, reason string) []file {
	for _, f := range files {
		for _, name := range f.tests() {
			s.LeftOut = append(s.LeftOut, LeftOut{cfg.Name + "." + name, reason})
		}
	}
	return nil
}

// write writes the files of the suite.
func (s *Suite) write(p *packages.Package, cfg Config) error {
	if len(s.inside) > 0 {
		if err := s.writePart(p.Dir, p.PkgPath, cfg.Clause, s.inside, cfg); err != nil {
			return err
		}
	}
	if len(s.external) > 0 {
		path := p.PkgPath + "/" + externalFolder
		if err := s.writePart(filepath.Join(p.Dir, externalFolder), path, "", s.external, cfg); err != nil {
			return err
		}
		s.External = path
	}
	return nil
}

// writePart writes test files into one package of the driver, with a file that registers their tests.
func (s *Suite) writePart(dir, path, clause string, files []file, cfg Config) error {
	if clause == "" {
		clause = files[0].syntax.Name.Name
	}
	var table strings.Builder
	main := ""
	for i, f := range files {
		s.Files[filepath.Join(dir, fmt.Sprintf("zspectra_test_%d.go", i))] = f.renamed(clause)
		if f.hasMain() {
			main = ", Main: TestMain"
		}
		for _, name := range f.tests() {
			s.add(&table, cfg, path, name, fmt.Sprintf("Test(%q, %[1]s)", name))
		}
		for _, e := range doc.Examples(f.syntax) {
			if e.Output != "" || e.EmptyOutput {
				name := "Example" + e.Name
				s.add(&table, cfg, path, name, fmt.Sprintf("Example(%q, %[1]s, %q, %t)", name, e.Output, e.Unordered))
			}
		}
	}
	if slices.ContainsFunc(files, func(f file) bool { return f.imports("flag") }) {
		s.Files[filepath.Join(dir, "0zspectra_flags.go")] = fmt.Appendf(nil, ownFlags, clause, path)
	}
	if table.Len() == 0 {
		return nil
	}
	text := fmt.Sprintf("package %s\n\nimport (\nzspectra_table %q\nzspectra_suite %q\n)\n\n", clause, cfg.Runtime,
		cfg.Runtime+"/suite")
	text += fmt.Sprintf("func init() {\npkg := &zspectra_suite.Package{Path: %q, Dir: %q%s}\n", cfg.Name, cfg.Work, main)
	text += fmt.Sprintf("zspectra_table.RegisterOperations([]zspectra_table.Operation{\n%s})\n}\n", table.String())
	source, err := format.Source([]byte("// Code generated by spectradiff. DO NOT EDIT.\n\n" + text))
	s.Files[filepath.Join(dir, "zspectra_tests.go")] = source
	return err
}

// add adds the operation of a test, and its entry in the table of the driver.
func (s *Suite) add(table *strings.Builder, cfg Config, path, name, call string) {
	op := &api.Operation{
		Name: cfg.Name + "." + name, Symbol: spectra.Symbol(cfg.Name + "." + name), Package: path, Expr: name,
		Results: []types.Type{types.Typ[types.Bool], types.Typ[types.String]}, Reaches: true,
	}
	s.Tests = append(s.Tests, op)
	fmt.Fprintf(table, "{Name: %q, Func: func() (bool, string) { return pkg.%s }},\n", op.Name, call)
}

// hasMain reports whether a file declares TestMain.
func (f *file) hasMain() bool {
	return slices.ContainsFunc(f.syntax.Decls, func(d ast.Decl) bool {
		of, ok := d.(*ast.FuncDecl)
		return ok && of.Recv == nil && of.Name.Name == "TestMain" && len(of.Type.Params.List) == 1
	})
}

// ownFlags gives a package a flag set of its own: tests of several packages may define the same flags. The name of its
// file sorts before all others, because variables are initialised in the order of files.
const ownFlags = `// Code generated by spectradiff. DO NOT EDIT.

package %s

import zspectra_flag "flag"

var _ = func() int {
	zspectra_flag.CommandLine = zspectra_flag.NewFlagSet(%q, zspectra_flag.ContinueOnError)
	return 0
}()
`

func (f *file) imports(path string) bool {
	return slices.ContainsFunc(f.syntax.Imports, func(spec *ast.ImportSpec) bool {
		return spec.Path.Value == strconv.Quote(path)
	})
}

// renamed returns the source with another package name, and with the positions that it has as a test file.
func (f *file) renamed(clause string) []byte {
	name := f.syntax.Name
	at := f.fset.Position(name.Pos()).Offset
	end := at + len(name.Name)
	var b bytes.Buffer
	b.Write(f.source[:at])
	b.WriteString(clause)
	b.Write(f.source[end:])
	line := fmt.Sprintf("//line %s:1\n", filepath.Base(f.name))
	return append([]byte(line), b.Bytes()...)
}

// tests lists the test functions of a file, as go test finds them.
func (f *file) tests() (names []string) {
	for _, d := range f.syntax.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && isTest(d) {
			names = append(names, d.Name.Name) // TestMain has another parameter
		}
	}
	return names
}

// isTest reports whether go test runs a function: TestX(*testing.T), where X does not begin with a small letter.
func isTest(d *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(d.Name.Name, "Test")
	if !ok || d.Recv != nil || d.Type.TypeParams != nil || d.Type.Results != nil || startsLower(rest) {
		return false
	}
	params := d.Type.Params.List
	if len(params) != 1 || len(params[0].Names) > 1 {
		return false
	}
	star, ok := params[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	selector, ok := star.X.(*ast.SelectorExpr)
	if !ok {
		named, ok := star.X.(*ast.Ident) // with a dot import
		return ok && named.Name == "T"
	}
	return selector.Sel.Name == "T"
}

func startsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && unicode.IsLower(r)
}
