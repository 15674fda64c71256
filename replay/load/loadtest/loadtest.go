// Package loadtest helps tests that need type-checked versions of small modules.
//
// In: archives of files, folders. Out: folders below the test's own temporary one, versions loaded
// without the network. What fails, fails the test.
package loadtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/replay/load"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// Extract writes the archive's files whose names start with the prefix to a fresh folder, without the
// prefix.
func Extract(t testing.TB, archive *txtar.Archive, prefix string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range archive.Files {
		name, ok := strings.CutPrefix(f.Name, prefix)
		if !ok {
			continue
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Offline is the environment of go commands that use neither the network nor, but for what extra
// says, a C compiler.
func Offline(extra ...string) []string {
	return append(append(os.Environ(), "GOPROXY=off", "GOFLAGS=-buildvcs=false", "CGO_ENABLED=0"), extra...)
}

// TypeCheck loads the module in a folder.
func TypeCheck(t testing.TB, dir string, wanted []load.Wanted) *load.Version {
	t.Helper()
	loaded, err := load.TypeCheck(t.Context(), load.Config{Dir: dir, Env: Offline(), Wanted: wanted})
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// TypeCheckText loads a module whose files are in a text archive.
func TypeCheckText(t testing.TB, text string, wanted []load.Wanted) *load.Version {
	t.Helper()
	return TypeCheck(t, Extract(t, txtar.Parse([]byte(text)), ""), wanted)
}

// ModulePaths translates names between two versions of which nothing but the module's path differs.
type ModulePaths struct{ OldModule, NewModule string }

// Old returns a name of new as old has it.
func (m ModulePaths) Old(text string) string { return symbol.Rebase(text, m.NewModule, m.OldModule) }

// New returns a name of old as new has it.
func (m ModulePaths) New(text string) string { return symbol.Rebase(text, m.OldModule, m.NewModule) }

// Vendored is a module whose dependency exists in its vendor folder only.
const Vendored = `-- go.mod --
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
