package instrument

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/branch"
	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
)

// A golden is a package that prints something, with the expected result of instrumenting it. The comment
// of its archive is the reason for the case.
type golden struct {
	name    string
	file    string // of the archive
	archive *txtar.Archive
}

func goldens(t *testing.T) []golden {
	t.Helper()
	files, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	var list []golden
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(bytes.TrimSpace(archive.Comment)) == 0 {
			t.Errorf("%s: no reason given", file)
		}
		list = append(list, golden{strings.TrimSuffix(filepath.Base(file), ".txtar"), file, archive})
	}
	return list
}

// goldenModule writes a module that has one package for each case, and a program that runs them all.
func goldenModule(t *testing.T, cases []golden) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module golden\n\ngo 1.24\n"}
	var imports, calls strings.Builder
	for _, g := range cases {
		fmt.Fprintf(&imports, "import %q\n", "golden/"+g.name)
		fmt.Fprintf(&calls, "\tfmt.Println(\"== %s\")\n\t%[1]s.Main()\n", g.name)
		files[g.name+"/"+g.name+".go"] = string(g.archive.Files[0].Data)
	}
	files["main.go"] = "package main\n\nimport \"fmt\"\n" + imports.String() +
		"\nfunc main() {\n\tbefore()\n\tdefer after()\n" + calls.String() + "}\n"
	files["hooks.go"] = "package main\n\nfunc before() {}\nfunc after() {}\n"
	moduletest.Write(t, dir, files)
	return dir
}

// hooks turn recording on if RECORD is set. At the end they print what the probes recorded.
const hooks = `package main

import (
	"encoding/json"
	"os"
	"zspectra"
)

func before() { zspectra.On = os.Getenv("RECORD") != "" }

func after() {
	zspectra.On = false
	json.NewEncoder(os.Stderr).Encode(map[string]any{
		"Packages": zspectra.Packages, "Mixed": zspectra.Mixed, "Steps": zspectra.Steps,
	})
}
`

// recorded is the output of hooks.
type recorded struct {
	Packages []struct {
		Path     string
		Points   []struct{ Entries, Exits, In, Out int }
		Counters []byte
		Vars     []struct{ Name string }
	}
	Mixed bool
	Steps int
}

func TestGolden(t *testing.T) {
	cases := goldens(t)
	dir := goldenModule(t, cases)
	pkgs := moduletest.Load(t, dir, "./...")
	var list []*Package
	for _, p := range instrumentAll(t, dir, pkgs) {
		if p.Path != "golden" {
			list = append(list, p)
		}
	}
	if len(list) != len(cases) {
		t.Fatalf("%d packages of %d cases", len(list), len(cases))
	}
	for i, g := range cases {
		compareGolden(t, g, dir, list[i])
	}
	checkSources(t, pkgs, list)

	plain, full := filepath.Join(dir, "plain"), filepath.Join(dir, "full")
	moduletest.Run(t, dir, nil, "go", "build", "-o", plain, ".")
	over := overlay(t, list, false, map[string][]byte{filepath.Join(dir, "hooks.go"): []byte(hooks)})
	moduletest.Run(t, dir, nil, "go", "build", "-overlay", over, "-o", full, ".")
	want := moduletest.Run(t, dir, nil, plain)
	for _, record := range []string{"", "1"} {
		out, text, err := moduletest.Try(dir, []string{"RECORD=" + record, "GOMAXPROCS=1"}, full)
		if err != nil {
			t.Fatalf("recording %q: %v\n%s", record, err, text)
		}
		if out != want {
			t.Errorf("recording %q: the instrumented program prints\n%s\nthe plain one\n%s", record, out, want)
		}
		var r recorded
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatalf("recording %q: %v\n%s", record, err, text)
		}
		checkRecorded(t, r, list, record != "")
	}
}

