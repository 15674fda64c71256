package plan

import (
	"maps"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// apartIn are the files of a version whose module has a path.
func apartIn(module, more string) string {
	return "-- go.mod --\nmodule " + module + "\n\ngo 1.24\n" +
		"-- p/p.go --\npackage p\n\nfunc F() {}\n" +
		"-- q/q.go --\npackage q\n\nimport _ \"" + module + "/p\"\n" +
		"-- other/other.go --\npackage other\n" +
		"-- near/it_test.go --\npackage it\n\nimport _ \"" + module + "/p\"\n" +
		"-- far/it_test.go --\npackage it\n\nimport (\n_ \"fmt\"\n_ \"" + module + "/q\"\n)\n" +
		"-- unrelated/it_test.go --\npackage it\n\nimport _ \"" + module + "/other\"\n" + more
}

// TestApart: folders of nothing but tests come to the change by what these import, those of new by their paths in old.
func TestApart(t *testing.T) {
	texts := spectra.Pair[string]{
		Old: apartIn("example.com/m", ""),
		New: apartIn("example.com/n", "-- only/it_test.go --\npackage it\n\nimport _ \"example.com/n/p\"\n"),
	}
	p := &Plan{Given: givenModules("example.com/m", "example.com/n"), Changes: &source.Changes{}}
	for _, s := range spectra.Sides() {
		cfg := loadtest.Config(loadtest.Extract(t, txtar.Parse([]byte(*texts.Of(s))), ""))
		listed, err := load.List(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Patterns, cfg.Listed = []string{listed.Module + "/p"}, listed
		if p.Sides.Of(s).Target, err = load.TypeCheck(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if p.Common, err = match.Versions(p.Sides.Old.matchable(), p.Sides.New.matchable(), nil); err != nil {
		t.Fatal(err)
	}
	changed := source.Changes{Files: []source.FileChange{{Path: "p/p.go", Kind: source.GoFile}}}
	m := func(name string) string { return "example.com/m/" + name }
	for _, c := range []struct {
		reason  string
		changes source.Changes
		of      spectra.Side
		want    map[string]int
	}{
		{"of old", changed, spectra.Old, map[string]int{m("near"): 1, m("far"): 2}},
		{"of new", changed, spectra.New, map[string]int{m("near"): 1, m("far"): 2, m("only"): 1}},
		{
			"nothing changed", source.Changes{}, spectra.Old,
			map[string]int{m("near"): 0, m("far"): 0, m("unrelated"): 0},
		},
	} {
		p.Changes = &c.changes
		if got := p.Apart(c.of); !maps.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.reason, got, c.want)
		}
	}
}
