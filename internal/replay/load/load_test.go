package load_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
)

const goodModule = "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- m.go --\npackage m\n\nfunc F() {}\n"

func TestTypeCheckRefuses(t *testing.T) {
	for _, c := range []struct {
		reason, files, want string
		patterns            []string
	}{
		{"a folder without a module file", "-- m.go --\npackage m\n", "go.mod", nil},
		{"a module file without a module line", "-- go.mod --\ngo 1.24\n", "no module line", nil},
		{"a module without packages", "-- go.mod --\nmodule example.com/m\n", "no package with Go files", nil},
		{"a pattern that matches nothing", goodModule, "no package with Go files matches ./none/...",
			[]string{"./none/..."}},
		{"a module file that replaces with a folder that is not there",
			"-- go.mod --\nmodule example.com/m\n\ngo 1.24\n\nrequire example.com/sub v1.0.0\n\n" +
				"replace example.com/sub => ./sub\n-- m.go --\npackage m\n\nimport _ \"example.com/other\"\n",
			"(replaced by ./sub): reading sub/go.mod", nil},
		{"only tests", "-- go.mod --\nmodule example.com/m\n-- m_test.go --\npackage m\n", "no package with Go files",
			nil},
		{"nothing compiles: what go build says is in the error",
			"-- go.mod --\nmodule example.com/m\n-- m.go --\npackage m\n\nvar x int = \"\"\n",
			"m.go:3:13: cannot use", nil},
		{"a module file that does not parse", "-- go.mod --\nmodule example.com/m\nnonsense\n", "unknown directive",
			nil},
	} {
		t.Run(c.reason, func(t *testing.T) {
			dir := loadtest.Extract(t, txtar.Parse([]byte(c.files)), "")
			cfg := loadtest.Config(dir)
			cfg.Patterns = c.patterns
			_, err := load.TypeCheck(t.Context(), cfg)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want one with %q", err, c.want)
			}
			if strings.Contains(err.Error(), dir+"/m.go") {
				t.Errorf("the position is not module-relative: %v", err)
			}
		})
	}
}

func TestTypeCheckTakesDependenciesFromExportData(t *testing.T) {
	loaded := loadtest.TypeCheckText(t, "-- go.mod --\nmodule example.com/m\n-- m.go --\npackage m\n\n"+
		"import \"strings\"\n\nvar B strings.Builder\n", nil)
	if p := loaded.Packages[0].Imports["strings"]; len(p.Syntax) > 0 || p.TypesInfo != nil {
		t.Error("strings was type-checked from source")
	}
	if !strings.HasPrefix(loaded.GoVersion, "go1.") {
		t.Errorf("Go version %q", loaded.GoVersion)
	}
}

const importsOfImports = `
-- go.mod --
module example.com/m
-- low/low.go --
package low

type T struct{ N int }
-- mid/mid.go --
package mid

import "example.com/m/low"

func Make() low.T { return low.T{} }
-- high/high.go --
package high

import (
	"example.com/m/low"
	"example.com/m/mid"
)

var T low.T = mid.Make()
`

// TestImportsOfImports checks that a package between two chosen ones is checked from source, because it refers to one
// that is.
func TestImportsOfImports(t *testing.T) {
	dir := loadtest.Extract(t, txtar.Parse([]byte(importsOfImports)), "")
	cfg := loadtest.Config(dir)
	cfg.Patterns = []string{"./low", "./high"}
	v, err := load.TypeCheck(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Packages) != 2 || len(v.Broken) > 0 {
		t.Errorf("%d packages, broken %v", len(v.Packages), v.Broken)
	}
}

func TestVendorFolder(t *testing.T) {
	loaded := loadtest.TypeCheckText(t, loadtest.Vendored, nil)
	if len(loaded.Warnings) > 0 || len(loaded.Packages) != 1 || len(loaded.Broken) > 0 {
		t.Fatalf("packages %v, broken %v, warnings %v", loaded.Packages, loaded.Broken, loaded.Warnings)
	}
	if p := loaded.Known("example.com/dep"); p == nil || loaded.Owns(p) {
		t.Errorf("the vendored package is %v: want one that is known and not the module's", p)
	}
}

func TestUnusableVendorFolder(t *testing.T) {
	for _, c := range []struct {
		reason string
		change func(dir string) error
	}{
		{"another version", func(dir string) error {
			name := filepath.Join(dir, "vendor", "modules.txt")
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			return os.WriteFile(name, []byte(strings.Replace(string(text), "dep v1.0.0", "dep v1.1.0", 1)), 0o666)
		}},
		{"nothing but its list, as in a module's zip", func(dir string) error {
			return os.RemoveAll(filepath.Join(dir, "vendor", "example.com"))
		}},
	} {
		dir := loadtest.Extract(t, txtar.Parse([]byte(loadtest.Vendored)), "")
		if err := c.change(dir); err != nil {
			t.Fatal(err)
		}
		loaded, err := load.List(t.Context(), loadtest.Config(dir))
		if err != nil {
			t.Fatal(err)
		}
		if len(loaded.Warnings) == 0 || !strings.Contains(loaded.Warnings[0], "vendor folder") {
			t.Errorf("%s: warnings %v, want one about the vendor folder", c.reason, loaded.Warnings)
		}
	}
}

