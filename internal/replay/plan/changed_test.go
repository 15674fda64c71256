package plan

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/load"
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
			source.Changes{Files: []source.FileChange{{Path: "p/a.go", Kind: source.GoFile, Embedded: true, Other: true}}},
			[]string{"m", "m/p", "n", "n/p"},
		},
		{
			"another Go may change all", source.Changes{Modules: []source.ModuleChange{{Path: "go"}}},
			[]string{"m/all", "n/all"},
		},
		{"so may a vendored file", source.Changes{Files: []source.FileChange{vendored}}, []string{"m/all", "n/all"}},
	} {
		p := &Plan{Changes: &c.changes, Given: givenModules("m", "n")}
		for _, s := range spectra.Sides() {
			path := map[spectra.Side]string{spectra.Old: "m", spectra.New: "n"}[s]
			*p.Sides.Of(s) = Side{
				Target: &load.Version{Packages: []*packages.Package{{PkgPath: path + "/all"}}},
			}
		}
		if got := slices.Sorted(maps.Keys(p.ChangedPackages())); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
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
