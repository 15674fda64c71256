package api_test

import (
	"flag"
	"fmt"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/goldentest"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestSurface loads the versions in each fixture and compares a listing of their surface with the golden one. The
// archive's comment is the reason for the case.
func TestSurface(t *testing.T) {
	goldentest.Compare(t, "testdata/*.txtar", *update, func(t *testing.T, archive *txtar.Archive) string {
		old := loadtest.TypeCheck(t, loadtest.Extract(t, archive, "old/"), api.Wanted())
		new := old
		for _, f := range archive.Files {
			if f.Name == "new/go.mod" {
				new = loadtest.TypeCheck(t, loadtest.Extract(t, archive, "new/"), api.Wanted())
			}
		}
		got := listing(old, new, namesOf(archive, old, new), reaching(archive))
		return got
	})
}

// given translates the module's path, and the names in an archive's file "names", which has a line "old new" for each.
type given struct {
	loadtest.ModulePaths
	toOld, toNew *strings.Replacer
}

func namesOf(archive *txtar.Archive, old, new *load.Version) given {
	var toOld, toNew []string
	for _, f := range archive.Files {
		for line := range strings.Lines(string(f.Data)) {
			if oldName, newName, ok := strings.Cut(strings.TrimSpace(line), " "); ok && f.Name == "names" {
				toOld, toNew = append(toOld, newName, oldName), append(toNew, oldName, newName)
			}
		}
	}
	paths := loadtest.ModulePaths{OldModule: old.Module, NewModule: new.Module}
	return given{paths, strings.NewReplacer(toOld...), strings.NewReplacer(toNew...)}
}

func (g given) Old(text string) string { return g.ModulePaths.Old(g.toOld.Replace(text)) }
func (g given) New(text string) string { return g.ModulePaths.New(g.toNew.Replace(text)) }

// reaching returns the functions in an archive's file "reaching", one a line. They can reach changed code.
func reaching(archive *txtar.Archive) map[spectra.Symbol]bool {
	found := map[spectra.Symbol]bool{}
	for _, f := range archive.Files {
		if f.Name == "reaching" {
			for line := range strings.Lines(string(f.Data)) {
				found[spectra.Symbol(strings.TrimSpace(line))] = true
			}
		}
	}
	return found
}

// listing writes the surface of two versions as text.
func listing(old, new *load.Version, names api.Names, reaching map[spectra.Symbol]bool) string {
	var b strings.Builder
	paths, _ := load.Select(old, new, nil, true, load.Limits{})
	fmt.Fprintln(&b, "selected", paths)
	for _, broken := range old.Broken {
		fmt.Fprintf(&b, "broken %s: %s\n", broken.Package, broken.Error)
	}
	for _, warning := range old.Warnings {
		fmt.Fprintln(&b, "warning", warning)
	}
	s := api.Common(old, new, paths, names, reaching)
	for i, op := range s.Operations.Old {
		fmt.Fprintf(&b, "operation %s = %s(%s) (%s)%s\n", op.Name, op.Expr, list(op.Params), list(op.Results),
			marks(op))
		if other := s.Operations.New[i]; other.Expr != op.Expr || other.Name != op.Name {
			fmt.Fprintf(&b, "\tin new %s(%s)%s\n", other.Expr, list(other.Params), marks(other))
		}
	}
	for i, op := range s.Settings.Old {
		fmt.Fprintf(&b, "setting %s = %s(%s) in %q, %q\n", op.Name, op.Expr, list(op.Params), op.Package,
			s.Settings.New[i].Package)
	}
	for _, t := range s.Implemented {
		fmt.Fprintf(&b, "implemented %s\n", symbol.Type(t.Old))
	}
	for i, typ := range s.Types.Old {
		fmt.Fprintf(&b, "type %s = %s in %q, fields %d\n", typ.Name, typ.Expr, typ.Package, len(api.Fields(typ.Type)))
		if other := s.Types.New[i]; other.Expr != typ.Expr || other.Name != typ.Name {
			fmt.Fprintf(&b, "\tin new %s\n", other.Expr)
		}
	}
	return b.String()
}

func list(all []types.Type) string {
	var texts []string
	for _, t := range all {
		texts = append(texts, symbol.Type(t))
	}
	return strings.Join(texts, ", ")
}

func marks(op *api.Operation) string {
	text := ""
	for _, mark := range []struct {
		set  bool
		name string
	}{
		{op.Receiver, "method"}, {op.Variadic, "variadic"}, {op.Variable, "variable"}, {op.Supplier, "supplier"},
		{op.Pointee, "pointee"},
	} {
		if mark.set {
			text += " " + mark.name
		}
	}
	return text
}
