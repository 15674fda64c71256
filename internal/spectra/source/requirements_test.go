package source

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// differingModules returns what differs in what a module of both versions requires, as "path packages", with * for any.
// What is the same in both versions lies below S/.
func differingModules(t *testing.T, archive, folder, workspace string) (list []string) {
	t.Helper()
	both := ""
	if i := strings.Index(archive, "-- old/"); i >= 0 {
		archive, both = archive[:i], archive[i:]
	}
	modules := modulesOf(t, strings.ReplaceAll(archive, "S/", "old/")+strings.ReplaceAll(archive, "S/", "new/")+both)
	modules.Each(func(s spectra.Side, m Module) {
		m.Dir = filepath.Join(m.Tree, folder)
		if workspace != "" {
			m.Workspace = filepath.Join(m.Tree, workspace)
		}
		*modules.Of(s) = m
	})
	changes, err := Diff(modules)
	must(t, err)
	if len(changes.Problems) > 0 {
		t.Errorf("problems %v", changes.Problems)
	}
	for _, m := range changes.Modules {
		packages := strings.Join(m.Packages, ",")
		if m.Packages == nil {
			packages = "*"
		}
		list = append(list, m.Path+" "+packages)
	}
	return list
}

// TestWorkspace: what a workspace has in the place of a module concerns its other modules as a replacement does.
func TestWorkspace(t *testing.T) {
	const same = `-- S/go.work --
go 1.24
use (
	./app
	./lib
	./gone
)
replace e => ./e
-- S/app/go.mod --
module m
require lib v1.0.0
-- S/lib/go.mod --
module lib
replace f => ../f
-- S/lib/p/p.go --
package p
-- S/lib/q/q.go --
package q
-- S/e/go.mod --
module e
-- S/f/go.mod --
module f
`
	for _, c := range []struct {
		reason, more string
		want         []string
	}{
		{"nothing", "", nil},
		{"a package of a used module", "-- new/lib/p/p.go --\npackage p\nvar X int\n", []string{"lib lib/p"}},
		{"a test", "-- new/lib/p/p_test.go --\npackage p\n", nil},
		{
			"go.mod of a used module", "-- new/lib/go.mod --\nmodule lib\ngo 1.24\nreplace f => ../f\n",
			[]string{"lib *"},
		},
		{"a folder that go.work replaces", "-- new/e/e.go --\npackage e\n", []string{"e e"}},
		{"a folder that another module replaces", "-- new/f/f.go --\npackage f\n", []string{"f f"}},
		{
			"it is not used any more", "-- new/go.work --\ngo 1.24\nuse ./app\nreplace e => ./e\n",
			[]string{"f *", "lib *"},
		},
		{
			"go.work is before its modules",
			"-- old/go.work --\ngo 1.24\nuse (\n./app\n./lib\n)\nreplace f => ./e\n" +
				"-- new/go.work --\ngo 1.24\nuse (\n./app\n./lib\n)\nreplace f => ./e\n" +
				"-- new/f/f.go --\npackage f\n", nil,
		},
		{
			"lines about Go", "-- new/go.work --\ngo 1.25\ntoolchain go1.26.0\ngodebug panicnil=1\n" +
				"use (\n./app\n./lib\n)\nreplace e => ./e\n", []string{"go *", "godebug *", "toolchain *"},
		},
	} {
		if got := differingModules(t, same+c.more, "app", "go.work"); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
		if c.more != "" && strings.Contains(c.more, "lib") {
			if got := differingModules(t, same+c.more, "app", ""); got != nil {
				t.Errorf("%s, without a workspace: got %q", c.reason, got)
			}
		}
	}
}

// TestVendoredByWorkspace: a workspace has its vendor folder beside its modules.
func TestVendoredByWorkspace(t *testing.T) {
	const same = `-- S/go.work --
go 1.24
use ./app
-- S/app/go.mod --
module m
require v v1.0.0
-- S/vendor/modules.txt --
## workspace
# v v1.0.0
## explicit
v/p
# w v1.1.0
w
-- S/vendor/v/p/p.go --
package p
-- S/vendor/w/w.go --
package w
`
	for change, want := range map[string]string{
		"": "", "-- new/vendor/v/p/p.go --\npackage p\nvar X int\n": "v v/p",
		"-- new/vendor/w/w.s --\n": "w w", "-- new/vendor/w/README.md --\n": "",
	} {
		if got := strings.Join(differingModules(t, same+change, "app", "go.work"), "\n"); got != want {
			t.Errorf("%q: got %q, want %q", change, got, want)
		}
	}
}

// TestReplacedWithoutRequire: what others require is replaced too, whether or not go.mod names it.
func TestReplacedWithoutRequire(t *testing.T) {
	const change = "-- new/e/e.go --\npackage e\n"
	for _, c := range []struct {
		mod  string
		want []string
	}{
		{"replace e => ./e", []string{"e e"}},
		{"replace e v1.0.0 => ./e", []string{"e e"}},
		{"require e v1.0.0\nreplace e v1.0.0 => ./e", []string{"e e"}},
		{"require e v1.1.0\nreplace e v1.0.0 => ./e", nil},
		{"require e v1.0.0\nreplace e v1.1.0 => ./e", []string{"e *"}},
		{"require e v1.0.0\nreplace e => f v1.0.0", nil},
	} {
		same := fmt.Sprintf("-- S/go.mod --\nmodule m\n%s\n-- S/e/go.mod --\nmodule e\n", c.mod)
		if got := differingModules(t, same+change, ".", ""); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.mod, got, c.want)
		}
	}
}

// TestAboutGo: each line about Go itself counts.
func TestAboutGo(t *testing.T) {
	got := differingModules(t, "-- old/go.mod --\nmodule m\ngo 1.24\n-- new/go.mod --\nmodule m\ngo 1.25\n"+
		"toolchain go1.26.0\ngodebug panicnil=1\n", ".", "")
	if want := []string{"go *", "godebug *", "toolchain *"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
