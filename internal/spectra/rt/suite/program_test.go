package suite

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
)

// asProgram has the tests be those of programs, and of a module in a new folder, while the running test does.
func asProgram(t *testing.T, folders ...string) {
	t.Helper()
	usual, mains := module, testMains
	module, testMains = t.TempDir(), map[string]func(*testing.M){}
	t.Cleanup(func() { module, testMains, programs = usual, mains, nil })
	for _, folder := range folders {
		if err := os.MkdirAll(filepath.Join(module, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
}

// operations are those of packages with one test each, by folders.
func operations(tests map[string]string) (list []rt.Operation) {
	for folder, name := range tests {
		p := &Package{Path: "m/" + folder, Folder: folder}
		test := func(other map[int]interface{}) bool { return p.Test(name, func(*testing.T) {}, other) }
		list = append(list, rt.Operation{Name: p.Path + "." + name, Func: test})
	}
	return append(list, rt.Operation{Name: "m.F", Func: func() { panic("it is no test") }})
}

func TestCollect(t *testing.T) {
	asProgram(t)
	p := &Package{Path: "m/a", Folder: "a"}
	ran := func() { t.Error("a test runs") }
	list := collect([]rt.Operation{
		{Func: func(other map[int]interface{}) bool { return p.Test("TestA", func(*testing.T) { ran() }, other) }},
		{Func: func(other map[int]interface{}) bool { return p.Fuzz("FuzzA", func(*testing.F) { ran() }, other) }},
		{Func: func(other map[int]interface{}) bool {
			return p.Benchmark("BenchmarkA", func(*testing.B) { ran() }, other)
		}},
		{Func: func(map[int]interface{}) bool { return p.Example("ExampleA", ran, "a", false) }},
	})
	if len(list) != 1 || list[0].Package != p {
		t.Fatalf("got %v", list)
	}
	of := list[0]
	if len(of.tests) != 1 || len(of.targets) != 1 || len(of.benchmarks) != 1 || len(of.examples) != 1 {
		t.Errorf("got %+v", of)
	}
}

func TestChosen(t *testing.T) {
	asProgram(t, "a", "b", "elsewhere")
	one, both := map[string]string{"a": "TestX"}, map[string]string{"a": "TestX", "b": "TestY"}
	same := map[string]string{"a": "TestX", "b": "TestX"}
	for _, c := range []struct {
		reason    string
		tests     map[string]string
		mains     []string
		work      string
		arguments []string
		want      string
	}{
		{"it runs in the folder", same, nil, "b", []string{"-test.run=TestX"}, "b"},
		{"it has the test", both, nil, "elsewhere", []string{"--test.run=^TestY$"}, "b"},
		{"in two words", both, nil, "elsewhere", []string{"-test.run", "TestY/z"}, "b"},
		{"it has a TestMain", both, []string{"b"}, "elsewhere", []string{"-test.main"}, "b"},
		{"it is the only one", one, nil, "elsewhere", nil, "a"},
		{"both have a TestMain", both, []string{"a", "b"}, "elsewhere", nil, ""},
		{"what asks for a test is no flag", both, nil, "elsewhere", []string{"test.run=TestY"}, ""},
		{"there are none", nil, nil, "elsewhere", nil, ""},
	} {
		clear(testMains)
		for _, folder := range c.mains {
			Main("m/"+folder, func(*testing.M) {})
		}
		t.Chdir(filepath.Join(module, c.work))
		got := ""
		if p := chosen(collect(operations(c.tests)), c.arguments); p != nil {
			got = p.Folder
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestNoteFlags: a program has the flags of its package, and those of libraries, but not those of other packages.
func TestNoteFlags(t *testing.T) {
	usual, before := flag.CommandLine, noted
	t.Cleanup(func() { flag.CommandLine, noted, flagsOf = usual, before, map[string][]*flag.FlagSet{} })
	noted = usual
	noteFlags("without")
	for _, folder := range []string{"a", "b"} {
		flag.CommandLine = flag.NewFlagSet(folder, flag.ContinueOnError)
		flag.CommandLine.Bool("of-"+folder, false, "")
		noteFlags(folder)
	}
	noteFlags("without")
	line := flag.NewFlagSet("program", flag.ContinueOnError)
	complete(line, append(flagsOf["a"], own)...)
	if line.Lookup("of-a") == nil || line.Lookup("of-b") != nil || line.Lookup("test.run") == nil {
		t.Error("other flags than its own and those of libraries")
	}
	if len(flagsOf) != 2 {
		t.Errorf("flags of %v", flagsOf)
	}
}
