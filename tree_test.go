package spectradiff_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/spectradiff/spectradiff"

// A source is one parsed file.
type source struct {
	name   string // slash-separated, relative to the root
	folder string // folder of its package: "." for the root
	test   bool   // only go test compiles it
	data   bool   // below a testdata folder, so in no package of this module
	text   string
	file   *ast.File
}

// parseTree parses all Go files of a tree, in the order of their names. It leaves out folders whose names
// start with a dot.
func parseTree(tree fs.FS) ([]source, error) {
	var all []source
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != "." && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		all = append(all, source{
			name: name, folder: path.Dir(name), text: string(text), file: file,
			test: strings.HasSuffix(name, "_test.go"),
			data: slices.Contains(strings.Split(name, "/"), "testdata"),
		})
		return nil
	})
	return all, err
}

// everything returns all Go files of the module, including those below testdata.
func everything(t *testing.T) []source {
	t.Helper()
	all, err := parseTree(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("only %d source files were found: the test does not run at the root", len(all))
	}
	return all
}

// sources returns the files of the module's packages, including tests.
func sources(t *testing.T) []source {
	t.Helper()
	return slices.DeleteFunc(everything(t), func(s source) bool { return s.data })
}

// product returns the files that are compiled outside of tests.
func product(all []source) []source {
	return slices.DeleteFunc(slices.Clone(all), func(s source) bool { return s.test || s.data || s.folder == "." })
}

// uses reports whether a file uses something of a package, under the package's own name.
func (s source) uses(pkg, name string) bool {
	used := false
	ast.Inspect(s.file, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok && selector.Sel.Name == name {
			base, ok := selector.X.(*ast.Ident)
			used = used || ok && base.Name == pkg
		}
		return true
	})
	return used
}

// importsOf returns the import paths of a file.
func (s source) importsOf() []string {
	var all []string
	for _, spec := range s.file.Imports {
		all = append(all, strings.Trim(spec.Path.Value, "\"`"))
	}
	return all
}

// below reports whether a folder is another one or lies in it.
func below(folder, other string) bool { return folder == other || strings.HasPrefix(folder, other+"/") }

// require fails the test with every complaint of a gate.
func require(t *testing.T, complaints []string) {
	t.Helper()
	for _, complaint := range complaints {
		t.Error(complaint)
	}
}
