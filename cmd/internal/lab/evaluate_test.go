package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
)

// TestLocate: the function of a mutant is found although the mutation tool lays out the file anew.
func TestLocate(t *testing.T) {
	const text = "package m\n\nimport \"strings\"\n\nfunc F( n int ) int { return n+1 }\n\n" +
		"func (s *Set[T]) Add(n  int) bool {\n\t// adds\n\treturn n < 2\n}\n\nvar _ = strings.ToUpper\n"
	m := &original{name: "example.com/m@v1.0.0", dir: t.TempDir()}
	file := filepath.Join(m.source(), "p", "m.go")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"n+1", "n-1", "example.com/m/p.F"},
		{"n < 2", "n >= 2", "example.com/m/p.(*Set).Add"},
		{"strings.ToUpper", "strings.ToLower", ""},
	} {
		source := strings.NewReplacer(c.old, c.new, "( n int )", "(n int)").Replace(text)
		one := mutant{file: "p/m.go", source: []byte(source)}
		if err := m.locate(&one); err != nil || one.function != c.want {
			t.Errorf("%s: in %q, %v, want %q", c.new, one.function, err, c.want)
		}
	}
}

// TestTables: what was not run has no ratio, and a mutant that does not compile is named.
func TestTables(t *testing.T) {
	exposed := measured{module: "m@v1", first: true, named: true, located: 5}
	exposed.exposure = report.Exposure{Covering: 10, Output: 2, Hit: 5, Count: 5, Trace: 10}
	var out bytes.Buffer
	broken := measured{module: "m@v1", trouble: "it does not compile\nat all"}
	printMutants(&out, settings{sequences: 7}, []measured{exposed, broken})
	for _, want := range []string{
		"2 mutants of 1 modules, 7 sequences each.\n", "| m@v1 | 2 | 1 | 1 | 1 | 1 | 1 |\n",
		"| output | 0.200 | 0.200 | 0.200 | 0.200 |\n", "| value trace | 1.000 | 1.000 | 1.000 | 1.000 |\n",
		"| value hit | 1.000 | 1.000 | 1.000 | 1.000 |\n", "it does not compile\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
}