// compareGolden compares the instrumented files of one case with the golden file, or writes it.
func compareGolden(t *testing.T, g golden, dir string, p *Package) {
	t.Helper()
	var got []txtar.File
	for _, name := range slices.Sorted(maps.Keys(p.Files)) {
		rel, err := filepath.Rel(filepath.Join(dir, g.name), name)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, txtar.File{Name: "want/" + rel, Data: p.Files[name]})
	}
	got = append(got, txtar.File{Name: "want/points", Data: []byte(summary(p))})
	archive := &txtar.Archive{Comment: g.archive.Comment, Files: append(g.archive.Files[:1:1], got...)}
	if *update {
		if err := os.WriteFile(g.file, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text, want := txtar.Format(archive), txtar.Format(g.archive); !bytes.Equal(text, want) {
		t.Errorf("%s (%s): got\n%s\nwant\n%s", g.name, bytes.TrimSpace(g.archive.Comment), text, want)
	}
}

// summary returns a text of the points, blocks and variables of a package.
func summary(p *Package) string {
	var b strings.Builder
	kinds := map[spectra.SlotKind]string{spectra.Receiver: "receiver", spectra.Parameter: "parameter",
		spectra.Captured: "captured", spectra.Result: "result"}
	for _, point := range p.Points {
		fmt.Fprintf(&b, "point %d %s %s:%d-%d\n", point.Index, point.Symbol, point.File, point.Line, point.EndLine)
		for _, s := range point.Slots {
			fmt.Fprintf(&b, "\t%s %s %s\n", kinds[s.Kind], s.Name, s.Type)
		}
	}
	for i, block := range p.Blocks {
		fmt.Fprintf(&b, "block %d %s:%d-%d %d\n", i, block.File, block.Line, block.EndLine, block.Statements)
	}
	for _, of := range p.Branches {
		fmt.Fprintf(&b, "%s %s:%d-%d at %d, true %d, false %d",
			of.Kind, of.File, of.Line, of.Last, of.At, of.True, of.False)
		if of.Guards {
			b.WriteString(", guards")
		}
		fmt.Fprintf(&b, "%s\n", when(of.When))
	}
	for _, v := range p.Vars {
		fmt.Fprintf(&b, "var %s %s constant=%t\n", v.Name, v.Type, v.Constant)
	}
	for _, s := range p.Skipped {
		fmt.Fprintf(&b, "skipped %s %s:%d %s\n", s.Symbol, s.File, s.Line, s.Reason)
	}
	return b.String()
}

// when returns the form of a condition, without the numbers of its places.
func when(c *branch.Condition) string {
	if c == nil {
		return ""
	}
	text := " " + string(cmp.Or(c.Op, "?"))
	if c.Only {
		text += strconv.Quote(c.Right)
	}
	for _, part := range c.Parts {
		text += " (" + strings.TrimSpace(when(part)) + ")"
	}
	return text
}

// checkRecorded compares what the probes recorded with the points' declarations.
func checkRecorded(t *testing.T, r recorded, list []*Package, record bool) {
	t.Helper()
	if r.Mixed {
		t.Error("an exit got other slots than its entry")
	}
	if r.Steps == 0 || len(r.Packages) != len(list) {
		t.Fatalf("%d steps, %d packages of %d", r.Steps, len(r.Packages), len(list))
	}
	entries, hit := 0, 0
	for _, got := range r.Packages {
		p := find(list, got.Path)
		if p == nil || len(got.Points) != len(p.Points) || len(got.Counters) != len(p.Blocks) ||
			len(got.Vars) != len(p.Vars) {
			t.Fatalf("%s registered %d points, %d counters, %d variables", got.Path, len(got.Points), len(got.Counters),
				len(got.Vars))
		}
		for i, point := range got.Points {
			want := p.Points[i]
			entries += point.Entries
			if point.Entries != point.Exits {
				t.Errorf("%s: %d entries, %d exits", want.Symbol, point.Entries, point.Exits)
			}
			if point.Entries > 0 && (point.In != countSlots(want, true) || point.Out != len(want.Slots)) {
				t.Errorf("%s: %d slots at entry, %d at exit of %d", want.Symbol, point.In, point.Out, len(want.Slots))
			}
		}
		hit += bytes.Count(got.Counters, []byte{1})
	}
	if (entries > 0) != record || hit == 0 {
		t.Errorf("%d entries and %d blocks recorded", entries, hit)
	}
}

func find(list []*Package, path string) *Package {
	for _, p := range list {
		if p.Path == path {
			return p
		}
	}
	return nil
}

func countSlots(p spectra.Point, entry bool) int {
	n := 0
	for _, s := range p.Slots {
		if !entry || s.Kind != spectra.Result {
			n++
		}
	}
	return n
}

// runtimeHooks record with the runtime that is compiled into targets.
const runtimeHooks = `package main

import (
	"fmt"
	"os"
	"zspectra"
)

func before() {
	zspectra.Configure(zspectra.Config{Nodes: 1 << 20})
	zspectra.Begin(make([]byte, 0, 1<<24), 1<<23, true, 1<<30)
}

func after() {
	events, full := zspectra.End()
	fmt.Fprintln(os.Stderr, len(events) > 10000, full)
}
`

// TestGoldenRuntime runs the cases with the real runtime instead of the stand-in.
func TestGoldenRuntime(t *testing.T) {
	dir := goldenModule(t, goldens(t))
	var list []*Package
	for _, p := range instrumentAll(t, dir, moduletest.Load(t, dir, "./...")) {
		if p.Path != "golden" {
			list = append(list, p)
		}
	}
	extra := map[string][]byte{filepath.Join(dir, "hooks.go"): []byte(runtimeHooks)}
	source, err := spectra.RuntimeSource()
	if err != nil {
		t.Fatal(err)
	}
	for name, src := range source {
		extra[filepath.Join(moduletest.GOROOT(t), "src", name)] = src
	}
	runtime := filepath.Join(moduletest.GOROOT(t), "src", runtimePath, "zspectra.go")
	extra[runtime] = []byte("package zspectra\n") // no stand-in
	full := filepath.Join(dir, "full")
	moduletest.Run(t, dir, nil, "go", "build", "-overlay", overlay(t, list, false, extra), "-o", full, ".")
	want := moduletest.Run(t, dir, nil, "go", "run", ".")
	out, text, err := moduletest.Try(dir, []string{"GOMAXPROCS=1"}, full)
	if err != nil || out != want || text != "true false\n" {
		t.Errorf("recording with the runtime: %v, %q, prints\n%s\nwant\n%s", err, text, out, want)
	}
}
