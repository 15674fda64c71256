package build

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/goldentest"
)

// TestDriversAgree builds the drivers of both versions of every fixture of package api. Each driver must register
// exactly the common operations and types, under the same names.
func TestDriversAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("only in make test-all: it builds two drivers for each fixture")
	}
	goldentest.Each(t, "../api/testdata/*.txtar", func(t *testing.T, _ string, archive *txtar.Archive) {
		old := typeCheck(t, extract(t, archive, "old/"))
		new := old
		if slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return f.Name == "new/go.mod" }) {
			new = typeCheck(t, extract(t, archive, "new/"))
		}
		selected, _ := load.Select(old, new, nil, true, load.Limits{})
		surface := api.Common(old, new, selected,
			loadtest.ModulePaths{OldModule: old.Module, NewModule: new.Module}, nil)
		want := registered(surface)
		for side, version := range map[spectra.Side]*load.Version{spectra.Old: old, spectra.New: new} {
			got := names(run(t, version, driverOf(t, side, version, surface,
				rebased(selected, old.Module, version.Module))))
			if !slices.Equal(got, want) {
				t.Errorf("%s registers\n%s\nwant\n%s", side, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	})
}

// registered lists the registrations expected for a surface.
func registered(s *api.Surface) []string {
	var out []string
	for _, op := range s.Operations.Old {
		out = append(out, "operation "+op.Name)
	}
	for _, typ := range s.Types.Old {
		out = append(out, "type "+typ.Name)
	}
	slices.Sort(out)
	return out
}

// names removes the Go types from the driver's output. Type arguments have no blanks.
func names(printed string) []string {
	var out []string
	for line := range strings.Lines(printed) {
		fields := strings.Fields(line)
		out = append(out, fields[0]+" "+fields[1])
	}
	slices.Sort(out)
	return out
}

func TestGoldenSource(t *testing.T) {
	const file = "testdata/commands.txtar"
	input, err := txtar.ParseFile("../api/testdata/commands.txtar")
	if err != nil {
		t.Fatal(err)
	}
	version := typeCheck(t, extract(t, input, "old/"))
	surface := self(version)
	h := driverOf(t, spectra.Old, version, surface, append(paths(version), "example.com/c/nowhere"))
	golden := &txtar.Archive{Comment: []byte("The driver of ../../api/testdata/commands.txtar.\n")}
	for _, skip := range h.Skipped {
		golden.Comment = fmt.Appendf(golden.Comment, "skipped %s: %s\n", skip.Package, skip.Reason)
	}
	var sources []string
	for name := range h.Files {
		sources = append(sources, name)
	}
	slices.Sort(sources)
	for _, name := range sources {
		rel, err := filepath.Rel(version.Dir, name)
		if err != nil {
			t.Fatal(err)
		}
		golden.Files = append(golden.Files, txtar.File{Name: filepath.ToSlash(rel), Data: h.Files[name]})
	}
	got := txtar.Format(golden)
	if *update {
		write(t, file, got)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMainPackageMustBeRenamed(t *testing.T) {
	version := typeCheck(t, extract(t,
		txtar.Parse([]byte("-- go.mod --\nmodule example.com/m\n-- m.go --\npackage main\n\nfunc main() {}\n")), ""))
	surface := self(version)
	h, err := Write(Config{Target: version, Operations: surface.Operations.Old, Types: surface.Types.Old,
		Packages: paths(version)})
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Skipped) != 1 || !strings.Contains(h.Skipped[0].Reason, "not renamed") {
		t.Errorf("skipped %v, want the main package", h.Skipped)
	}
	plain := &load.Version{Dir: version.Dir, Env: version.Env}
	if got := names(run(t, plain, h)); len(got) != len(registered(surface)) {
		t.Errorf("a driver without packages registers %v", got)
	}
}

// TestLargeTablesAreSplit has more functions than fit into one init function.
func TestLargeTablesAreSplit(t *testing.T) {
	var b strings.Builder
	b.WriteString("-- go.mod --\nmodule example.com/m\n-- m.go --\npackage m\n\n")
	const count = 2*maxEntries + 1
	for i := range count {
		fmt.Fprintf(&b, "func F%d() {}\n", i)
	}
	version := typeCheck(t, extract(t, txtar.Parse([]byte(b.String())), ""))
	surface := self(version)
	h := driverOf(t, spectra.Old, version, surface, paths(version))
	for _, name := range []string{"zspectra_operations.go", "zspectra_operations_2.go", "zspectra_operations_3.go"} {
		if h.Files[filepath.Join(version.Dir, name)] == nil {
			t.Errorf("there is no %s", name)
		}
	}
	if got := names(run(t, version, h)); !slices.Equal(got, registered(surface)) {
		t.Errorf("%d entries registered, want %d", len(got), len(registered(surface)))
	}
}

func TestSourceIsDeterministic(t *testing.T) {
	input, err := txtar.ParseFile("../api/testdata/generics.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := extract(t, input, "old/")
	var first map[string][]byte
	for range 5 {
		version := typeCheck(t, dir)
		h := driverOf(t, spectra.Old, version, self(version), paths(version))
		if first == nil {
			first = h.Files
		}
		for name, data := range h.Files {
			if string(first[name]) != string(data) {
				t.Fatalf("%s differs between two runs", name)
			}
		}
	}
}
