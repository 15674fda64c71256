package suite

import (
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

// testFiles returns test files of one source.
func testFiles(t *testing.T, source string) *Files {
	f, err := parsed(token.NewFileSet(), "m_test.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return &Files{inside: []file{f}, fset: f.fset}
}

func TestChanged(t *testing.T) {
	same := func(path string) string { return path }
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
		got := Changed(testFiles(t, before), testFiles(t, strings.Replace(before, test.from, test.to, 1)), same)
		if list := strings.Join(slices.Sorted(maps.Keys(got)), " "); list != test.want {
			t.Errorf("%s: got %q, want %q", test.reason, list, test.want)
		}
	}
	if got := Changed(nil, testFiles(t, before), same); len(got) != 3 {
		t.Errorf("without old tests all are new, got %v", got)
	}
}

// TestChangedUnnamed checks that tests are others where what they don't name is another one.
func TestChangedUnnamed(t *testing.T) {
	const before = `package m

import (
	"testing"

	"example.com/m/a"
	"example.com/lib/v2/help"
	"math/rand"
	. "example.com/dot"
	_ "example.com/driver"
)

type fake struct{}

func (*fake) get() string { return "a" }
func (f fake) set()       {}

var _ store = (*fake)(nil)
var _ = register("x")
var unused = register("y")
var used = register("z")

const (
	zero = iota
	one
)

func init()                      { first = 1 }
func TestMain(m *testing.M)      { m.Run() }
func (s *opened) ForTest()       {}
func TestFake(t *testing.T)      { serve(&fake{}) }
func TestUsed(t *testing.T)      { a.Serve(used, one) }
func TestNone(t *testing.T)      { open().ForTest(); help.Me() }
func TestOpened(t *testing.T)    { rand.Int(); _ = opened{} }
func ExampleX() {
	println(1)
	// Output: 1
}
`
	const all = "ExampleX TestFake TestNone TestOpened TestUsed"
	tests := []struct{ reason, from, to, want string }{
		{"nothing is other", "", "", ""},
		{"a method is called through an interface", `return "a"`, `return "b"`, "TestFake"},
		{"a type has a method less", "func (f fake) set()       {}", "", "TestFake"},
		{"a type has a method more", "func init", "func (fake) String() string { return `` }\nfunc init", "TestFake"},
		{"a method of a type that tests don't declare", "ForTest()       {}", "ForTest()       { f() }",
			"TestNone TestOpened"},
		{"what a type is checked for does nothing", "var _ store = (*fake)(nil)", "var _ wider = &fake{}", ""},
		{"what is done without a name", `register("x")`, `register("X")`, all},
		{"what is done for a name that nobody mentions", `register("y")`, `register("Y")`, all},
		{"what is done for a name that somebody mentions", `register("z")`, `register("Z")`, "TestUsed"},
		{"what is done before all tests", "first = 1", "first = 2", all},
		{"what is done no more", "func init()                      { first = 1 }", "", all},
		{"the main function of tests", "m.Run()", "m.Run(); m.Run()", all},
		{"another package of the same name", `"example.com/m/a"`, `"example.com/m/b/a"`, "TestUsed"},
		{"a package that moved", `"example.com/m/a"`, `"example.com/m/moved/a"`, ""},
		{"another major version", "lib/v2/", "lib/v3/", ""},
		{"another package of the standard library", "math/rand", "math/rand/v2", "TestOpened"},
		{"a package whose names are not selected", ". \"example.com/dot", ". \"example.com/dots", all},
		{"a package that is imported for what it does", "example.com/driver", "example.com/drivers", all},
		{"a constant that counts", "\tone", "\tzeroth\n\tone", "TestUsed"},
		{"what an example prints", "Output: 1", "Output: 2", "ExampleX"},
	}
	moved := func(path string) string { return strings.Replace(path, "/moved", "", 1) }
	for _, test := range tests {
		if !strings.Contains(before, test.from) {
			t.Fatalf("%s: nothing to replace", test.reason)
		}
		after := testFiles(t, strings.Replace(before, test.from, test.to, 1))
		got := Changed(testFiles(t, before), after, moved)
		if list := strings.Join(slices.Sorted(maps.Keys(got)), " "); list != test.want {
			t.Errorf("%s: got %q, want %q", test.reason, list, test.want)
		}
	}
}
