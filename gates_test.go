package spectradiff_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// tree parses a text that contains several files. The mark MODULE stands for the module's path.
func tree(t *testing.T, text string) []source {
	t.Helper()
	files, err := txtar.FS(txtar.Parse([]byte(strings.ReplaceAll(text, "MODULE", module))))
	if err != nil {
		t.Fatal(err)
	}
	all, err := parseTree(files)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// expect checks that there are exactly these complaints, in any order. Each is given by a part of its
// text.
func expect(t *testing.T, complaints []string, want ...string) {
	t.Helper()
	for _, complaint := range complaints {
		at := slices.IndexFunc(want, func(part string) bool { return strings.Contains(complaint, part) })
		if at < 0 {
			t.Errorf("it complains: %s", complaint)
			continue
		}
		want = slices.Delete(want, at, at+1)
	}
	for _, part := range want {
		t.Errorf("no complaint has %q", part)
	}
}

func TestGates(t *testing.T) {
	for _, c := range []struct {
		name   string
		files  string
		gate   func([]source) []string
		want   []string
		reason string
	}{
		{
			name: "imports",
			files: "-- a/a.go --\npackage a\nimport \"MODULE/b\"\n" +
				"-- a/a_test.go --\npackage a\nimport \"MODULE/c\"\n" +
				"-- a/testdata/d/d.go --\npackage d\nimport \"MODULE/c\"\n" +
				"-- b/b.go --\npackage b\nimport \"fmt\"\n" +
				"-- c/c.go --\npackage c\n",
			gate: func(all []source) []string {
				return importGraph(all, "a: c\nc:\nc:\nd:\n")
			},
			want: []string{
				"a may not import b", "b is not in the table", "a may import c and does not",
				"d is in the table of imports and does not exist", "c is in the table of imports twice",
			},
			reason: "imports of tests and of files below testdata use no edge",
		},
		{
			name: "imports over several lines",
			files: "-- a/a.go --\npackage a\nimport (\n\"MODULE/b\"\n\"MODULE/c\"\n)\n" +
				"-- b/b.go --\npackage b\n-- c/c.go --\npackage c\n",
			gate: func(all []source) []string { return importGraph(all, "a: b\n   c\nb:\nc:\n") },
		},
		{
			name: "cycles",
			gate: func([]source) []string { return cycles("a: b\nb: c d\nc: a\n") },
			want: []string{"cycle: a → b → c → a", "b may import d, which is not in the table"},
		},
		{
			name: "floors",
			gate: func([]source) []string {
				return climbing("spectra:\nreplay: spectra diff\ndiff: replay\ncmd/x: diff\n")
			},
			want: []string{"internal/replay may import internal/diff, which is on a higher floor"},
		},
		{
			name: "descriptions",
			gate: func([]source) []string {
				return undescribed("a:\na/b:\nc:\nctest:\n", "`c` is text.\n| `a`, `d` | does | nothing |\n")
			},
			want: []string{"a/b has no row", "c has no row"},
		},
		{
			name: "commands",
			files: "-- a/a_test.go --\npackage a\nimport \"MODULE/cmd/x\"\n" +
				"-- cmd/x/x.go --\npackage x\nimport \"MODULE/cmd/y\"\n",
			gate: commandsImported,
			want: []string{"a/a_test.go imports"},
		},
		{
			name: "what goes into the target",
			files: "-- rt/a.go --\npackage rt\nimport (\n\"fmt\"\n\"unsafe\"\n\"MODULE/spectra\"\n)\n" +
				"-- rt/a_test.go --\npackage rt\nimport \"testing\"\n" +
				"-- rt/new/b.go --\npackage new\nimport \"os\"\n" +
				"-- spectra/c.go --\npackage spectra\nimport \"os\"\n",
			gate: func(all []source) []string {
				lists := map[string]map[string]string{"rt": {"unsafe": "memory", "math": "floats"}}
				return copiedImports(all, "rt", lists)
			},
			want: []string{
				"imports fmt", "imports " + module + "/spectra", "rt/new/b.go imports os", "math is listed for rt",
			},
			reason: "a new package has no list, so nothing is allowed there",
		},
		{
			name: "forbidden imports",
			files: "-- a/a.go --\npackage a\nimport \"os/exec\"\n" +
				"-- a/b/b.go --\npackage b\nimport \"time\"\nvar _ = time.Now\n" +
				"-- a/c/c.go --\npackage c\nimport \"time\"\nvar _ time.Duration\n" +
				"-- ab/d.go --\npackage ab\nimport \"time\"\nvar _ = time.Now\n",
			gate: func(all []source) []string {
				return forbidden(all, []rule{{"a", "os/ time", "no clocks"}}, nil)
			},
			want:   []string{"a/a.go imports os/exec: no clocks", "a/b/b.go imports time"},
			reason: "durations are no clocks; ab is not below a",
		},
		{
			name: "calls of generated programs",
			files: "-- stand/main.go --\npackage main\nimport \"MODULE/rt\"\n" +
				"func main() { rt.Enter(); rt.Collect[int](nil); rt.Main(); rt.Never() }\n" +
				"-- write/a.go --\npackage write\nvar x = \"%[1]s.Enter(\" + runtime + \".Collect\"\n" +
				"-- write/a_test.go --\npackage write\nvar y = \".Never(\"\n" +
				"-- write/testdata/b.go --\npackage main\nimport \"rt\"\nfunc main() { rt.Main() }\n",
			gate: func(all []source) []string { return generatedCalls(all, "stand", "write") },
			want: []string{"stand/main.go calls Never"},
		},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, c.gate(tree(t, c.files)), c.want...) })
	}
}

// TestGateDeadCode shows that a function that only a test calls is dead, exported or not.
func TestGateDeadCode(t *testing.T) {
	if testing.Short() {
		t.Skip("only in make test-all and make gates: it builds a tool")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module " + module + "\n\ngo 1.24\n",
		"main.go": "package main\n\nimport \"" + module + "/a\"\n\nfunc main() { a.Used() }\n",
		"a/a.go": "package a\n\nfunc Used() {}\n\nfunc Tested() { below() }\n\n" +
			"func below() {}\n\nfunc Kept() {}\n",
		"a/a_test.go":  "package a\n\nimport \"testing\"\n\nfunc TestTested(t *testing.T) { Tested() }\n",
		"a/atest/a.go": "package atest\n\nfunc Help() {}\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, deadFunctions(deadcode(t, dir, "./..."), map[string]string{"a.Kept": "for later", "a.Used": "stale"}),
		"a.Tested (a.go:5)", "a.below (a.go:7)", "a.Used is listed as unreached")
}
