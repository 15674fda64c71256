package instrument

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
)

var mainSources = map[string]string{
	"go.mod": "module m\n\ngo 1.24\n",
	"cmd/tool/main.go": `//go:build !never

// Tool is documented.
package main // import comment

import (
	"fmt"
	"os"
	"runtime"
)

var name = "tool"

func init() { name += "!" }

func main() {
	_, file, line, _ := runtime.Caller(0)
	fmt.Println(name, len(os.Args) > 0, file, line)
	if len(os.Args) > 1 {
		fail()
	}
}

func fail() {
	var m map[string]int
	m["x"] = 1
}
`,
	"cmd/tool/other.go":       "package main\n\nconst unused = 1\n",
	"cmd/tool/main_test.go":   "package main\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) { main() }\n",
	"cmd/tool/x_test.go":      "package main_test\n",
	"cmd/tool/broken_test.go": "pack",
}

// TestMainPackage checks that a main package can be imported under its new name, and its function main
// called.
func TestMainPackage(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir, mainSources)
	if err := os.Remove(filepath.Join(dir, "cmd/tool/broken_test.go")); err != nil {
		t.Fatal(err)
	}
	pkgs := moduletest.Load(t, dir, "./...")
	list := instrumentAll(t, dir, pkgs)
	checkSources(t, pkgs, list)
	if list[0].Name != mainName || list[0].Points[0].Symbol != "m/cmd/tool.init.0" {
		t.Errorf("package %s, first point %s", list[0].Name, list[0].Points[0].Symbol)
	}
	over := overlay(t, list, true, map[string][]byte{
		filepath.Join(dir, "driver/main.go"): []byte("package main\n\nimport tool \"m/cmd/tool\"\n\n" +
			"func main() { tool.Main() }\n"),
		filepath.Join(dir, "cmd/tool/export.go"): []byte("package " + mainName + "\n\nfunc Main() { main() }\n"),
	})
	want := moduletest.Run(t, dir, nil, "go", "run", "./cmd/tool")
	if got := moduletest.Run(t, dir, nil, "go", "run", "-overlay", over, "./driver"); got != want {
		t.Errorf("the driver prints %q, the program %q", got, want)
	}
}

// TestMainPackageBrokenTest checks that neither a test file that does not parse nor a link that the go command ignores,
// wherever it leads, keeps a main package from being instrumented.
func TestMainPackageBrokenTest(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir, mainSources)
	if err := os.Symlink("nowhere", filepath.Join(dir, "cmd/tool/_ignored_test.go")); err != nil {
		t.Fatal(err)
	}
	pkgs := moduletest.Load(t, dir, "./cmd/tool")
	pkgs[0].Errors = nil // only the test file has errors
	p := instrumentAll(t, dir, pkgs)[0]
	if _, ok := p.Files[filepath.Join(dir, "cmd/tool/broken_test.go")]; ok {
		t.Error("the broken file was changed")
	}
}

// TestPositions checks that traces and runtime.Caller name the files and lines of the original. The go
// command replaces the path of an overlaid file with that of the original, so no line directive is
// needed.
func TestPositions(t *testing.T) {
	dir := t.TempDir()
	sources := map[string]string{"go.mod": mainSources["go.mod"], "p/p.go": strings.Replace(strings.Replace(
		mainSources["cmd/tool/main.go"], "package main", "package p", 1), "func main", "func Main", 1),
		"main.go": "package main\n\nimport \"m/p\"\n\nfunc main() { p.Main() }\n"}
	moduletest.Write(t, dir, sources)
	over := overlay(t, instrumentAll(t, dir, moduletest.Load(t, dir, "./p")), false, nil)
	modes := [][]string{{}}
	if os.Getenv("SPECTRADIFF_LONG") != "" {
		modes = append(modes, []string{"-trimpath"}) // builds the whole standard library again
	}
	for _, flags := range modes {
		moduletest.Run(t, dir, nil, "go", slices.Concat([]string{"build", "-o", "plain"}, flags, []string{"."})...)
		moduletest.Run(t, dir, nil, "go",
			slices.Concat([]string{"build", "-o", "full", "-overlay", over}, flags, []string{"."})...)
		wantOut, wantText, _ := moduletest.Try(dir, nil, "./plain", "fail")
		out, text, err := moduletest.Try(dir, nil, "./full", "fail")
		if err == nil || out != wantOut || traceLines(text) != traceLines(wantText) ||
			!strings.Contains(text, "p/p.go:26") {
			t.Errorf("flags %v: prints\n%s%s\nwant\n%s%s", flags, out, text, wantOut, wantText)
		}
	}
}

// traceLines returns the files and lines of a trace.
func traceLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "\t") {
			file, _, _ := strings.Cut(line, " +0x")
			fmt.Fprintln(&b, strings.TrimSpace(file))
		}
	}
	return b.String()
}

