package api_test

import (
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

const insideSource = `
-- old/go.mod --
module example.com/m

go 1.24
-- old/m.go --
package m

import "unsafe"

type table struct{ n int }

func Exported() {}

func plain(n int) (string, error) { return "", nil }
func changed(n int)               {}
func gone()                       {}
func generic[T any](t T)          {}
func address(p unsafe.Pointer)    {}
func other()                      {}

func (t *table) get(key string) int { return t.n }
func (t table) Public()             {}
-- new/go.mod --
module example.com/m

go 1.24
-- new/m.go --
package m

import "unsafe"

type table struct{ n int }

func Exported() {}

func plain(n int) (string, error) { return "", nil }
func changed(n int64)             {}
func generic[T any](t T)          {}
func address(p unsafe.Pointer)    {}
func other()                      {}

func (t *table) get(key string) int { return t.n }
func (t table) Public()             {}
`

// TestInside checks that operations inside are unexported functions and methods that both versions have with one
// signature, and only those that are asked for.
func TestInside(t *testing.T) {
	archive := txtar.Parse([]byte(insideSource))
	old := loadtest.TypeCheck(t, loadtest.Extract(t, archive, "old/"), api.Wanted())
	new := loadtest.TypeCheck(t, loadtest.Extract(t, archive, "new/"), api.Wanted())
	functions := map[spectra.Symbol]bool{}
	for _, name := range []string{
		"Exported", "plain", "changed", "gone", "generic", "address", "(*table).get", "table.Public",
	} {
		functions[spectra.Symbol("example.com/m."+name)] = true
	}
	selected, _ := load.Select(old, new, nil, true, load.Limits{})
	found := api.Inside(old, new, selected, namesOf(archive, old, new), functions)
	for _, s := range spectra.Sides() {
		var got []string
		for _, op := range *found.Of(s) {
			got = append(got, op.Expr)
			if s == spectra.Old && !(op.Inside && op.Reaches) {
				t.Errorf("%s is not marked", op.Name)
			}
		}
		if want := []string{"(*table).get", "plain"}; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", s, got, want)
		}
	}
}
