package target

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const goodModule = "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- m.go --\npackage m\n\nfunc F() {}\n"

func TestLoadRefuses(t *testing.T) {
	for _, c := range []struct {
		reason, files, want string
		patterns            []string
	}{
		{"a folder without a module file", "-- m.go --\npackage m\n", "go.mod", nil},
		{"a module file without a module line", "-- go.mod --\ngo 1.24\n", "no module line", nil},
		{"a module without packages", "-- go.mod --\nmodule example.com/m\n", "no package with Go files", nil},
		{"a pattern that matches nothing", goodModule, "no package with Go files matches ./none/...", []string{"./none/..."}},
		{"only tests", "-- go.mod --\nmodule example.com/m\n-- m_test.go --\npackage m\n", "no package with Go files", nil},
		{"nothing compiles: what go build says is in the error", "-- go.mod --\nmodule example.com/m\n-- m.go --\npackage m\n\nvar x int = \"\"\n", "m.go:3:13: cannot use", nil},
		{"a module file that does not parse", "-- go.mod --\nmodule example.com/m\nnonsense\n", "unknown directive", nil},
	} {
		t.Run(c.reason, func(t *testing.T) {
			dir := extract(t, txtar.Parse([]byte(c.files)), "")
			_, err := Load(t.Context(), LoadConfig{Dir: dir, Env: offline(), Patterns: c.patterns})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want one with %q", err, c.want)
			}
			if strings.Contains(err.Error(), dir+"/m.go") {
				t.Errorf("the position is not module-relative: %v", err)
			}
		})
	}
}

func TestLoadTakesDependenciesFromExportData(t *testing.T) {
	loaded := load(t, extract(t, txtar.Parse([]byte("-- go.mod --\nmodule example.com/m\n-- m.go --\npackage m\n\nimport \"strings\"\n\nvar B strings.Builder\n")), ""))
	if p := loaded.Packages[0].Imports["strings"]; len(p.Syntax) > 0 || p.TypesInfo != nil {
		t.Error("strings was type-checked from source")
	}
	if !strings.HasPrefix(loaded.GoVersion, "go1.") {
		t.Errorf("Go version %q", loaded.GoVersion)
	}
}

// vendored is a module whose dependency exists in its vendor folder only.
const vendored = `-- go.mod --
module example.com/m

go 1.24

require example.com/dep v1.0.0
-- vendor/modules.txt --
# example.com/dep v1.0.0
## explicit
example.com/dep
-- vendor/example.com/dep/dep.go --
package dep

type D struct{ N int }

func New() *D { return &D{} }
-- m.go --
package m

import "example.com/dep"

func F(d *dep.D) int { return d.N }
`

func TestVendorFolder(t *testing.T) {
	loaded := load(t, extract(t, txtar.Parse([]byte(vendored)), ""))
	if len(loaded.Warnings) > 0 || len(loaded.Packages) != 1 || len(loaded.Broken) > 0 {
		t.Fatalf("packages %v, broken %v, warnings %v", loaded.Packages, loaded.Broken, loaded.Warnings)
	}
	var names []string
	for _, op := range Operations(loaded, []string{"example.com/m"}) {
		names = append(names, op.Name)
	}
	if want := []string{"example.com/m.F", "example.com/dep.New"}; !slices.Equal(names, want) {
		t.Errorf("operations %v, want %v: the vendored package supplies", names, want)
	}
}

func TestInconsistentVendorFolder(t *testing.T) {
	text := strings.Replace(vendored, "# example.com/dep v1.0.0", "# example.com/dep v1.1.0", 1)
	dir := extract(t, txtar.Parse([]byte(text)), "")
	loaded, err := List(t.Context(), LoadConfig{Dir: dir, Env: offline()})
	if err != nil {
		t.Fatal(err)
	}
	if len(loaded.Warnings) == 0 || !strings.Contains(loaded.Warnings[0], "vendor folder") {
		t.Errorf("warnings %v, want one about the vendor folder", loaded.Warnings)
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
	root := extract(t, txtar.Parse([]byte(workspace)), "")
	for _, c := range []struct {
		reason, folder string
		outside        bool
		broken         int
	}{
		{"the workspace brings the dependency, whose packages are not the module's", "m", false, 0},
		{"a module that the workspace does not use stands alone", "other", false, 0},
		{"a workspace file above the copy is not the version's", "m", true, 1},
	} {
		t.Run(c.reason, func(t *testing.T) {
			cfg := LoadConfig{Dir: filepath.Join(root, c.folder), Root: root, Env: offline()}
			if c.outside {
				cfg.Root = ""
			}
			found, err := open(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			own, err := found.load(t.Context(), cfg, typesMode)
			if err != nil {
				t.Fatal(err)
			}
			found.sift(own)
			if len(own) != 1 || len(found.Broken) != c.broken {
				t.Errorf("%d packages, broken %v, want 1 and %d", len(own), found.Broken, c.broken)
			}
		})
	}
}

func TestListSeesImportsWithoutTypes(t *testing.T) {
	dir := extract(t, txtar.Parse([]byte("-- go.mod --\nmodule example.com/m\n-- a/a.go --\npackage a\n\nimport _ \"example.com/m/b\"\n-- b/b.go --\npackage b\n\nvar broken int = \"\"\n")), "")
	listed, err := List(t.Context(), LoadConfig{Dir: dir, Env: offline()})
	if err != nil {
		t.Fatal(err)
	}
	if got := Select(listed, listed, map[string]bool{"example.com/m/b": true}, false); !slices.Equal(got, []string{"example.com/m/a", "example.com/m/b"}) {
		t.Errorf("selected %v", got)
	}
}

func TestGeneratedByCgoIsLeftOut(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler: cgo packages can't be listed")
	}
	dir := extract(t, txtar.Parse([]byte("-- go.mod --\nmodule example.com/m\n-- main.go --\npackage main\n\n// static int twice(int n) { return 2 * n; }\nimport \"C\"\n\ntype T struct{ n C.int }\n\nfunc Twice(n int) int { return int(C.twice(C.int(n))) }\nfunc raw(n C.int) C.int { return n }\nfunc main() {}\n")), "")
	loaded, err := Load(t.Context(), LoadConfig{Dir: dir, Env: offline("CGO_ENABLED=1")})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, op := range Operations(loaded, []string{"example.com/m"}) {
		names = append(names, op.Name)
	}
	if !slices.Equal(names, []string{"example.com/m.Twice"}) {
		t.Errorf("operations %v, want Twice alone", names)
	}
	for _, v := range Common(loaded, loaded, []string{"example.com/m"}).Vars {
		if strings.Contains(v, "_C") {
			t.Errorf("variable %s was made by cgo", v)
		}
	}
}

func TestLoadLeavesSourceAlone(t *testing.T) {
	dir := extract(t, txtar.Parse([]byte(goodModule)), "")
	load(t, dir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 2 {
		t.Errorf("the folder holds %v", entries)
	}
}