// TestCgo checks that files of cgo get no probes, and that they are renamed in a main package.
func TestCgo(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler on this machine")
	}
	dir := t.TempDir()
	moduletest.Write(t, dir, map[string]string{
		"go.mod":  "module m\n\ngo 1.24\n",
		"main.go": "package main\n\nfunc main() { println(twice(21)) }\n",
		"c.go": "package main\n\n// int twice(int x) { return 2 * x; }\n// int set(void *x) { return x != 0; }\n" +
			"import \"C\"\nimport \"unsafe\"\n\nfunc twice(x int) int {\n" +
			"\tset := func(p unsafe.Pointer) int { return int(C.set(p)) }\n" +
			"\treturn int(C.twice(C.int(x))) * set(unsafe.Pointer(&x))\n}\n\nvar factor C.int\n",
	})
	t.Setenv("CGO_ENABLED", "1")
	list := instrumentAll(t, dir, moduletest.Load(t, dir, "."))
	const reason = "file of cgo"
	want := []Skipped{
		{"m.twice", "c.go", 8, reason}, {"m.twice.func1", "c.go", 9, reason}, {"m.twice.func1.1", "c.go", 9, reason},
	}
	if len(list[0].Points) != 1 || !slices.Equal(list[0].Skipped, want) {
		t.Errorf("points %v, skipped %v, want %v", list[0].Points, list[0].Skipped, want)
	}
	if vars := list[0].Vars; len(vars) != 1 || vars[0].Name != "m.factor" {
		t.Errorf("variables %v", vars)
	}
	over := overlay(t, list, true, map[string][]byte{
		filepath.Join(dir, "driver/main.go"): []byte("package main\n\nimport tool \"m\"\n\n" +
			"func main() { tool.Main() }\n"),
		filepath.Join(dir, "export.go"): []byte("package " + mainName + "\n\nfunc Main() { main() }\n"),
	})
	_, text, err := moduletest.Try(dir, nil, "go", "run", "-overlay", over, "./driver")
	if err != nil || text != "42\n" {
		t.Errorf("prints %q: %v", text, err)
	}
}

// TestCgoVariables checks that only variables of the source are registered: cgo declares others, whose names depend on
// the build, and gives some of them lines of the source.
func TestCgoVariables(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler on this machine")
	}
	t.Setenv("CGO_ENABLED", "1")
	for _, c := range []struct{ reason, source, want string }{
		{"memory of C", "import \"C\"\n\nvar kept, size = C.malloc(8), C.size_t(8)\n", "m/p.kept m/p.size"},
		{"a variable of C", "import \"C\"\n\nfunc F() int { C.count++; return int(C.count) }\n", ""},
		{"a function that C calls, behind which cgo declares what text needs",
			"import \"C\"\n\nvar last int\n\n//export F\n" +
				"func F(n C.int) *C.char { last = int(n); return C.CString(\"x\") }\n",
			"m/p.last"},
	} {
		dir := t.TempDir()
		moduletest.Write(t, dir, map[string]string{
			"go.mod": "module m\n\ngo 1.24\n", "main.go": "package main\n\nimport _ \"m/p\"\n\nfunc main() {}\n",
			"p/p.go": "package p\n\n/*\n#include <stdlib.h>\nstatic int count;\n*/\n" + c.source,
		})
		list := instrumentAll(t, dir, moduletest.Load(t, dir, "./p"))
		var got []string
		for _, v := range list[0].Vars {
			got = append(got, v.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: variables %q, want %s", c.reason, got, c.want)
		}
		moduletest.Run(t, dir, nil, "go", "build", "-overlay", overlay(t, list, true, nil), "-o", "out", ".")
	}
}

// TestLimit checks that a generated file with very many functions gets a limited number of probes.
func TestLimit(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("package p\n")
	for i := range maxFunctions + 10 {
		fmt.Fprintf(&b, "func f%d(x int) int { return x }\n", i)
	}
	moduletest.Write(t, dir, map[string]string{"go.mod": "module m\n\ngo 1.24\n", "p.go": b.String()})
	p := instrumentAll(t, dir, moduletest.Load(t, dir, "."))[0]
	if len(p.Points) != maxFunctions || len(p.Skipped) != 10 || p.Skipped[9].Symbol != "m.f2009" {
		t.Errorf("%d points, %d skipped", len(p.Points), len(p.Skipped))
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir,
		map[string]string{
			"go.mod":     "module m\n\ngo 1.24\n",
			"ok/p.go":    "package p\n\nfunc F() {}\n",
			"bad/p.go":   "package p\n\nfunc F() { return 1 }\n",
			"taken/p.go": "package p\n\ntype uint8 int\n\ntype byte int\n",
		})
	loadOne := func(pattern string) *packages.Package { return moduletest.Load(t, dir, pattern)[0] }
	changed := loadOne("./ok")
	moduletest.Write(t, dir, map[string]string{"ok/p.go": "package p\n\nfunc Longer() {}\n"})
	bare := *loadOne("./ok")
	bare.TypesInfo = nil
	tests := []struct {
		reason string
		pkg    *packages.Package
		want   string
	}{
		{"a type error", loadOne("./bad"), "does not compile"},
		{"no types", &bare, "without files, syntax or types"},
		{"a file changed on disk", changed, "changed after it was loaded"},
		{"no name left for the type of counters", loadOne("./taken"), "uint8"},
	}
	for _, tt := range tests {
		_, err := Instrument(tt.pkg, Options{Dir: dir, Runtime: runtimePath})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one about %q", tt.reason, err, tt.want)
		}
	}
	if _, err := Instrument(loadOne("./ok"), Options{Dir: dir, Runtime: "m/ok"}); err == nil {
		t.Error("the runtime was instrumented")
	}
}

// TestConstant checks that variables are constant if the caller knows that they don't change, and that
// none is if he knows nothing.
func TestConstant(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir,
		map[string]string{"go.mod": "module m\n\ngo 1.24\n", "p.go": "package m\n\nvar X, Y, z int\n"})
	pkg := moduletest.Load(t, dir, ".")[0]
	for _, c := range []struct {
		reason  string
		written map[string]bool
		want    string
	}{
		{"nothing is known", nil, ""},
		{"nothing is written", map[string]bool{}, "m.X m.Y m.z"},
		{"one is written", map[string]bool{"m.Y": true}, "m.X m.z"},
	} {
		p, err := Instrument(pkg, Options{Dir: dir, Runtime: runtimePath, Written: c.written})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range p.Vars {
			if v.Constant {
				got = append(got, v.Name)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.reason, got, c.want)
		}
	}
}
