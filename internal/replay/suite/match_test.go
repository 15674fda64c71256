package suite

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	dir := t.TempDir()
	const text = "package m\n\nfunc TestMain(*M) {}\nfunc TestParse(*T) {}\nfunc helper() {}\n" +
		"func ExampleParse() {}\nfunc BenchmarkParse(*B) {}\n"
	if err := os.WriteFile(filepath.Join(dir, "m_test.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reason, pattern, test string
		matches, in, split    bool
	}{
		{"a part of a name", "Par", "TestParse", true, true, false},
		{"a whole name", "^TestPar$", "TestParse", false, false, false},
		{"with subtests", "TestParse/a b", "TestParse", true, true, true},
		{"an example", "^Example", "ExampleParse", true, true, false},
		{"a benchmark", "^BenchmarkPar", "BenchmarkParse", true, true, false},
		{"a benchmark that is not asked for", "Parse", "BenchmarkParse", false, true, false},
		{"no test has that name", "helper", "helper", true, false, false},
		{"TestMain is none", "Main", "TestMain", true, false, false},
	} {
		m, err := ParseMatch(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if m.Matches(c.test) != c.matches || m.In(dir) != c.in || m.Split() != c.split {
			t.Errorf("%s: matches %v, in the folder %v, split %v", c.reason, m.Matches(c.test), m.In(dir), m.Split())
		}
	}
	for _, bad := range []string{"[", "Test/("} {
		if _, err := ParseMatch(bad); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
	var all *Match
	if !all.Matches("TestX") || all.Matches("BenchmarkX") || all.Split() || all.String() != "" {
		t.Error("no match does not match all")
	}
}

func TestParts(t *testing.T) {
	files, holes := dug(t, `var rows = []struct{ name, in string }{{"one", "a"}, {"below zero", "b"}}
type group struct{}
func (group) TestMethod(t *T) { use("c") }
func TestX(t *T) {
	for _, row := range rows {
		t.Run(row.name, func(t *T) { use(row.in) })
	}
	use("d", group{})
}`)
	test := &written(t, files, holes).Tests[0]
	for name, want := range map[string]string{"one": "dac", "below_zero": "dbc", "TestMethod": "c", "other": "dac"} {
		parts := test.Listed(name + "\x00 what follows was printed later")
		if len(parts) != 1 || Part(parts[0].Call()) != name {
			t.Fatalf("%s: parts are %v", name, parts)
		}
		got := ""
		for _, h := range parts[0].Holes {
			if h.Choice == "" {
				got += h.Usual.Text
			}
		}
		if got != want {
			t.Errorf("%s: holes are %s, want %s", name, got, want)
		}
	}
	// names that no row says: rows have the order of the subtests
	var got string
	for _, h := range test.Listed("#00\n#01\x00")[1].Holes {
		if h.Choice == "" {
			got += h.Usual.Text
		}
	}
	if got != "dbc" {
		t.Errorf("the second of two: holes are %s, want dbc", got)
	}
	if parts := test.Listed("what a test printed"); len(parts) > 0 {
		t.Error("what was not ended is a list")
	}
}

func TestChanged(t *testing.T) {
	read := func(source string) *Files {
		f := file{name: "m_test.go", source: []byte(source), fset: token.NewFileSet()}
		var err error
		if f.syntax, err = parser.ParseFile(f.fset, f.name, f.source, parser.ParseComments); err != nil {
			t.Fatal(err)
		}
		return &Files{inside: []file{f}, fset: f.fset}
	}
	const before = "package m\nimport \"testing\"\n" +
		"func TestA(t *testing.T) { help(t) }\nfunc TestB(t *testing.T) {}\nfunc help(t *testing.T) { _ = table }\n" +
		"var table = []int{1}\nfunc TestC(t *testing.T) { TestB(t) }\n"
	tests := []struct{ reason, from, to, want string }{
		{"nothing is other", "", "", ""},
		{"layout and comments do not count", "TestB(t *testing.T) {}", "TestB(t *testing.T) {\n\t// nothing\n}", ""},
		{"what a helper mentions counts", "[]int{1}", "[]int{1, 2}", "TestA"},
		{"who calls a test runs it", "TestB(t *testing.T) {}", "TestB(t *testing.T) { t.Log() }", "TestB TestC"},
		{"an example is a test", "func TestC", "func ExampleX() { println(1) }\nfunc TestC", "ExampleX"},
		{"old lacks it", "func TestC", "func TestD(t *testing.T) {}\nfunc TestC", "TestD"},
	}
	for _, test := range tests {
		got := Changed(read(before), read(strings.Replace(before, test.from, test.to, 1)))
		if list := strings.Join(slices.Sorted(maps.Keys(got)), " "); list != test.want {
			t.Errorf("%s: got %q, want %q", test.reason, list, test.want)
		}
	}
	if got := Changed(nil, read(before)); len(got) != 3 {
		t.Errorf("without old tests all are new, got %v", got)
	}
}
