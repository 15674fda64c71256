// Package loadtest provides tests with type-checked versions of small modules.
//
// Input: archives of files, or folders. Output: temporary folders of the test, and versions loaded without the network.
// Every failure fails the test.
package loadtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Extract writes the archive's files whose names start with the prefix to a new folder. It removes the prefix.
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

// Offline returns an environment in which go commands use neither the network nor a C compiler. Later entries win, so
// extra may change that.
func Offline(extra ...string) []string {
	return append(append(os.Environ(), "GOPROXY=off", "GOFLAGS=-buildvcs=false", "CGO_ENABLED=0"), extra...)
}

// Config returns the configuration for loading the module in a folder.
func Config(dir string) load.Config {
	return load.Config{Dir: dir, Env: Offline(), Go: gocommand.Unconfined()}
}

// TypeCheck loads the module in a folder.
func TypeCheck(t testing.TB, dir string, wanted []load.Wanted) *load.Version {
	t.Helper()
	cfg := Config(dir)
	cfg.Wanted = wanted
	loaded, err := load.TypeCheck(t.Context(), cfg)
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

// ModulePaths translates names between two versions whose module paths differ, and no other names.
type ModulePaths struct{ OldModule, NewModule string }

// Old translates names of new to old's.
func (m ModulePaths) Old(text string) string { return symbol.Rebase(text, m.NewModule, m.OldModule) }

// New translates names of old to new's.
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
