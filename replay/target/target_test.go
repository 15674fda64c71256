package target

import (
	"flag"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/spectra/symbol"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestSurface loads each fixture's versions and compares a listing of everything with the golden
// one. The archive's comment is the reason for the case.
func TestSurface(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			old := load(t, extract(t, archive, "old/"))
			new := old
			for _, f := range archive.Files {
				if f.Name == "new/go.mod" {
					new = load(t, extract(t, archive, "new/"))
				}
			}
			got := listing(old, new)
			last := &archive.Files[len(archive.Files)-1]
			if *update {
				last.Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if want := string(last.Data); got != want {
				t.Errorf("%s\ngot:\n%s\nwant:\n%s", archive.Comment, got, want)
			}
		})
	}
}

// listing shows what the package says of two versions.
func listing(old, new *Target) string {
	var b strings.Builder
	paths := Select(old, new, nil, true)
	fmt.Fprintln(&b, "selected", paths)
	for _, broken := range old.Broken {
		fmt.Fprintf(&b, "broken %s: %s\n", broken.Package, broken.Error)
	}
	for _, warning := range old.Warnings {
		fmt.Fprintln(&b, "warning", warning)
	}
	s := Common(old, new, paths)
	fmt.Fprintln(&b, "packages", s.Packages, "old only", s.OldOnly, "new only", s.NewOnly)
	for _, op := range s.Operations {
		fmt.Fprintf(&b, "operation %s = %s(%s) (%s)%s\n", op.Name, op.Expr, list(op.Params), list(op.Results), marks(op))
	}
	for _, typ := range s.Types {
		fmt.Fprintf(&b, "type %s = %s in %q, fields %d\n", typ.Name, typ.Expr, typ.Package, len(Fields(typ.Type)))
	}
	for _, c := range s.Structural {
		fmt.Fprintln(&b, strings.TrimSpace(fmt.Sprintln("structural", c.Symbol, c.Change, c.Detail)))
	}
	for _, shape := range s.Shapes {
		fmt.Fprintln(&b, "shape", shape.Type, "skip", shape.Skip, "added", shape.Added, "removed", shape.Removed, "retyped", shape.Retyped, "renamed", shape.Renamed, "reordered", shape.Reordered)
	}
	for _, rename := range s.Renames {
		fmt.Fprintf(&b, "renamed %s %s now %s, matched by %s\n", rename.Kind, rename.Old, rename.New, rename.By())
	}
	fmt.Fprintln(&b, "variables", s.Vars)
	return b.String()
}

func list(all []types.Type) string {
	var texts []string
	for _, t := range all {
		texts = append(texts, symbol.Type(t))
	}
	return strings.Join(texts, ", ")
}

func marks(op *Operation) string {
	text := ""
	for _, mark := range []struct {
		set  bool
		name string
	}{{op.Receiver, "method"}, {op.Variadic, "variadic"}, {op.Variable, "variable"}, {op.Supplier, "supplier"}} {
		if mark.set {
			text += " " + mark.name
		}
	}
	return text
}

// load type-checks a folder without the network.
func load(t testing.TB, dir string) *Target {
	t.Helper()
	loaded, err := Load(t.Context(), LoadConfig{Dir: dir, Env: offline()})
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func offline(extra ...string) []string {
	return append(append(os.Environ(), "GOPROXY=off", "GOFLAGS=-buildvcs=false", "CGO_ENABLED=0"), extra...)
}

// extract writes the archive's files below prefix to a fresh folder.
func extract(t testing.TB, archive *txtar.Archive, prefix string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range archive.Files {
		name, ok := strings.CutPrefix(f.Name, prefix)
		if !ok {
			continue
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
