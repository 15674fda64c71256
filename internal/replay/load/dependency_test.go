package load_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

func TestChanged(t *testing.T) {
	list := func(modules ...string) (of []load.Dependency) {
		for i := 0; i < len(modules); i += 2 {
			of = append(of, load.Dependency{Path: modules[i], Version: modules[i+1]})
		}
		return of
	}
	for _, c := range []struct {
		reason    string
		old, new  []load.Dependency
		differing []string
		want      []string
	}{
		{"the same", list("a", "v1.0.0"), list("a", "v1.0.0"), nil, nil},
		{
			"other versions", list("b", "v1.0.0", "a", "v1.0.0"), list("a", "v1.1.0", "b", "v2.0.0"), nil,
			[]string{"a", "b"},
		},
		{"in one alone", list("a", "v1.0.0"), list("b", "v1.0.0"), nil, []string{"a", "b"}},
		{"a folder with other files", list("a", "=> ./a"), list("a", "=> ./a"), []string{"a"}, []string{"a"}},
		{"required, but nothing of it is imported", nil, nil, []string{"a"}, nil},
	} {
		got := load.ChangedDependencies(spectra.Pair[[]load.Dependency]{Old: c.old, New: c.new}, c.differing)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestPlaceNothing checks that a module that has vendored a dependency stays as it is. A dependency in the vendor
// folder of a workspace is refused.
func TestPlaceNothing(t *testing.T) {
	m := module.Module{Dir: t.TempDir(), Rel: "."}
	if err := os.MkdirAll(filepath.Join(m.Dir, "vendor", "a"), 0o777); err != nil {
		t.Fatal(err)
	}
	vendored := []load.Dependency{{Path: "a", Version: "v1.0.0"}, {Path: "b", Version: "v1.0.0", Dir: "/b"}}
	got, folders, err := load.PlaceDependencies(t.Context(), m, vendored, []string{"a"})
	if err != nil || got.Dir != m.Dir || len(folders) != 1 || folders["a"] != "" {
		t.Errorf("got %+v, %q, %v", got, folders, err)
	}
	elsewhere := []load.Dependency{{Path: "c", Version: "v1.0.0"}}
	if _, _, err := load.PlaceDependencies(t.Context(), m, elsewhere, []string{"c"}); err == nil {
		t.Error("one that is not in the vendor folder is taken from there")
	}
}
