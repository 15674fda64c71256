package hybrid_test

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/diff/hybrid"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/goldentest"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/match/matchtest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestMake makes hybrids of the versions in each fixture, on both bases, where these lack fields with and without
// them, and compares what they hold with the golden listing. They were type-checked. The archive's comment is the
// reason for the case.
func TestMake(t *testing.T) {
	goldentest.Compare(t, "testdata/*.txtar", *update, func(t *testing.T, archive *txtar.Archive) string {
		got := ""
		for _, base := range []spectra.Side{spectra.New, spectra.Old} {
			of := config(t, archive, base)
			h, err := hybrid.Make(of)
			if err != nil {
				t.Fatal(err)
			}
			got += fmt.Sprintf("== on the base of %s\n%s", base, listing(h))
			if of.Lend = h.Lacks; !of.Lend {
				continue
			}
			if h, err = hybrid.Make(of); err != nil {
				t.Fatal(err)
			}
			got += fmt.Sprintf("== on the base of %s, with fields of the other\n%s", base, listing(h))
		}
		return got
	})
}

// config returns what a hybrid of the first package of the versions in an archive is made of. Nothing in it is renamed
// but with a file "renames", which lists what matching does not find. The versions' files have different names.
func config(t *testing.T, archive *txtar.Archive, base spectra.Side) hybrid.Config {
	t.Helper()
	old, new := matchtest.Versions(t, archive)
	sources, lists := map[string][]byte{}, map[string]map[spectra.Symbol]spectra.Symbol{}
	for _, f := range archive.Files {
		if name := filepath.Base(f.Name); filepath.Ext(name) == ".go" {
			sources["/module/"+name] = f.Data
		}
		list := map[spectra.Symbol]spectra.Symbol{}
		for _, name := range strings.Fields(string(f.Data)) {
			list[spectra.Symbol(name)] = spectra.Symbol(name)
		}
		lists[f.Name] = list
	}
	of := spectra.Pair[[]*packages.Package]{Old: old.Packages, New: new.Packages}
	name := func(_ spectra.Side, s spectra.Symbol) spectra.Symbol { return s }
	if list, renamed := lists["renames"]; renamed {
		name = matched(t, old, new, list)
	}
	for _, f := range archive.Files {
		if side, name, _ := strings.Cut(f.Name, "/"); filepath.Ext(name) == ".txt" {
			p, path := (*of.Of(spectra.Side(side)))[0], "/module/"+name
			p.EmbedFiles, sources[path] = append(p.EmbedFiles, path), f.Data
		}
	}
	return hybrid.Config{
		Packages:  []hybrid.Versions{{Base: (*of.Of(base))[0], Other: (*of.Of(base.Other()))[0]}},
		Further:   (*of.Of(base.Other()))[1:],
		Functions: named(lists["functions"], base, name), Values: named(lists["values"], base, name),
		BaseName: func(s spectra.Symbol) spectra.Symbol { return name(base, s) },
		Read: func(name string) ([]byte, error) {
			if text, ok := sources[name]; ok {
				return text, nil
			}
			return nil, fmt.Errorf("%s: no such file", name)
		},
		Check: check("/module/"+string(base)+".go", sources, (*of.Of(base))[1:]),
	}
}

// matched returns what tells a name of the other version in one.
func matched(
	t *testing.T, old, new match.Version, renames map[spectra.Symbol]spectra.Symbol,
) func(spectra.Side, spectra.Symbol) spectra.Symbol {
	t.Helper()
	var list []string
	for rename := range maps.Keys(renames) {
		list = append(list, string(rename))
	}
	m, err := match.Versions(old, new, list)
	if err != nil {
		t.Fatal(err)
	}
	return func(to spectra.Side, name spectra.Symbol) spectra.Symbol {
		if to == spectra.Old {
			return spectra.Symbol(m.Old(string(name)))
		}
		return spectra.Symbol(m.New(string(name)))
	}
}

// named returns the base's names of what new calls so, and the other's.
func named(
	list map[spectra.Symbol]spectra.Symbol, base spectra.Side, name func(spectra.Side, spectra.Symbol) spectra.Symbol,
) map[spectra.Symbol]spectra.Symbol {
	found := map[spectra.Symbol]spectra.Symbol{}
	for s := range list {
		of := spectra.Pair[spectra.Symbol]{Old: name(spectra.Old, s), New: s}
		found[*of.Of(base)] = *of.Of(base.Other())
	}
	return found
}

// check returns a function that type-checks a package with other sources. It may import some.
func check(name string, sources map[string][]byte, some []*packages.Package) func(
	*packages.Package, map[string][]byte,
) (*packages.Package, []types.Error, error) {
	missing := "container/ring"
	if strings.Contains(string(sources[name]), missing) {
		missing = ""
	}
	return func(p *packages.Package, overlay map[string][]byte) (*packages.Package, []types.Error, error) {
		again := *p
		again.Fset, again.Syntax = token.NewFileSet(), nil
		texts := maps.Clone(overlay)
		if texts[name] == nil {
			texts[name] = sources[name]
		}
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			file, err := parser.ParseFile(again.Fset, name, texts[name], parser.ParseComments)
			if err != nil {
				return nil, nil, err
			}
			again.Syntax = append(again.Syntax, file)
		}
		again.TypesInfo = &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
		var found []types.Error
		settings := types.Config{Importer: without{missing, some}, Error: func(err error) {
			var of types.Error
			if errors.As(err, &of) {
				found = append(found, of)
			}
		}}
		again.Types, _ = settings.Check(p.PkgPath, again.Fset, again.Syntax, again.TypesInfo)
		return &again, found, nil
	}
}

// without imports some packages, and those of the standard library but one.
type without struct {
	missing string
	some    []*packages.Package
}

func (w without) Import(path string) (*types.Package, error) {
	for _, p := range w.some {
		if p.PkgPath == path {
			return p.Types, nil
		}
	}
	if path == w.missing {
		return nil, errors.New("the version imports it not")
	}
	return importer.Default().Import(path)
}

// listing writes the content of a hybrid as text.
func listing(h *hybrid.Hybrid) string {
	var b strings.Builder
	for i, unit := range h.Units {
		fmt.Fprintln(&b, "unit", i, []spectra.Symbol(unit))
	}
	for _, from := range slices.Sorted(maps.Keys(h.Switches)) {
		fmt.Fprintln(&b, "switch", from, h.Switches[from].Unit, cmp.Or(h.Switches[from].To, "inside"))
	}
	for _, name := range slices.Sorted(maps.Keys(h.Others)) {
		fmt.Fprintln(&b, "function", name, "is", h.Others[name])
	}
	for _, name := range slices.Sorted(maps.Keys(h.Renumbered)) {
		fmt.Fprintln(&b, "literal", name, "was", cmp.Or(h.Renumbered[name], "none"))
	}
	fmt.Fprintln(&b, "held", slices.Sorted(maps.Keys(h.Held)))
	if len(h.Adapted) > 0 {
		fmt.Fprintln(&b, "adapted", slices.Sorted(maps.Keys(h.Adapted)))
	}
	for _, left := range h.Unswitchable {
		fmt.Fprintln(&b, "left", left.Symbol, "because", left.Reason)
	}
	for _, bound := range h.Bound {
		fmt.Fprintln(&b, "bound", bound.User, "to", bound.Of)
	}
	for _, name := range slices.Sorted(maps.Keys(h.Overlay)) {
		fmt.Fprintf(&b, "file %s\n", name)
		for line := range strings.Lines(string(h.Overlay[name])) {
			b.WriteString("\t" + line)
		}
	}
	return b.String()
}
