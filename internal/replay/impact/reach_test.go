package impact

import (
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// TestUntraced: what acts on code that does not mention it.
func TestUntraced(t *testing.T) {
	added, modified := spectra.ChangeAdded, spectra.ChangeModified
	for _, c := range []struct {
		reason string
		change source.Change
		known  bool
	}{
		{"a function", source.Change{Kind: source.Function, Symbol: "m.F", What: modified}, true},
		{"C", source.Change{Kind: source.Import, Symbol: "C", What: modified}, false},
		{"C of another system", source.Change{Kind: source.Import, Symbol: "C", What: modified, Other: true}, true},
		{"a package that is used", source.Change{Kind: source.Import, Symbol: "fmt", What: added}, true},
		{"one that registers", source.Change{Kind: source.Import, Symbol: "a/b", What: added, Blank: true}, false},
		{"one in tests", source.Change{Kind: source.Import, Symbol: "a/b", What: added, Blank: true, Test: true}, true},
		{"a directive", source.Change{Kind: source.Directive, Symbol: "m.f", What: added}, false},
		{"a function of another language", source.Change{Kind: source.Function, What: modified, Directed: true}, false},
		{"an image format", source.Change{Kind: source.Import, Symbol: "image/png", What: added}, false},
		{"one under a name", source.Change{Kind: source.Import, Symbol: "image/draw", What: added}, true},
		{"one that is used now", source.Change{Kind: source.Import, Symbol: "a/b", What: modified, Blank: true}, true},
	} {
		if why := untraced(c.change); (why == "") != c.known {
			t.Errorf("%s: %q", c.reason, why)
		}
	}
}

// TestEmbedsChanged: what a package embeds lies in its folder or below, and may be Go.
func TestEmbedsChanged(t *testing.T) {
	changed := func(f source.FileChange) *Change {
		c := &Change{Source: &source.Changes{Files: []source.FileChange{f}}}
		c.Versions.Old = &load.Version{Module: "m"}
		return c
	}
	for _, c := range []struct {
		reason string
		file   source.FileChange
		want   bool
	}{
		{"a text", source.FileChange{Path: "p/rt/a.txt", Kind: source.EmbeddedFile, Embedded: true}, true},
		{"Go", source.FileChange{Path: "p/rt/a.go", Kind: source.GoFile, Embedded: true}, true},
		{"Go that is built", source.FileChange{Path: "p/rt/a.go", Kind: source.GoFile}, false},
		{"beside it", source.FileChange{Path: "prt/a.txt", Kind: source.EmbeddedFile, Embedded: true}, false},
	} {
		if got := changed(c.file).embedsChanged(&packages.Package{PkgPath: "m/p"}); got != c.want {
			t.Errorf("%s: %v", c.reason, got)
		}
	}
}

// TestEmbedded: blank lines may stand between a directive and its variable.
func TestEmbedded(t *testing.T) {
	const text = `package p

//go:embed a

var a string

// b
var b string

var (
	//go:embed c
	c string
	d string
)
`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if got := embedded("m/p", file); !slices.Equal(got, []spectra.Symbol{"m/p.a", "m/p.c"}) {
		t.Errorf("%s", got)
	}
}
