package plan

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/replay/outside"
	"github.com/spectradiff/spectradiff/internal/replay/versions"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// givenModules returns versions that have nothing but modules.
func givenModules(old, new string) *versions.Versions {
	given := &versions.Versions{}
	given.Old.Build = &outside.Checked{Module: module.Module{Path: old}}
	given.New.Build = &outside.Checked{Module: module.Module{Path: new}}
	return given
}

func TestChangedPackages(t *testing.T) {
	goFile := func(path string) source.FileChange { return source.FileChange{Path: path, Kind: source.GoFile} }
	test, other, vendored := goFile("p/a_test.go"), goFile("p/a.go"), goFile("vendor/d/a.go")
	test.Test, other.Other, vendored.Vendor = true, true, true
	native := func(path string) source.Changes {
		return source.Changes{Files: []source.FileChange{{Path: path, Kind: source.NativeFile}}}
	}
	all := []string{"m/all", "m/c", "m/d", "n/all", "n/c", "n/d"}
	for _, c := range []struct {
		reason  string
		changes source.Changes
		want    []string
	}{
		{"none", source.Changes{}, nil},
		{"a Go file", source.Changes{Files: []source.FileChange{goFile("p/a.go")}}, []string{"m/p", "n/p"}},
		{"a test", source.Changes{Files: []source.FileChange{test}}, nil},
		{"a file of another system", source.Changes{Files: []source.FileChange{other}}, nil},
		{
			"an embedded file may be in any package around it",
			source.Changes{Files: []source.FileChange{{Path: "p/q/a.txt", Kind: source.EmbeddedFile, Embedded: true}}},
			[]string{"m", "m/p", "m/p/q", "n", "n/p", "n/p/q"},
		},
		{
			"so may one that is Go, and is not built",
			source.Changes{Files: []source.FileChange{
				{Path: "p/a.go", Kind: source.GoFile, Embedded: true, Other: true},
			}},
			[]string{"m", "m/p", "n", "n/p"},
		},
		{"C code of a package may also be in those around it", native("c/a.c"), []string{"m", "m/c", "n", "n/c"}},
		{
			"in a folder without a package, it may be in any that is not Go alone", native("src/a.c"),
			[]string{"m", "m/c", "m/d", "m/src", "n", "n/c", "n/d", "n/src"},
		},
		{
			"a header is there to be included", native("c/a.h"),
			[]string{"m", "m/c", "m/d", "n", "n/c", "n/d"},
		},
		{
			"another Go may change all", source.Changes{Modules: []source.ModuleChange{{Path: "go"}}}, all,
		},
		{"so may a vendored file", source.Changes{Files: []source.FileChange{vendored}}, all},
	} {
		p := &Plan{Changes: &c.changes, Given: givenModules("m", "n")}
		for _, s := range spectra.Sides() {
			path := map[spectra.Side]string{spectra.Old: "m", spectra.New: "n"}[s]
			*p.Sides.Of(s) = Side{Target: &load.Version{Dir: "/" + path, Module: path, Packages: []*packages.Package{
				{PkgPath: path + "/all", Dir: "/" + path + "/all"},
				{PkgPath: path + "/c", Dir: "/" + path + "/c", OtherFiles: []string{"a.c"}},
				{PkgPath: path + "/d", Dir: "/" + path + "/d", GoFiles: []string{"d.go"}}, // which cgo makes others of
			}}}
		}
		if got := slices.Sorted(maps.Keys(p.ChangedPackages())); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}

// manyPackages returns a plan for two versions that are the same: a module with one package more than are recorded
// beside those that changed, and a vendored package that one of these imports.
func manyPackages(t *testing.T) *Plan {
	t.Helper()
	text := strings.ReplaceAll(loadtest.Vendored, "-- m.go --\npackage m", "-- uses/uses.go --\npackage uses")
	for i := range mostPackages {
		text += fmt.Sprintf("-- p%d/p.go --\npackage p\n", i)
	}
	dir := loadtest.Extract(t, txtar.Parse([]byte(text)), "")
	listed, err := load.List(t.Context(), loadtest.Config(dir))
	if err != nil {
		t.Fatal(err)
	}
	p := &Plan{Given: givenModules("example.com/m", "example.com/m"), Changes: &source.Changes{}}
	p.Sides.Old.Target, p.Sides.New.Target = listed, listed
	return p
}

// TestManyPackages: in a large module, what uses a vendored package that changed is changed, and where another Go may
// change more than is recorded, that is said.
func TestManyPackages(t *testing.T) {
	p := manyPackages(t)
	edited := source.FileChange{Path: "p3/p.go", Kind: source.GoFile}
	vendored := func(name string, kind source.FileKind) source.FileChange {
		return source.FileChange{
			Path: "vendor/example.com/dep/" + name, Kind: kind, Vendor: true, Embedded: kind == source.EmbeddedFile,
		}
	}
	excluded := vendored("dep_windows.go", source.GoFile)
	excluded.Other = true
	for _, c := range []struct {
		reason  string
		files   []source.FileChange
		modules []source.ModuleChange
		want    int
		warns   string
	}{
		{"a file", []source.FileChange{edited}, nil, 1, ""},
		{"a vendored file", []source.FileChange{edited, vendored("dep.go", source.GoFile)}, nil, 2, ""},
		{"vendored assembly", []source.FileChange{edited, vendored("dep.s", source.NativeFile)}, nil, 2, ""},
		{"alone", []source.FileChange{vendored("dep.s", source.NativeFile)}, nil, 1, ""},
		{"embedded in it", []source.FileChange{edited, vendored("data/x", source.EmbeddedFile)}, nil, 2, ""},
		{"not built", []source.FileChange{edited, excluded}, nil, 1, ""},
		{"another Go", nil, []source.ModuleChange{{Path: "go"}}, mostPackages + 1, ""},
		{"another Go and a file", []source.FileChange{edited}, []source.ModuleChange{{Path: "go"}}, 1,
			fmt.Sprintf("the go line changed, which may change what any package does, and %d packages", mostPackages)},
	} {
		p.Changes, p.Warnings = &source.Changes{Files: c.files, Modules: c.modules}, nil
		changed := p.ChangedPackages()
		here := slices.DeleteFunc(slices.Collect(maps.Keys(changed)), func(path string) bool {
			return !p.Sides.Old.Target.HasSource(path)
		})
		if len(here) != c.want {
			t.Errorf("%s: %d packages changed, want %d: %q", c.reason, len(here), c.want, here)
		}
		most := load.Limits{Packages: mostPackages}
		p.Recorded, _ = load.Select(p.Sides.Old.Target, p.Sides.New.Target, changed, false, most)
		p.warnOfGo()
		if got := strings.Join(p.Warnings, "\n"); got == "" != (c.warns == "") || !strings.HasPrefix(got, c.warns) {
			t.Errorf("%s: warnings %q, want %q", c.reason, got, c.warns)
		}
	}
}

// TestImportsBlank: a package that is imported for what it registers elsewhere.
func TestImportsBlank(t *testing.T) {
	for text, want := range map[string]bool{
		`import _ "d"`: true, `import "d"`: false, `import n "d"`: false, `import _ "e"`: false,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p\n"+text, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		list := []*packages.Package{{}, {Syntax: []*ast.File{file}}}
		if got := importsBlank(list, map[string]bool{"d": true}); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
