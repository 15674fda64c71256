package suite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// readIn reads test files as go test of a Go version does, and returns the folder in which they lie.
func readIn(t *testing.T, goVersion string, sources map[string]string) (*Files, string) {
	t.Helper()
	dir := t.TempDir()
	for name, source := range sources {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files, err := Read(dir, goVersion, nil, token.NewFileSet())
	if err != nil {
		t.Fatal(err)
	}
	return files, dir
}

// TestReleases: the release that builds a module chooses its test files, not the one that built the tool.
func TestReleases(t *testing.T) {
	for goVersion, want := range map[string]string{
		"go1.3": "before_test.go", "go1.99.1": "before_test.go", "devel": "before_test.go",
		"go1.100rc1": "since_test.go", "go1.101.3": "since_test.go",
	} {
		files, _ := readIn(t, goVersion, map[string]string{
			"before_test.go": "//go:build !go1.100\n\npackage m\n",
			"since_test.go":  "//go:build go1.100\n\npackage m\n",
		})
		if len(files.inside) != 1 || files.inside[0].name != want {
			t.Errorf("%s: %v, want %s", goVersion, files.inside, want)
		}
	}
}

// TestMark: the mark that says how a file is encoded may stand at its begin only, where the driver has something else.
func TestMark(t *testing.T) {
	const text = "package m\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {}\n"
	files, dir := readIn(t, "", map[string]string{"m_test.go": "\ufeff" + text})
	s := written(t, files, nil)
	if source := string(s.Files["/m/zspectra_test_0.go"]); source != "//line m/m_test.go:1\n"+text {
		t.Errorf("in %s it is %q", dir, source)
	}
}

// packageTesting imports a package testing that has nothing but T.
type packageTesting struct{}

func (packageTesting) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, "testing")
	name := types.NewTypeName(token.NoPos, p, "T", nil)
	types.NewNamed(name, types.NewStruct(nil, nil), nil)
	p.Scope().Insert(name)
	p.MarkComplete()
	return p, nil
}

// TestGuards: subtests have a *testing.T, not something else that is called T.
func TestGuards(t *testing.T) {
	const text = `package m

import "testing"

type T struct{}
type alias = testing.T
type suite struct{}

func (suite) Run(name string, f any) {}

func TestX(t *testing.T) {
	var s suite
	s.Run("of package testing", func(yes *testing.T) {})
	s.Run("an alias", func(also *alias) {})
	s.Run("of this package", func(no *T) {})
}

func with[T any]() { suite{}.Run("any", func(no *T) {}) }
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "m_test.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := &types.Config{GoVersion: "go1.21", Importer: packageTesting{}}
	if err := types.NewChecker(config, fset, types.NewPackage("m", "m"), info).Files([]*ast.File{f}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range guards(f, info) {
		got = append(got, g.name)
	}
	if strings.Join(got, " ") != "yes also" {
		t.Errorf("guards are in subtests with %v, want yes and also", got)
	}
	d := &digger{guards: map[*ast.File][]guard{f: guards(f, info)}}
	holes := Holes{inside: d, external: &digger{}}
	holes.Leave(&Files{fset: fset}, map[string]bool{"m_test.go:13": true})
	if left := d.guards[f]; len(left) != 1 || left[0].name != "also" {
		t.Errorf("%d guards are left where one is in a line that does not compile", len(left))
	}
}

// TestTwins: an external test that has the name of one of the package itself is an operation of its own, of the path
// that go test gives it, and both are tests of the package.
func TestTwins(t *testing.T) {
	const body = "\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {}\n"
	files, dir := readIn(t, "", map[string]string{
		"m_test.go": "package m" + body + "func TestY(t *testing.T) {}\n",
		"x_test.go": "package m_test" + body + "func TestZ(t *testing.T) {}\n",
	})
	p := &packages.Package{PkgPath: "m", Dir: dir, Types: types.NewPackage("m", "m")}
	s, err := Write(p, files, nil, Config{Name: "m", Clause: "m", Runtime: "zspectra", Twins: files.Twins()})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, of := range s.Tests {
		if string(of.Symbol) != of.Name || of.Tests() != "m" {
			t.Errorf("%s: symbol %s of %s", of.Name, of.Symbol, of.Tests())
		}
		got = append(got, of.Name+" in "+of.Package)
	}
	want := []string{"m.TestX in m", "m.TestY in m", "m.TestZ in m/zspectra_tests", "m_test.TestX in m/zspectra_tests"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if none := (*Files)(nil).Twins(); len(none) > 0 {
		t.Errorf("no files have %v", none)
	}
}
