package hybrid_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/diff/hybrid"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestInits: init functions have only numbers, so which is which in the other version is what the comparison of sources
// says, and of the others their order. One that only one version has is none of the other's.
func TestInits(t *testing.T) {
	version := func(path string, inits int) *load.Version {
		text := "package m\nfunc (T) init() {}\n" + strings.Repeat("func init() {}\n", inits)
		file, err := parser.ParseFile(token.NewFileSet(), "m.go", text, 0)
		if err != nil {
			t.Fatal(err)
		}
		return &load.Version{Packages: []*packages.Package{{PkgPath: path, Syntax: []*ast.File{file}}}}
	}
	const added, removed, modified = spectra.ChangeAdded, spectra.ChangeRemoved, spectra.ChangeModified
	renamed := hybrid.WithInits(
		spectra.Pair[*load.Version]{Old: version("m", 4), New: version("m/v2", 5)},
		root.Changes{Functions: []root.Function{
			{Symbol: "m/v2.init.0", Change: added}, {Symbol: "m/v2.init.3", Change: added},
			{Symbol: "m.init.1", Change: removed}, {Symbol: "m/v2.init.2", Before: "m.init.3", Change: modified},
		}},
		func(to spectra.Side, name spectra.Symbol) spectra.Symbol {
			if to == spectra.Old {
				return spectra.Symbol(strings.Replace(string(name), "m/v2", "m", 1))
			}
			return spectra.Symbol(strings.Replace(string(name), "m.", "m/v2.", 1))
		},
	)
	for _, c := range []struct {
		to         spectra.Side
		name, want spectra.Symbol
	}{
		{spectra.Old, "m/v2.init.0", ""},
		{spectra.Old, "m/v2.init.1", "m.init.0"},
		{spectra.Old, "m/v2.init.2", "m.init.3"},
		{spectra.Old, "m/v2.init.2.func1", "m.init.3.func1"},
		{spectra.Old, "m/v2.init.3", ""},
		{spectra.Old, "m/v2.init.4", "m.init.2"},
		{spectra.New, "m.init.0", "m/v2.init.1"},
		{spectra.New, "m.init.1", ""},
		{spectra.New, "m.init.1.func2", ""},
		{spectra.New, "m.init.2", "m/v2.init.4"},
		{spectra.New, "m.init.3", "m/v2.init.2"},
		{spectra.New, "m.T.init", "m/v2.T.init"},
	} {
		if got := renamed(c.to, c.name); got != c.want {
			t.Errorf("%s is %q in %s, want %q", c.name, got, c.to, c.want)
		}
	}
}
