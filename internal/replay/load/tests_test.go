package load_test

import (
	"go/ast"
	"go/parser"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
)

const helped = `-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m

type T struct{ N int }
-- helper/helper.go --
package helper

import "example.com/m"

func Make(n int) m.T { return m.T{N: n} }
-- broken/broken.go --
package broken

var Number int = "1"
-- through/through.go --
package through

import (
	"container/ring"

	"example.com/m"
	"example.com/m/helper"
)

type Ring struct{ *ring.Ring }

func Make() m.T { return helper.Make(1) }

func (Ring) Broken() int { return "" }
-- m_test.go --
package m_test

import (
	"testing"

	"example.com/m"
	IMPORTED
)

func take(m.T) {}

func TestMake(t *testing.T) { take(USED) }
`

// TestCheckTestsWithHelpers: test files are checked with packages of the module that only tests import, whose types are
// those of the version. What does not compile is an error only at the import.
func TestCheckTestsWithHelpers(t *testing.T) {
	for _, c := range []struct{ reason, imported, used, want string }{
		{"a package that only tests import", "example.com/m/helper", "helper.Make(3)", ""},
		{"one that imports another, and code that no other imports", "example.com/m/through", "through.Make()", ""},
		{"a value of a wrong type from there", "example.com/m/helper", "helper.Make", "cannot use helper.Make"},
		{"one that does not compile", "example.com/m/broken", "broken.Number", "could not import example.com/m/broken"},
		{"one that is not there", "example.com/m/none", "none.Number", "could not import example.com/m/none"},
	} {
		text := strings.NewReplacer("IMPORTED", `"`+c.imported+`"`, "USED", c.used).Replace(helped)
		loaded, dir := loadRoot(t, text)
		name := filepath.Join(dir, "m_test.go")
		file, err := parser.ParseFile(loaded.Fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // what was not there is not asked for again
			checked, err := loaded.CheckTests(t.Context(), "example.com/m", loaded.Fset, nil, []*ast.File{file})
			if err != nil {
				t.Fatal(err)
			}
			checkErrors(t, c.reason, checked, c.want)
		}
	}
}

// loadRoot returns a version of which only the package in the root's folder is type-checked.
func loadRoot(t *testing.T, text string) (*load.Version, string) {
	t.Helper()
	cfg := loadtest.Config(loadtest.Extract(t, txtar.Parse([]byte(text)), ""))
	listed, err := load.List(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Patterns, cfg.Listed = []string{"example.com/m"}, listed
	loaded, err := load.TypeCheck(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return loaded, cfg.Dir
}

// checkErrors demands one error that begins so, or none.
func checkErrors(t *testing.T, reason string, checked *load.TestCheck, want string) {
	t.Helper()
	switch {
	case want == "" && len(checked.Errors) == 0:
	case want == "" || len(checked.Errors) != 1 || !strings.HasPrefix(checked.Errors[0].Msg, want):
		t.Errorf("%s: errors %v, want %q", reason, checked.Errors, want)
	}
}
