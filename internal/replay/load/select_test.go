package load_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
)

// TestSelectNearest: limits leave out what is further from the change, and what brings more than others.
func TestSelectNearest(t *testing.T) {
	const files = layered + `-- wide/wide.go --
package wide

import (
	"example.com/m/bottom"
	_ "example.com/m/w1"
	_ "example.com/m/w2"
)

func F() string { return bottom.F() }
-- w1/w1.go --
package w1
-- w2/w2.go --
package w2
`
	loaded := loadtest.TypeCheckText(t, files, nil)
	for _, c := range []struct {
		reason, changed, selected, beyond string
		most                              load.Limits
	}{
		{"no limit", "bottom", "aside bottom middle top wide", "", load.Limits{}},
		{"two packages", "bottom", "aside bottom", "middle top wide", load.Limits{Packages: 2}},
		{"what changed counts", "bottom", "bottom", "aside middle top wide", load.Limits{Packages: 1}},
		{"two others linked: none that needs three", "bottom", "aside bottom middle", "top wide",
			load.Limits{Linked: 2}},
		{"what is imported is linked anyway", "top", "bottom middle top", "", load.Limits{Linked: 1}},
		{"the nearest of what is imported", "top", "middle top", "bottom", load.Limits{Packages: 2}},
	} {
		changed := map[string]bool{"example.com/m/" + c.changed: true}
		selected, beyond := load.Select(loaded, loaded, changed, false, c.most)
		if got := shortened(selected); got != c.selected {
			t.Errorf("%s: selected %s, want %s", c.reason, got, c.selected)
		}
		if got := shortened(beyond); got != c.beyond {
			t.Errorf("%s: beyond %s, want %s", c.reason, got, c.beyond)
		}
	}
}

func shortened(paths []string) string {
	return strings.ReplaceAll(strings.Join(paths, " "), "example.com/m/", "")
}

// TestDistances: who imports a changed package, and through how many others.
func TestDistances(t *testing.T) {
	loaded := loadtest.TypeCheckText(t, layered, nil)
	for _, c := range []struct{ reason, changed, want string }{
		{"importers of importers", "bottom", "aside 1, bottom 0, middle 1, top 2"},
		{"nobody imports it", "top", "top 0"},
		{"the nearest counts", "bottom middle", "aside 1, bottom 0, middle 0, top 1"},
		{"nothing changed", "", ""},
	} {
		changed := map[string]bool{}
		for _, name := range strings.Fields(c.changed) {
			changed["example.com/m/"+name] = true
		}
		var got []string
		for path, away := range load.Distances(loaded, loaded, changed) {
			got = append(got, fmt.Sprintf("%s %d", shortened([]string{path}), away))
		}
		slices.Sort(got)
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: distances are %s, want %s", c.reason, text, c.want)
		}
	}
}

// TestUsing: who imports a dependency, and not who imports that.
func TestUsing(t *testing.T) {
	const files = `-- go.mod --
module example.com/m

go 1.24

require (
	example.com/d v0.0.0
	example.com/e v0.0.0
)

replace (
	example.com/d => ./d
	example.com/e => ./e
)
-- direct/direct.go --
package direct

import _ "example.com/d"
-- through/through.go --
package through

import _ "example.com/e"
-- above/above.go --
package above

import _ "example.com/m/direct"
-- d/go.mod --
module example.com/d
-- d/d.go --
package d
-- e/go.mod --
module example.com/e

require example.com/d v0.0.0
-- e/e.go --
package e

import _ "example.com/d"
`
	loaded := loadtest.TypeCheckText(t, files, nil)
	for _, c := range []struct {
		reason  string
		modules []string
		want    string
	}{
		{"no module", nil, ""},
		{"one that is imported, also through another", []string{"example.com/d"}, "direct through"},
		{"one that nobody imports", []string{"example.com/x"}, ""},
		{"two", []string{"example.com/e", "example.com/x"}, "through"},
	} {
		concerned := loaded.Concerned(func(module, _ string) bool { return slices.Contains(c.modules, module) })
		if got := shortened(loaded.Using(concerned)); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
}

// TestDistantHasNoSource: a package that was not asked for is not the version's, though the version knows its types.
func TestDistantHasNoSource(t *testing.T) {
	cfg := loadtest.Config(loadtest.Extract(t, txtar.Parse([]byte(layered)), ""))
	cfg.Patterns = []string{"./middle"}
	loaded, err := load.TypeCheck(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if !loaded.HasSource("example.com/m/middle") || loaded.HasSource("example.com/m/bottom") {
		t.Error("want source of middle, not of bottom")
	}
	known := loaded.Known("example.com/m/bottom")
	if known == nil || !slices.Contains(loaded.Foreign(), known) {
		t.Errorf("bottom is known as %v, want it as foreign", known)
	}
}
