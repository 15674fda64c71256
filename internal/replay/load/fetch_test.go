package load_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/goproxytest"
	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

func TestMain(m *testing.M) {
	if sandbox.Child() || load.Child() {
		return
	}
	os.Exit(m.Run())
}

func confined(t *testing.T) *gocommand.Runner {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux confines")
	}
	box, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	r, err := gocommand.NewRunner(t.Context(), box, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// proxy serves the modules in testdata to go commands with empty caches.
func proxy(t *testing.T) *goproxytest.Server {
	t.Helper()
	server, err := goproxytest.NewServer(filepath.Join("testdata", "proxy"), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	for name, value := range map[string]string{
		"GOPROXY": server.URL, "GOSUMDB": "off", "GOMODCACHE": t.TempDir(), "GOFLAGS": "-modcacherw",
		"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1",
	} {
		t.Setenv(name, value)
	}
	return server
}

const needing = `-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m

import "example.com/dep"

// F gives a number.
func F() int { return dep.N }
`

// TestFetch checks that a missing module is fetched, even if nothing requires it yet, and only once.
func TestFetch(t *testing.T) {
	server := proxy(t)
	cfg := load.Config{
		Dir: loadtest.Extract(t, txtar.Parse([]byte(needing)), ""), ModFolder: t.TempDir(), Go: confined(t),
	}
	if _, err := load.List(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	server.Close()
	loaded, err := load.TypeCheck(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if len(loaded.Packages) != 1 || len(loaded.Broken) != 0 || len(loaded.Warnings) != 0 {
		t.Errorf("packages %v, broken %v, warnings %v", loaded.Packages, loaded.Broken, loaded.Warnings)
	}
}

// TestFetchFails checks that the error names what can't be fetched.
func TestFetchFails(t *testing.T) {
	proxy(t)
	text := strings.ReplaceAll(needing, "example.com/dep", "example.com/other") + "-- a/a.go --\npackage a\n"
	loaded, err := load.TypeCheck(t.Context(), load.Config{
		Dir: loadtest.Extract(t, txtar.Parse([]byte(text)), ""), ModFolder: t.TempDir(), Go: confined(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(loaded.Warnings, "\n")
	if !strings.Contains(all, "fetch modules of example.com/m") || !strings.Contains(all, "example.com/other") {
		t.Errorf("warnings %q", loaded.Warnings)
	}
	if len(loaded.Broken) != 1 || strings.Contains(loaded.Broken[0].Error, "GOPROXY") {
		t.Errorf("broken %v", loaded.Broken)
	}
}

// TestFetchRefused checks that the error says why a module is missing: the proxy's answer, and not that the go command
// had no network when it listed or built.
func TestFetchRefused(t *testing.T) {
	for _, test := range []struct{ reason, required, want string }{
		{"it is required", "go 1.16\n\nrequire example.com/other v1.0.0\n", "404 Not Found"},
		{"nothing requires it, and no package compiles", "go 1.24\n", "example.com/other"},
	} {
		proxy(t)
		text := strings.NewReplacer("example.com/dep", "example.com/other", "go 1.24\n", test.required).Replace(needing)
		_, err := load.TypeCheck(t.Context(), load.Config{
			Dir: loadtest.Extract(t, txtar.Parse([]byte(text)), ""), ModFolder: t.TempDir(), Go: confined(t),
		})
		if err == nil || strings.Contains(err.Error(), "GOPROXY=off") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v", test.reason, err)
		}
	}
}

// TestReadsNothingOutside checks that a link out of the version is not followed to parse or quote a file, whether or
// not the go command itself could read it.
func TestReadsNothingOutside(t *testing.T) {
	dir := loadtest.Extract(t, txtar.Parse([]byte(goodModule+"-- a/a.go --\npackage a\n")), "")
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("package m\n\nvar x = SECRET\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, "n.go")); err != nil {
		t.Fatal(err)
	}
	for name, runner := range map[string]*gocommand.Runner{
		"confined": confined(t), "not confined": gocommand.Unconfined(),
	} {
		cfg := loadtest.Config(dir)
		cfg.Go = runner
		loaded, err := load.TypeCheck(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if len(loaded.Broken) != 1 || strings.Contains(loaded.Broken[0].Error, "SECRET") {
			t.Errorf("%s: broken %v, want one that does not quote the file", name, loaded.Broken)
		}
	}
}
