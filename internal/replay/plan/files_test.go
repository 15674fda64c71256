package plan

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

func TestFilesOfCode(t *testing.T) {
	p := &Plan{Changes: &source.Changes{Files: []source.FileChange{
		{Path: "a.go", What: spectra.ChangeModified, Kind: source.GoFile},
		{Path: "go.mod", What: spectra.ChangeModified, Kind: source.ModuleFile},
		{Path: "page.golden.html", What: spectra.ChangeModified, Kind: source.OtherFile},
		{Path: "page.tmpl", What: spectra.ChangeModified, Kind: source.OtherFile},
		{Path: "testdata/added", What: spectra.ChangeAdded, Kind: source.TestdataFile},
		{Path: "testdata/changed", What: spectra.ChangeModified, Kind: source.TestdataFile},
		{Path: "testdata/removed", What: spectra.ChangeRemoved, Kind: source.TestdataFile},
	}}}
	tests := []string{"page.golden.html", "testdata/added", "testdata/changed", "testdata/removed"}
	for _, c := range []struct {
		reason    string
		got, want []string
	}{
		{"what new's code reads", p.FilesOfCode(spectra.New), []string{"page.tmpl", "testdata/added"}},
		{"what old's reads", p.FilesOfCode(spectra.Old), []string{"page.tmpl", "testdata/removed"}},
		{"what tests give", p.FilesOfTests(), tests},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", c.reason, c.got, c.want)
		}
	}
}
