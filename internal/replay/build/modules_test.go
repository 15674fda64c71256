package build

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// realModules are released modules that are hard for the driver, each with the reason.
func realModules() []struct{ reason, old, new string } {
	return []struct{ reason, old, new string }{
		{"reflection, embedded interfaces, commands and internal packages", "github.com/BurntSushi/toml@v1.3.0",
			"github.com/BurntSushi/toml@v1.3.1"},
		{"callbacks, package variables", "github.com/spf13/cobra@v1.8.0", "github.com/spf13/cobra@v1.8.1"},
		{"a thousand generic functions", "github.com/samber/lo@v1.47.0", "github.com/samber/lo@v1.49.1"},
		{"generic types behind plain ones", "github.com/google/btree@v1.1.2", "github.com/google/btree@v1.1.3"},
		{"interfaces made by package variables", "github.com/robfig/cron/v3@v3.0.0",
			"github.com/robfig/cron/v3@v3.0.1"},
		{"requests and handlers of the standard library", "github.com/gorilla/mux@v1.8.0",
			"github.com/gorilla/mux@v1.8.1"},
		{"internal packages, generic constraints", "golang.org/x/mod@v0.20.0", "golang.org/x/mod@v0.22.0"},
		{"many commands that define the same flags, nested internal packages", "honnef.co/go/tools@v0.6.1",
			"honnef.co/go/tools@v0.7.0"},
		{"types of a dependency as parameters", "github.com/andybalholm/cascadia@v1.3.0",
			"github.com/andybalholm/cascadia@v1.3.1"},
		{"another module path in the new version", "github.com/cenkalti/backoff/v3@v3.2.2",
			"github.com/cenkalti/backoff/v4@v4.1.0"},
	}
}

// TestRealModules builds the drivers of both versions of real modules. It needs the module proxy.
func TestRealModules(t *testing.T) {
	if os.Getenv("SPECTRADIFF_LONG") == "" {
		t.Skip("needs the network: make test-long runs it")
	}
	for _, c := range realModules() {
		t.Run(c.old, func(t *testing.T) {
			old, new := loadIn(t, download(t, c.old), os.Environ()), loadIn(t, download(t, c.new), os.Environ())
			selected, _ := load.Select(old, new, nil, true, load.Limits{})
			modules := loadtest.ModulePaths{OldModule: old.Module, NewModule: new.Module}
			surface := api.Common(old, new, selected, modules, nil)
			t.Logf("%s: %d packages, broken %v %v, %d operations, %d types",
				c.reason, len(selected), old.Broken, new.Broken, len(surface.Operations.Old), len(surface.Types.Old))
			if len(surface.Operations.Old) == 0 {
				t.Error("no operations")
			}
			want := registered(surface)
			for side, version := range map[spectra.Side]*load.Version{spectra.Old: old, spectra.New: new} {
				driven := rebased(selected, old.Module, version.Module)
				got := names(run(t, version, driverOf(t, side, version, surface, driven)))
				if !slices.Equal(got, want) {
					t.Errorf("%s registers %d entries, want %d", side, len(got), len(want))
				}
			}
		})
	}
}

// download copies a released version to a fresh folder. A version without a go.mod file gets one.
func download(t testing.TB, version string) string {
	t.Helper()
	scratch := &load.Version{Dir: t.TempDir(), Env: os.Environ()}
	write(t, filepath.Join(scratch.Dir, "go.mod"), []byte("module scratch\n"))
	var answer struct{ Dir string }
	if err := json.Unmarshal([]byte(command(t, scratch, "mod", "download", "-json", version)), &answer); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(answer.Dir)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "go.mod")
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "module") {
		module, _, _ := strings.Cut(version, "@")
		write(t, file, fmt.Appendf(nil, "module %s\n\ngo 1.24\n", module))
	}
	return dir
}
