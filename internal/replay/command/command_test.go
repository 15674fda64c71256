package command_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/command"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// module has lines of tally in each kind of file that is read. Rows of tables in Go, such as -named, are not read.
const module = `-- README.md --
Prose that names tally and is no line.

    $ tally -indented

` + "```" + `console
$ echo 'one two' | tally -piped
2
$ tally -long \
    goes-on.txt
` + "```" + `
-- check.sh --
for i in 1 2; do
	go run ./cmd/tally -script "$i" <<EOF
from here
EOF
done
-- testdata/case.txtar --
stdin in.txt
exec tally -archive
! tally -fails ../outside.txt
-- in.txt --
given
-- ../outside.txt --
not written
-- cmd/tally/main_test.go --
package main

var calls = [][]string{{"tally", "-named"}, {"-flag", other()}, {"no", "line"}}

var list = []string{"-own", "a b"}
-- data/first.csv --
1,2,3
-- data/second.csv --
4
`

func lines(t *testing.T, text string) (map[string][]command.Line, []command.File) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range splitFiles(text) {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(f.Content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return command.Lines(dir, map[string]string{"tally": filepath.Join(dir, "cmd", "tally")})
}

// splitFiles reads files of which one is an archive with files of its own.
func splitFiles(text string) (files []command.File) {
	inner := []string{"in.txt", "../outside.txt"}
	for _, f := range txtar.Parse([]byte(text)).Files {
		if slices.Contains(inner, f.Name) {
			files[len(files)-1].Content += "-- " + f.Name + " --\n" + string(f.Data)
			continue
		}
		files = append(files, command.File{Name: f.Name, Content: string(f.Data)})
	}
	return files
}

func TestLines(t *testing.T) {
	found, samples := lines(t, module)
	var got []string
	for _, l := range found["tally"] {
		got = append(got, l.Of("tally"))
	}
	want := []string{
		"tally -indented", `tally -piped <<< $'one two\n'`, "tally -long goes-on.txt",
		`tally -script x <<< $'from here\n'`, "tally -own 'a b'", `tally -archive <<< $'given\n'`,
		"tally -fails ../outside.txt",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("lines\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, l := range found["tally"] {
		for _, f := range l.Files {
			if !filepath.IsLocal(f.Name) {
				t.Errorf("%s finds %s, which is outside of its folder", l.Of("tally"), f.Name)
			}
		}
	}
	if len(samples) != 1 || samples[0] != (command.File{Name: "sample.csv", Content: "4\n"}) {
		t.Errorf("samples %v, want the shorter csv", samples)
	}
}

func TestWords(t *testing.T) {
	flags, subcommands := command.Words(`Usage: tally [--all] <file>

Available Commands:
  count, c    counts (see --deep.)
  help        says how

Flags:
  -h, --help   help for tally
      --least=N
`)
	if want := []string{"--all", "--deep", "--help", "--least", "-h"}; !slices.Equal(flags, want) {
		t.Errorf("flags %v, want %v", flags, want)
	}
	if want := []string{"count", "help"}; !slices.Equal(subcommands, want) {
		t.Errorf("subcommands %v, want %v", subcommands, want)
	}
}

func TestName(t *testing.T) {
	for path, want := range map[string]string{
		"example.com/m": "m", "example.com/m/cmd/x": "x", "example.com/m/v2": "m", "example.com/v2ray": "v2ray",
	} {
		if got := command.Name(path); got != want {
			t.Errorf("%s is called %s, want %s", path, got, want)
		}
	}
}

// TestGiven: what a line is as a test is what its call gives, but for empty arguments, which stand for none.
func TestGiven(t *testing.T) {
	c := command.Command{Operation: &api.Operation{Name: "m.main"}, Name: "m"}
	line := command.Line{
		Args: []string{"-a", "b c"}, Input: "in\n", Files: []command.File{{Name: "f", Content: "1"}, {Name: "empty"}},
	}
	tests := c.Tests([]command.Line{line, line}, []string{"-a", "-b"})
	if len(tests) != 1 {
		t.Fatalf("%d tests of one line", len(tests))
	}
	call := tests[0].Call()
	if got := command.Given(call); got.Of("m") != line.Of("m") || !slices.Equal(got.Files, line.Files) {
		t.Errorf("the call gives %v, want %v", got, line)
	}
	if got := command.Given(sequence.Statement{}); len(got.Args)+len(got.Files) != 0 {
		t.Errorf("no call gives %v", got)
	}
}
