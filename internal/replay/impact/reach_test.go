package impact

import (
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"strings"
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

// TestUnmentioned: what changed and is mentioned by no code is told, as far as others can see it.
func TestUnmentioned(t *testing.T) {
	const file = `package m

import "fmt"

// Port is a port.
const Port = 8080

const base, Derived = 1, "a"

const Sum = base + 1

const used = 2

const made = 3

var Made = made * 0

type (
	Options struct{ inner }
	inner   struct{ A int }
	hidden  struct{ A int }
)

func Hello() string { return fmt.Sprint(used) }
`
	for _, c := range []struct {
		reason, old, new string
		want             string
	}{
		{"a constant", "8080", "9090", "[m.Port]"},
		{"a constant that is written otherwise", "8080", "0x1F90", "[]"},
		{"a constant with another type", "Port = 8080", "Port int = 8080", "[m.Port]"},
		{"a comment", "is a port", "is the port", "[]"},
		{"one that nobody can name, but what is made of it", "Derived = 1", "Derived = 2", "[m.base]"},
		{"a type that nobody can name", "hidden  struct{ A", "hidden  struct{ B, A", "[]"},
		{"a type within another one", "inner   struct{ A", "inner   struct{ B, A", "[m.inner]"},
		{"a constant that a function mentions", "used = 2", "used = 3", "[]"},
		{"a constant that a variable is made with", "made = 3", "made = 4", "[]"},
		{"the name of a field", "inner   struct{ A", "inner   struct{ B", "[]"},
		{"another name", "hidden ", "masked ", "[]"},
		{"one more", "const used", "const More = 1\n\nconst used", "[]"},
		{"one less", "// Port is a port.\nconst Port = 8080", "", "[]"},
		{"a function, too", "Sprint(used)", "Sprint(used + 1)", "[]"},
	} {
		change, _ := changeOf(t, map[string]string{"a.go": file},
			map[string]string{"a.go": strings.Replace(file, c.old, c.new, 1)})
		if found, unknown := change.Find(); fmt.Sprint(found.Unmentioned) != c.want || unknown != "" {
			t.Errorf("%s: %v, want %s; %s", c.reason, found.Unmentioned, c.want, unknown)
		}
	}
}