const workspace = `-- go.work --
go 1.24

use (
	./m
	./dep
)
-- dep/go.mod --
module example.com/dep

go 1.24
-- dep/dep.go --
package dep

func New() int { return 1 }
-- m/go.mod --
module example.com/m

go 1.24
-- m/m.go --
package m

import "example.com/dep"

func F() int { return dep.New() }
-- other/go.mod --
module example.com/other

go 1.24
-- other/o.go --
package other

func F() {}
`

func TestWorkspace(t *testing.T) {
	root := loadtest.Extract(t, txtar.Parse([]byte(workspace)), "")
	for _, c := range []struct {
		reason, folder string
		outside        bool
		fails          string
	}{
		{"the workspace brings the dependency, whose packages are not the module's", "m", false, ""},
		{"a module that the workspace does not use stands alone", "other", false, ""},
		{"a workspace file above the copy is not the version's", "m", true, "no package of example.com/m compiles"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			cfg := loadtest.Config(filepath.Join(root, c.folder))
			cfg.Root = root
			if c.outside {
				cfg.Root = ""
			}
			loaded, err := load.TypeCheck(t.Context(), cfg)
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("error %v, want one with %q", err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(loaded.Packages) != 1 || len(loaded.Broken) != 0 {
				t.Errorf("packages %v, broken %v, want one and none", loaded.Packages, loaded.Broken)
			}
			var beside []string
			want := []load.Dependency(nil)
			if c.folder == "m" {
				beside = []string{filepath.Join(root, "dep")}
				want = []load.Dependency{{Path: "example.com/dep", Version: "=> ../dep", Dir: beside[0]}}
			}
			_, versioned := loaded.Settings()
			if !slices.Equal(loaded.Dependencies, want) || !slices.Equal(loaded.Beside(), beside) ||
				versioned != (want == nil) {
				const text = "dependencies %q, beside %q, with versions %t"
				t.Errorf(text, loaded.Dependencies, loaded.Beside(), versioned)
			}
		})
	}
}

// TestWorkspaceLacksModule: a module that go.work names may be a git submodule, which is not there.
func TestWorkspaceLacksModule(t *testing.T) {
	text := strings.Replace(workspace, "\t./dep\n", "\t./dep\n\t./sub\n", 1)
	root := loadtest.Extract(t, txtar.Parse([]byte(text)), "")
	cfg := loadtest.Config(filepath.Join(root, "m"))
	cfg.Root, cfg.ModFolder = root, t.TempDir()
	loaded, err := load.TypeCheck(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	const want = "go.work names modules that are not there, so they are not used: ./sub"
	if len(loaded.Packages) != 1 || len(loaded.Warnings) != 1 || loaded.Warnings[0] != want {
		t.Errorf("packages %v, warnings %q; want one, with %q", loaded.Packages, loaded.Warnings, want)
	}
}

func TestListSeesImportsWithoutTypes(t *testing.T) {
	text := "-- go.mod --\nmodule example.com/m\n-- a/a.go --\npackage a\n\nimport _ \"example.com/m/b\"\n" +
		"-- b/b.go --\npackage b\n\nvar broken int = \"\"\n"
	dir := loadtest.Extract(t, txtar.Parse([]byte(text)), "")
	listed, err := load.List(t.Context(), loadtest.Config(dir))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"example.com/m/a", "example.com/m/b"}
	got, _ := load.Select(listed, listed, map[string]bool{"example.com/m/b": true}, false, load.Limits{})
	if !slices.Equal(got, want) {
		t.Errorf("selected %v", got)
	}
}

func TestTypeCheckLeavesSourceAlone(t *testing.T) {
	dir := loadtest.Extract(t, txtar.Parse([]byte(goodModule)), "")
	loadtest.TypeCheck(t, dir, nil)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 2 {
		t.Errorf("the folder holds %v", entries)
	}
}

const layered = `-- go.mod --
module example.com/m

go 1.24
-- top/top.go --
package top

import "example.com/m/middle"

func F() string { return middle.F() }
-- middle/middle.go --
package middle

import "example.com/m/bottom"

func F() string { return bottom.F() }
-- bottom/bottom.go --
package bottom

func F() string { return "" }
-- aside/aside.go --
package aside

import "example.com/m/bottom"

func F() string { return bottom.F() }
-- alone/alone.go --
package alone
`

func TestSelect(t *testing.T) {
	loaded := loadtest.TypeCheckText(t, layered, nil)
	for _, c := range []struct {
		reason  string
		changed []string
		all     bool
		want    []string
	}{
		{"nothing changed", nil, false, nil},
		{"what a change in the middle reaches and is seen from", []string{"middle"}, false,
			[]string{"bottom", "middle", "top"}},
		{"a change below is seen everywhere above", []string{"bottom"}, false,
			[]string{"aside", "bottom", "middle", "top"}},
		{"a change above reaches down, not sideways", []string{"top"}, false, []string{"bottom", "middle", "top"}},
		{"nobody knows it", []string{"alone"}, false, []string{"alone"}},
		{"all", nil, true, []string{"alone", "aside", "bottom", "middle", "top"}},
		{"a package that no version has", []string{"nowhere"}, false, nil},
	} {
		changed := map[string]bool{}
		for _, name := range c.changed {
			changed["example.com/m/"+name] = true
		}
		var got []string
		selected, _ := load.Select(loaded, loaded, changed, c.all, load.Limits{})
		for _, path := range selected {
			got = append(got, strings.TrimPrefix(path, "example.com/m/"))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.reason, got, c.want)
		}
	}
}
