package pipeline

import (
	"maps"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/diff/source"
	"github.com/spectradiff/spectradiff/replay/load"
	"github.com/spectradiff/spectradiff/replay/module"
	"github.com/spectradiff/spectradiff/spectra"
)

func TestChangedPackages(t *testing.T) {
	goFile := func(path string) source.FileChange { return source.FileChange{Path: path, Kind: source.GoFile} }
	test, other, vendored := goFile("p/a_test.go"), goFile("p/a.go"), goFile("vendor/d/a.go")
	test.Test, other.Other, vendored.Vendor = true, true, true
	for _, c := range []struct {
		reason  string
		changes source.Changes
		want    []string
	}{
		{"none", source.Changes{}, nil},
		{"a Go file", source.Changes{Files: []source.FileChange{goFile("p/a.go")}}, []string{"m/p", "n/p"}},
		{"a test", source.Changes{Files: []source.FileChange{test}}, nil},
		{"a file of another system", source.Changes{Files: []source.FileChange{other}}, nil},
		{
			"an embedded file may be in any package around it",
			source.Changes{Files: []source.FileChange{{Path: "p/q/a.txt", Kind: source.EmbeddedFile}}},
			[]string{"m", "m/p", "m/p/q", "n", "n/p", "n/p/q"},
		},
		{
			"a dependency may change all", source.Changes{Modules: []source.ModuleChange{{Path: "d"}}},
			[]string{"m/all", "n/all"},
		},
		{"so may a vendored file", source.Changes{Files: []source.FileChange{vendored}}, []string{"m/all", "n/all"}},
	} {
		p := &plan{changes: &c.changes}
		for _, s := range spectra.Sides() {
			path := map[spectra.Side]string{spectra.Old: "m", spectra.New: "n"}[s]
			*p.sides.Of(s) = side{
				module: module.Module{Path: path},
				target: &load.Version{Packages: []*packages.Package{{PkgPath: path + "/all"}}},
			}
		}
		if got := slices.Sorted(maps.Keys(p.changedPackages())); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestChangedBlock: a block is changed if it lies in changed lines, or next to lines that only the
// other version has.
func TestChangedBlock(t *testing.T) {
	p := &plan{changes: &source.Changes{Files: []source.FileChange{{
		Path: "a.go", Kind: source.GoFile,
		Hunks: []source.Hunk{{Old: source.Lines{Start: 10, Count: 2}, New: source.Lines{Start: 12}}},
	}}}}
	for _, c := range []struct {
		reason    string
		side      spectra.Side
		file      string
		line, end int
		want      bool
	}{
		{"before", spectra.Old, "a.go", 1, 9, false},
		{"its last line is the first that changed", spectra.Old, "a.go", 1, 10, true},
		{"its first line is the last that changed", spectra.Old, "a.go", 11, 20, true},
		{"behind", spectra.Old, "a.go", 12, 20, false},
		{"another file", spectra.Old, "b.go", 10, 11, false},
		{"where lines were taken out", spectra.New, "a.go", 12, 12, true},
		{"beside that", spectra.New, "a.go", 13, 13, false},
	} {
		if got := p.changedBlock(c.side, spectra.Block{File: c.file, Line: c.line, EndLine: c.end}); got != c.want {
			t.Errorf("%s: got %v, want %v", c.reason, got, c.want)
		}
	}
}
