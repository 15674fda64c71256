package load_test

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
)

// TestNeeded: what a version needs is known of packages that were listed and not type-checked, such as those that only
// tests import. Of a package of the module that is not listed it is not known what it needs.
func TestNeeded(t *testing.T) {
	cfg := loadtest.Config(loadtest.Extract(t, txtar.Parse([]byte(layered)), ""))
	listed, err := load.List(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Patterns, cfg.Listed = []string{"example.com/m/bottom"}, listed
	loaded, err := load.TypeCheck(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reason string
		paths  []string
		want   string
	}{
		{"type-checked", []string{"example.com/m/bottom", "fmt"}, "bottom"},
		{"not type-checked, with what it imports", []string{"example.com/m/top"}, "bottom middle top"},
		{"of another module", []string{"example.com/more", "example.com/m/alone"}, "alone"},
		{"of the module, but not listed", []string{"example.com/m/bottom", "example.com/m/none"}, "not known"},
	} {
		folders, ok := loaded.Needed(c.paths)
		got := shortened(slices.Sorted(maps.Keys(folders)))
		if !ok {
			got = "not known"
		}
		if got != c.want {
			t.Errorf("%s: needs %s, want %s", c.reason, got, c.want)
		}
		for path, folder := range folders {
			if want := filepath.Join(cfg.Dir, shortened([]string{path})); folder != want {
				t.Errorf("%s: folder %s, want %s", path, folder, want)
			}
		}
	}
}
