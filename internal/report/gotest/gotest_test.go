package gotest_test

import (
	"encoding/json"
	"errors"
	"flag"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/report/gotest"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/goldentest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestWrite writes the tests that each fixture asks for, compares them with the golden ones, and has them checked and
// run. A file of a fixture with the suffix .seq has settings of the test as JSON in its first line, and the sequence.
// The archive's comment is the reason for the case.
func TestWrite(t *testing.T) {
	goldentest.Compare(t, "testdata/*.txtar", *update, func(t *testing.T, archive *txtar.Archive) string {
		dir := loadtest.Extract(t, archive, "")
		version := loadtest.TypeCheck(t, dir, api.Wanted())
		var got strings.Builder
		for _, f := range archive.Files {
			if name, ok := strings.CutSuffix(f.Name, ".seq"); ok {
				got.WriteString(written(t, dir, version, name, string(f.Data)))
			}
		}
		vet := exec.Command("go", "test", "./...")
		vet.Dir, vet.Env = dir, loadtest.Offline()
		if out, err := vet.CombinedOutput(); err != nil {
			t.Errorf("the tests do not pass: %s", out)
		}
		return got.String()
	})
}

// settings are what a fixture says of a test.
type settings struct {
	Inside bool
	Probe  []string // variables that a probe looks at; not nil: a probe is written
	Test   gotest.Test
}

// written writes a test into the module, and returns its source, or why there is none.
func written(t *testing.T, dir string, version *load.Version, name, text string) string {
	t.Helper()
	first, text, _ := strings.Cut(text, "\n")
	var s settings
	if err := json.Unmarshal([]byte(first), &s); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	q, err := sequence.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	w := writer(version, s.Inside)
	s.Test.Sequence, s.Test.Name = q, "Test"+name
	s.Test.Doc, s.Test.Comment = s.Test.Name+" is of a fixture.", []string{"It has a comment."}
	source, err := w.Write(s.Test)
	if s.Probe != nil {
		source, err = w.Probe("Test"+name, q, s.Probe)
		if err := os.WriteFile(filepath.Join(dir, "show_test.go"), w.Shower(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err != nil {
		return "== " + name + "\n" + err.Error() + "\n"
	}
	if err := os.WriteFile(filepath.Join(dir, strings.ToLower(name)+"_test.go"), source, 0o666); err != nil {
		t.Fatal(err)
	}
	return "== " + name + "\n" + string(source)
}

func writer(version *load.Version, inside bool) *gotest.Writer {
	w := &gotest.Writer{
		Operations: map[string]*api.Operation{}, Types: map[string]types.Type{},
		Known: version.Known, Package: version.Packages[0].Types, Inside: inside,
	}
	operations := api.Operations(version, []string{version.Module})
	reaching := map[spectra.Symbol]bool{}
	for _, op := range operations {
		reaching[op.Symbol] = true
	}
	names := loadtest.ModulePaths{OldModule: version.Module, NewModule: version.Module}
	for _, op := range api.Common(version, version, []string{version.Module}, names, reaching).All(spectra.Old) {
		w.Operations[op.Name] = op
	}
	for _, typ := range api.Types(version, operations, []string{version.Module}) {
		w.Types[typ.Name] = typ.Type
	}
	return w
}

// TestReadShown runs a probe and reads what it printed: values that can be told from outside, and with what calls
// panicked. What else the program prints is passed over.
func TestReadShown(t *testing.T) {
	const module = `-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m

import "fmt"

type Node struct {
	Name  string
	Next  *Node
	inner []int
	Any   any
}

func Make(n int) (*Node, error) {
	fmt.Println("\x00spectradiff not ours")
	if n > 2 {
		panic(fmt.Sprint("too much: ", n))
	}
	node := &Node{Name: "a", inner: []int{n}, Any: "held"}
	node.Next = node
	return node, fmt.Errorf("bad \xff")
}
`
	archive := txtar.Parse([]byte(module))
	dir := loadtest.Extract(t, archive, "")
	version := loadtest.TypeCheck(t, dir, api.Wanted())
	shown := func(call string) gotest.Shown {
		written(t, dir, version, "Shown", `{"Probe": []}`+"\nspectradiff sequence 1\nv0 := example.com/m."+call+"\n")
		run := exec.Command("go", "test", "-v", "-count=1", ".")
		run.Dir, run.Env = dir, loadtest.Offline()
		out, err := run.CombinedOutput()
		var failed *exec.ExitError
		if err != nil && !errors.As(err, &failed) {
			t.Fatal(err)
		}
		return gotest.ReadShown(string(out))
	}
	s := shown("Make(1)")
	got := map[string]string{}
	for _, c := range s.Checks {
		path := c.Of
		for _, step := range c.Path {
			path += "." + step.Field + step.Index + step.Method + step.Type
		}
		got[path+" "+string(c.Kind)] = c.Want
	}
	for path, want := range map[string]string{
		"0.0 nil": "false", "0.0.Name string": "a", "0.0.Next nil": "false", "0.0.inner.0 number": "1",
		"0.0.inner length": "1", "0.0.Any type": "string", "0.0.Any.string string": "held",
		"0.1 error": "false", "0.1.Error string": "bad \xff", "calls length": "0",
	} {
		if got[path] != want {
			t.Errorf("%s is %q, want %q, in %v", path, got[path], want, got)
		}
	}
	if !s.Done() {
		t.Errorf("ended by %q", s.End)
	}
	s = shown("Make(3)")
	if text, panicked := s.Panic(); s.Done() || !panicked || text != "too much: 3" {
		t.Errorf("ended by %q", s.End)
	}
}
