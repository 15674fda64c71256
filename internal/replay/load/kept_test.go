package load_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
)

// kept returns the files of listings that were kept in a folder.
func kept(t *testing.T, folder string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "listings-*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestKeptListing: a listing is used again while all that it names is there. A package that is added behind the back of
// the tool shows whether packages were listed again.
func TestKeptListing(t *testing.T) {
	dir := loadtest.Extract(t, txtar.Parse([]byte("-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- m.go --\n"+
		"package m\n\nimport \"net\"\n\nvar A net.IP\n")), "")
	cfg := loadtest.Config(dir)
	cfg.ModFolder = t.TempDir()
	packages := func() int {
		v, err := load.TypeCheck(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		return len(v.Packages)
	}
	if n := packages(); n != 1 {
		t.Fatalf("%d packages, want 1", n)
	}
	names := kept(t, cfg.ModFolder)
	if len(names) != 1 {
		t.Fatalf("kept: %q, want one listing", names)
	}
	if err := os.Mkdir(filepath.Join(dir, "more"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "more", "more.go"), []byte("package more\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if n := packages(); n != 1 {
		t.Errorf("%d packages, want the kept listing with 1", n)
	}
	text, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ reason, text string }{
		{"a file that it names is gone", strings.Replace(string(text), `"ExportFile":"`, `"ExportFile":"/nowhere`, 1)},
		{"it is cut off", string(text[:len(text)/2])},
	} {
		if err := os.WriteFile(names[0], []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if n := packages(); n != 2 {
			t.Errorf("%s: %d packages, want 2 of a new listing", c.reason, n)
		}
		if again, err := os.ReadFile(names[0]); err != nil || !json.Valid(again) || string(again) == c.text {
			t.Errorf("%s: the new listing was not kept (%v)", c.reason, err)
		}
	}
}

// TestNotKept: what may change without the version is listed each time.
func TestNotKept(t *testing.T) {
	for _, c := range []struct{ reason, files string }{
		{"an import that is missing", "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- m.go --\n" +
			"package m\n\nimport _ \"example.com/missing\"\n-- n/n.go --\npackage n\n"},
		{"a module in a folder outside", "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n\n" +
			"require example.com/dep v1.0.0\n\nreplace example.com/dep => ../dep\n-- m.go --\n" +
			"package m\n\nimport _ \"example.com/dep\"\n-- ../dep/go.mod --\nmodule example.com/dep\n" +
			"-- ../dep/dep.go --\npackage dep\n"},
	} {
		files := txtar.Parse([]byte(c.files))
		for i := range files.Files {
			files.Files[i].Name = filepath.Join("m", files.Files[i].Name)
		}
		cfg := loadtest.Config(filepath.Join(loadtest.Extract(t, files, ""), "m"))
		cfg.ModFolder = t.TempDir()
		if _, err := load.TypeCheck(t.Context(), cfg); err != nil {
			t.Errorf("%s: %v", c.reason, err)
		}
		if names := kept(t, cfg.ModFolder); len(names) > 0 {
			t.Errorf("%s: kept %q", c.reason, names)
		}
	}
}

// TestCgoBehindNet: net is compiled with cgo, and comes from export data nevertheless, with all that imports it.
func TestCgoBehindNet(t *testing.T) {
	loaded := loadtest.TypeCheckText(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- m.go --\npackage m\n\n"+
		"import \"net/http\"\n\nvar C http.Client\n", nil)
	http := loaded.Packages[0].Imports["net/http"]
	for path, p := range http.Imports {
		if path != "unsafe" && (p.ExportFile == "" || len(p.CompiledGoFiles) > 0) {
			t.Errorf("%s is type-checked from source", path)
		}
	}
	if loaded.Exported == 0 || http.ExportFile == "" {
		t.Errorf("%d packages from export data, net/http of %q", loaded.Exported, http.ExportFile)
	}
}
