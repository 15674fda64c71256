package source

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// modulesOf writes the two versions of an archive: files below old/ and new/.
func modulesOf(t *testing.T, archive string) spectra.Pair[Module] {
	t.Helper()
	root := t.TempDir()
	for _, side := range spectra.Sides() {
		must(t, os.MkdirAll(filepath.Join(root, string(side)), 0o755))
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(root, filepath.FromSlash(f.Name))
		must(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must(t, os.WriteFile(name, f.Data, 0o644))
	}
	return spectra.MakePair(func(side spectra.Side) Module {
		dir := filepath.Join(root, string(side))
		return Module{Dir: dir, Path: "m", Tree: dir}
	})
}

func diffOf(t *testing.T, archive string) *Changes {
	t.Helper()
	changes, err := Diff(modulesOf(t, archive))
	must(t, err)
	return changes
}

// summary prints a change in one line: what, kind, symbol, marks.
func summary(c Change) string {
	text := fmt.Sprintf("%s %s %s", c.What, c.Kind, c.Symbol)
	for _, mark := range []struct {
		set  bool
		name string
	}{
		{c.Signature, "signature"}, {c.Test, "test"}, {c.Vendor, "vendor"}, {c.Other, "other"}, {c.Blank, "blank"},
		{c.Directed, "directed"},
	} {
		if mark.set {
			text += " " + mark.name
		}
	}
	return text
}

func TestDeclarations(t *testing.T) {
	cases := []struct {
		reason, old, new string
		want             []string
	}{
		{
			"comments and layout don't count", "func F(a int, b string) { g(a, b) }",
			"// F\nfunc F(\n\ta int,\n\tb string,\n) {\n\tg(a, // why\n\t\tb)\n}", nil,
		},
		{"CRLF doesn't count", "func F() {\n\tg()\n}", "func F() {\r\n\tg()\r\n}\r", nil},
		{"a body", "func F() { g(1) }", "func F() { g(2) }", []string{"modified function m.F"}},
		{"a signature", "func F() { g(1) }", "func F(int) { g(1) }", []string{"modified function m.F signature"}},
		{"a moved function stays itself", "func F() {}\nfunc G() {}", "func G() {}\nfunc F() {}", nil},
		{
			"a string with a comment in it", `func F() { g("/* a */") }`, `func F() { g("/* b */") }`,
			[]string{"modified function m.F"},
		},
		{
			"methods by receiver", "func (t *T) M() {}\nfunc (t T) N() {}",
			"func (t *T) M() { g() }\nfunc (t T) N() { g() }",
			[]string{"modified function m.(*T).M", "modified function m.T.N"},
		},
		{
			"another receiver is another method", "func (t T) M() {}", "func (t *T) M() {}",
			[]string{"removed function m.T.M", "added function m.(*T).M"},
		},
		{
			"generic receivers without type parameters", "func (t *T[A, B]) M() {}\nfunc (t U[A]) N() {}",
			"func (t *T[A, B]) M() { g() }\nfunc (t U[A]) N() { g() }",
			[]string{"modified function m.(*T).M", "modified function m.U.N"},
		},
		{
			"a new init in front", "func init() { g(1) }\nfunc init() { g(2) }",
			"func init() { g(0) }\nfunc init() { g(1) }\nfunc init() { g(2) }",
			[]string{"added function m.init.0"},
		},
		{
			"the second init", "func init() { g(1) }\nfunc init() { g(2) }",
			"func init() { g(1) }\nfunc init() { g(3) }", []string{"modified function m.init.1"},
		},
		{
			"blank names", "var _ I = T{}\nfunc _() {}", "var _ I = U{}\nfunc _() { g() }",
			[]string{"modified variable m._.0", "modified function m._.0"},
		},
		{
			"variables", "var a, b = 1, 2\nvar c int", "var a, b = 1, 3\nvar c string",
			[]string{"modified variable m.b", "modified variable m.c"},
		},
		{
			"variables from one call", "var a, b = f(1)", "var a, b = f(2)",
			[]string{"modified variable m.a", "modified variable m.b"},
		},
		{
			"an inserted constant shifts those after it", "const (\n\tA = iota\n\tB\n\tC\n)",
			"const (\n\tA = iota\n\tX\n\tB\n\tC\n)",
			[]string{"added constant m.X", "modified constant m.B", "modified constant m.C"},
		},
		{
			"constants without iota don't shift", "const (\n\tA = 1\n\tB = 2\n)",
			"const (\n\tX = 0\n\tA = 1\n\tB = 2\n)", []string{"added constant m.X"},
		},
		{
			"a repeated value", "const (\n\tA T = 1\n\tB\n)", "const (\n\tA T = 2\n\tB\n)",
			[]string{"modified constant m.A", "modified constant m.B"},
		},
		{
			"a struct type", "type (\n\tT struct{ a int }\n\tU int\n)",
			"type (\n\tT struct{ a, b int }\n\tU int\n)", []string{"modified type m.T"},
		},
		{
			"an import", "import \"fmt\"\nvar x = fmt.Sprint",
			"import \"fmt\"\nimport _ \"embed\"\nvar x = fmt.Sprint", []string{"added import embed"},
		},
		{
			"an import for what it registers", "", "import _ \"image/png\"\nimport \"fmt\"\nvar x = fmt.Sprint()",
			[]string{"added import image/png blank", "added import fmt", "added variable m.x"},
		},
		{
			"a package behind another path", "import \"p/rand\"\nfunc F() { rand.Int() }\nfunc G() {}",
			"import \"q/rand\"\nfunc F() { rand.Int() }\nfunc G() {}",
			[]string{"removed import p/rand", "added import q/rand", "modified function m.F"},
		},
		{
			"a package under another name", "import \"p/rand\"\nfunc F() { rand.Int() }",
			"import r \"p/rand\"\nfunc F() { r.Int() }", nil,
		},
		{"cgo's C source", "// int x;\nimport \"C\"", "// int y;\nimport \"C\"", []string{"modified import C"}},
		{
			"an embed line", "//go:embed a.txt\nvar x string", "//go:embed b.txt\nvar x string",
			[]string{"modified variable m.x"},
		},
		{
			"a linker name of a function", "//go:linkname f a.b\nfunc f()", "//go:linkname f a.c\nfunc f()",
			[]string{"modified function m.f directed"},
		},
		{
			"a linker name elsewhere", "func f()\n\n//go:linkname f a.b\n", "func f()\n\n//go:linkname f a.c\n",
			[]string{"removed directive m.f", "added directive m.f"},
		},
		{"one that moves", "func f()\n\n//go:linkname f a.b\n", "//go:linkname f a.b\n\nfunc f()\n", nil},
		{
			"a setting of the runtime", "", "//go:debug panicnil=1\n\nfunc main() {}",
			[]string{"added directive m.go:debug", "added function m.main"},
		},
		{"a comment for other tools", "func F() {}", "//go:generate x\n\n//nolint\nfunc F() {}", nil},
		{"something removed", "func F() {}\nvar x = 1", "", []string{"removed function m.F", "removed variable m.x"}},
	}
	for _, c := range cases {
		changes := diffOf(t, "-- old/p.go --\npackage m\n"+c.old+"\n-- new/p.go --\npackage m\n"+c.new+"\n")
		var got []string
		for _, d := range changes.Declarations {
			got = append(got, summary(d))
		}
		want := slices.Clone(c.want)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || len(changes.Problems) > 0 {
			t.Errorf("%s: %q, problems %q; want %q", c.reason, got, changes.Problems, want)
		}
	}
}

const manyFiles = `
-- old/go.mod --
module m
go 1.20
require (
	example.com/a v1.0.0
	example.com/b v1.0.0
	example.com/near v0.0.0
)
replace example.com/near => ./near
-- new/go.mod --
module m
go 1.21
require (
	example.com/a v1.1.0
	example.com/c v1.0.0
	example.com/near v0.0.0
)
replace example.com/near => ./near
-- old/near/go.mod --
module example.com/near
-- old/near/n.go --
package near
-- new/near/go.mod --
module example.com/near
-- new/near/n.go --
package near
func New() {}
-- old/one.go --
package m
import "fmt"
func F() { fmt.Print(1) }
func init() { fmt.Print(2) }
-- new/one.go --
package m
func F() { print(1) }
-- old/two.go --
package m
import "fmt"
//go:embed "data files" all:more/*.txt
var x = fmt.Sprint
-- new/two.go --
package m
import "fmt"
//go:embed "data files" all:more/*.txt
var x = fmt.Sprint
func init() { fmt.Print(2) }
-- old/data files/d --
1
-- new/data files/d --
2
-- old/more/x.txt --
1
-- new/more/x.txt --
2
-- old/README --
1
-- new/README --
2
-- old/asm_amd64.s --
1
-- new/asm_amd64.s --
2
-- old/sys_plan9.go --
package m
func Sys() {}
func init() {}
-- new/sys_plan9.go --
package m
func Sys() { F() }
func init() { F() }
-- old/tagged.go --
//go:build never
package m
func Sys() {}
-- new/tagged.go --
//go:build never
package m
func Sys() { F() }
-- old/x_test.go --
package m_test
func F() {}
-- new/x_test.go --
package m_test
func F() { print() }
-- old/sub/s.go --
package s
-- new/sub/s.go --
package s
func New() {}
-- new/broken.go --
package m
func {
-- new/testdata/t.go --
package t
-- old/vendor/v.org/v/v.go --
package v
func V() {}
-- new/vendor/v.org/v/v.go --
package v
func V() { print() }
`

func TestDiff(t *testing.T) {
	changes := diffOf(t, manyFiles)
	var files, declarations []string
	for _, f := range changes.Files {
		files = append(files, fmt.Sprintf("%s %s %s test=%v vendor=%v other=%v hunks=%d",
			f.Path, f.What, f.Kind, f.Test, f.Vendor, f.Other, len(f.Hunks)))
	}
	wantFiles := []string{
		"README modified other test=false vendor=false other=false hunks=0",
		"asm_amd64.s modified native test=false vendor=false other=false hunks=0",
		"broken.go added go test=false vendor=false other=false hunks=1",
		"data files/d modified embedded test=false vendor=false other=false hunks=0",
		"go.mod modified module test=false vendor=false other=false hunks=0",
		"more/x.txt modified embedded test=false vendor=false other=false hunks=0",
		"one.go modified go test=false vendor=false other=false hunks=1",
		"sub/s.go modified go test=false vendor=false other=false hunks=1",
		"sys_plan9.go modified go test=false vendor=false other=true hunks=1",
		"tagged.go modified go test=false vendor=false other=true hunks=1",
		"testdata/t.go added testdata test=false vendor=false other=false hunks=0",
		"two.go modified go test=false vendor=false other=false hunks=1",
		"vendor/v.org/v/v.go modified go test=false vendor=true other=false hunks=1",
		"x_test.go modified go test=true vendor=false other=false hunks=1",
	}
	if !slices.Equal(files, wantFiles) {
		t.Errorf("files:\n%s\nwant:\n%s", strings.Join(files, "\n"), strings.Join(wantFiles, "\n"))
	}
	for _, d := range changes.Declarations {
		declarations = append(declarations, summary(d))
	}
	wantDeclarations := []string{ // the import of fmt and the init that moved to two.go are still there
		"modified module example.com/a", "removed module example.com/b", "added module example.com/c",
		"modified module example.com/near", "modified module go", "modified function m.F", "added function m/sub.New",
		"modified function m.Sys other", "modified function m.init.0 other",
		"modified function m.Sys other", "modified function m_test.F test", "modified function v.org/v.V vendor",
	}
	sorted := slices.Sorted(slices.Values(declarations))
	slices.Sort(wantDeclarations)
	if !slices.Equal(sorted, wantDeclarations) {
		t.Errorf("declarations:\n%s\nwant:\n%s", strings.Join(sorted, "\n"), strings.Join(wantDeclarations, "\n"))
	}
	if len(changes.Problems) != 1 || changes.Problems[0].File != "broken.go" ||
		!strings.HasPrefix(changes.Problems[0].String(), "new: broken.go:2:") {
		t.Errorf("problems %q", changes.Problems)
	}
	first := ModuleChange{Path: "example.com/a", Old: "v1.0.0", New: "v1.1.0"}
	if len(changes.Modules) != 5 || !reflect.DeepEqual(changes.Modules[0], first) {
		t.Errorf("modules %v", changes.Modules)
	}
	if near := changes.Modules[3]; !slices.Equal(near.Packages, []string{"example.com/near"}) {
		t.Errorf("packages %q of a module in a folder", near.Packages)
	}
	var functions []string
	for _, f := range changes.Functions() {
		functions = append(functions, string(f.Symbol))
	}
	if !slices.Equal(functions, []string{"m.F", "m/sub.New"}) {
		t.Errorf("functions %v", functions)
	}
	if changes.Empty() || changes.TestOnly() {
		t.Errorf("Empty %v, TestOnly %v", changes.Empty(), changes.TestOnly())
	}
	if one, none := changes.Hunks("one.go"), changes.Hunks("nothing.go"); len(one) != 1 || none != nil {
		t.Errorf("hunks %v of a changed file, %v of one that is not there", one, none)
	}
}

// TestTestsOfFolderNamedAsTests checks that also in a package whose path ends in _test, its own tests are not
// mixed up with external ones.
func TestTestsOfFolderNamedAsTests(t *testing.T) {
	changes := diffOf(t, `
-- old/x_test/external_test.go --
package x_test
func F() { g(0) }
-- old/x_test/own_test.go --
package x
func F() { g(1) }
-- new/x_test/external_test.go --
package x_test
func F() { g(1) }
-- new/x_test/own_test.go --
package x
`)
	var got []string
	for _, d := range changes.Declarations {
		got = append(got, summary(d))
	}
	want := []string{"removed function m/x_test.F test", "modified function m/x_test_test.F test"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSpans(t *testing.T) {
	changes := diffOf(t, "-- old/p.go --\npackage m\n\n// F\nfunc F() {\n}\n"+
		"-- new/p.go --\npackage m\n//line other.y:100\nfunc F() {\n\tF()\n}\n")
	want := Change{
		Symbol: "m.F", Kind: Function, What: spectra.ChangeModified, Package: "m", File: "p.go",
		Old: spectra.Lines{File: "p.go", Line: 4, EndLine: 5}, New: spectra.Lines{File: "p.go", Line: 3, EndLine: 5},
	}
	if len(changes.Declarations) != 1 || changes.Declarations[0] != want {
		t.Errorf("changes %+v, want %+v", changes.Declarations, want)
	}
}

func TestTestOnly(t *testing.T) {
	const embeds = "package m\nimport \"embed\"\n//go:embed testdata rt/*.go\nvar files embed.FS\n"
	const ignored = "//go:build ignore\n\npackage q\n"
	cases := []struct {
		reason, archive string
		empty, tests    bool
	}{
		{"nothing", "-- old/p.go --\npackage m\n-- new/p.go --\npackage m\n", true, false},
		{"a test", "-- old/p_test.go --\npackage m\n-- new/p_test.go --\npackage m\nfunc F() {}\n", false, true},
		{"test data", "-- new/testdata/x --\n1\n", false, true},
		{"a comment", "-- old/p.go --\npackage m\n-- new/p.go --\npackage m\n// c\n", false, true},
		{"code", "-- old/p.go --\npackage m\n-- new/p.go --\npackage m\nfunc F() {}\n", false, false},
		{
			"a comment beside a broken file whose name ends the same",
			"-- old/a.go --\npackage m\n-- new/a.go --\npackage m\n// c\n" +
				"-- old/data.go --\nbroken\n-- new/data.go --\nbroken\n", false, true,
		},
		{"a file that doesn't parse", "-- old/p.go --\npackage m\n-- new/p.go --\npackage m\nfunc {\n", false, false},
		{"assembly", "-- new/p.s --\n1\n", false, false},
		{"a library that cgo links", "-- old/libp.a --\n1\n-- new/libp.a --\n2\n", false, false},
		{
			"test data that the program embeds",
			"-- old/p.go --\n" + embeds + "-- new/p.go --\n" + embeds + "-- new/testdata/x --\n1\n", false, false,
		},
		{
			"a comment of a Go file that it embeds, and that is not built",
			"-- old/p.go --\n" + embeds + "-- new/p.go --\n" + embeds + "-- old/rt/q.go --\n" + ignored +
				"-- new/rt/q.go --\n" + ignored + "// c\n", false, false,
		},
		{
			"test data that a test embeds",
			"-- old/p_test.go --\n" + embeds + "-- new/p_test.go --\n" + embeds + "-- new/testdata/x --\n1\n",
			false, true,
		},
		{
			"a file that is built no more",
			"-- old/p.go --\npackage q\nfunc init() {}\n-- new/p.go --\n" + ignored + "func init() {}\n",
			false, false,
		},
		{
			"a file that never was",
			"-- old/p.go --\n" + ignored + "-- new/p.go --\n" + ignored + "var x int\n",
			false, true,
		},
	}
	for _, c := range cases {
		changes := diffOf(t, c.archive)
		if changes.Empty() != c.empty || changes.TestOnly() != c.tests {
			t.Errorf("%s: Empty %v, TestOnly %v", c.reason, changes.Empty(), changes.TestOnly())
		}
	}
}

func TestOnlyDeclarations(t *testing.T) {
	const embeds = "package m\nimport _ \"embed\"\n//go:embed x\nvar x string\n"
	const code = "-- old/p.go --\npackage m\nfunc F() {}\n-- new/p.go --\npackage m\nfunc F() { _ = 1 }\n"
	for _, c := range []struct {
		reason, archive string
		want            bool
	}{
		{"a function", code, true},
		{
			"with its test, its data and a text",
			code + "-- new/p_test.go --\npackage m\nvar x = 1\n-- new/testdata/x --\n1\n-- new/README --\n1\n", true,
		},
		{"a variable", code + "-- new/q.go --\npackage m\nvar v = 1\n", true},
		{"assembly", code + "-- new/p.s --\n1\n", false},
		{
			"C", "-- old/p.go --\npackage m\n// int i = 1;\nimport \"C\"\n" +
				"-- new/p.go --\npackage m\n// int i = 2;\nimport \"C\"\n", false,
		},
		{"a go.mod", code + "-- old/go.mod --\nmodule m\n-- new/go.mod --\nmodule m\nrequire a.b/c v1.0.0\n", false},
		{"a file that doesn't parse", code + "-- new/q.go --\npackage m\nfunc {\n", false},
		{
			"an embedded file",
			"-- old/p.go --\n" + embeds + "-- old/x --\n1\n-- new/p.go --\n" + embeds + "-- new/x --\n2\n", false,
		},
		{
			"an embedded test",
			code + "-- old/q.go --\n" + strings.ReplaceAll(embeds, "x", "x_test.go") + "-- new/q.go --\n" +
				strings.ReplaceAll(embeds, "x", "x_test.go") + "-- new/x_test.go --\npackage m\n", false,
		},
	} {
		if got := diffOf(t, c.archive).OnlyDeclarations(); got != c.want {
			t.Errorf("%s: %t", c.reason, got)
		}
	}
}

// TestOnlyAdds: what old has can't reach what was added, and does not mean anything else because of it.
func TestOnlyAdds(t *testing.T) {
	const before, after = "-- old/p.go --\npackage m\ntype T int\nfunc F() {}\n",
		"-- new/p.go --\npackage m\ntype T int\nfunc F() {}\n"
	for _, c := range []struct {
		reason, archive string
		want            bool
	}{
		{"nothing", before + after, false},
		{"a function, a type with a method, and a constant", before + after +
			"func G() {}\ntype U struct{}\nfunc (*U) M() {}\nfunc (u U) N() {}\nconst c = 1\n", true},
		{"in a file of its own, and a test", before + after +
			"-- new/q.go --\npackage m\nfunc G() {}\n-- new/q_test.go --\npackage m\nvar x = 1\n", true},
		{"only a test", before + after + "-- new/q_test.go --\npackage m\nvar x = 1\n", false},
		{"a method of what both have", before + after + "func (T) String() string { return \"\" }\n", false},
		{"a method of it by another name", before + after +
			"type U = T\nfunc (U) String() string { return \"\" }\n", false},
		{"another name", before + after + "type U = T\n", true},
		{"something that runs at the start", before + after + "func init() {}\n", false},
		{"a blank function", before + after + "func _() {}\n", false},
		{"a variable", before + after + "var v = 1\n", false},
		{"a predeclared name", before + after + "func max(int, int) int { return 0 }\n", false},
		{"beside a change", before + "-- new/p.go --\npackage m\ntype T int\nfunc F() { G() }\nfunc G() {}\n", false},
		{"an import", before + "-- new/p.go --\npackage m\nimport \"fmt\"\ntype T int\nfunc F() {}\n" +
			"func G() { fmt.Print() }\n", false},
		{"something that is gone", before + "-- new/p.go --\npackage m\ntype T int\nfunc G() {}\n", false},
		{"assembly", before + after + "func G() {}\n-- new/p.s --\n1\n", false},
		{"in a file that is embedded", before + "-- old/q/q.go --\npackage q\n//go:embed *\nvar x string\n" + after +
			"-- new/q/q.go --\npackage q\n//go:embed *\nvar x string\nfunc G() {}\n", false},
	} {
		if got := diffOf(t, c.archive).OnlyAdds(); got != c.want {
			t.Errorf("%s: got %v", c.reason, got)
		}
	}
}

// TestPassive: what only one version has acts through code that names it, unless an interface may find it or it does
// something when a program starts.
func TestPassive(t *testing.T) {
	const rest = "package m\ntype T int\nfunc g() int { return 1 }\n"
	for _, c := range []struct {
		reason, text string
		want         bool
	}{
		{"a function", "func G() {}", true},
		{"a type with a method", "type U int\nfunc (U) M() {}", true},
		{"a variable that does no more than to be computed", "import \"errors\"\nvar x = errors.New(\"x\")", true},
		{"a variable whose value calls something", "var x = g()", false},
		{"a blank variable whose value calls something", "var _ = g()", false},
		{"a method of what both have", "func (T) String() string { return \"\" }", false},
		{"a method of it by a name of its own", "func (U) String() string { return \"\" }\ntype U = T", false},
		{"an init function", "func init() {}", false},
	} {
		for _, side := range []string{"old", "new"} {
			changes := diffOf(t, "-- old/p.go --\n"+rest+"-- new/p.go --\n"+rest+
				"-- "+side+"/q.go --\npackage m\n"+c.text+"\n")
			passive := changes.Passive()
			for _, d := range changes.Declarations {
				if d.Kind != Import && !d.Alias && passive(d) != c.want {
					t.Errorf("%s, in %s: got %v for %s", c.reason, side, !c.want, d.Symbol)
				}
			}
		}
	}
}

// TestInits: an init function is the one that it is paired with, whatever their numbers are.
func TestInits(t *testing.T) {
	changes := diffOf(t, "-- old/b.go --\npackage m\nfunc init() { g(1) }\nfunc init() { g(2) }\n"+
		"-- new/a.go --\npackage m\nfunc init() { g(1) }\n-- new/b.go --\npackage m\nfunc init() { g(3) }\n"+
		"func init() { g(4) }\n")
	var got []string
	for _, d := range changes.Declarations {
		got = append(got, fmt.Sprint(d.Symbol, " was ", d.Before))
	}
	if want := []string{"m.init.1 was m.init.1", "m.init.2 was "}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSymlinks: a package has what its links lead to.
func TestSymlinks(t *testing.T) {
	modules := modulesOf(t, `
-- old/shared/_x.go --
package x
func F() int { return 1 }
-- new/shared/_x.go --
package x
func F() int { return 2 }
-- old/a/own.go --
package x
-- new/a/own.go --
package x
func G() {}
-- old/b/own.go --
package x
-- new/b/own.go --
package x
-- old/b/sub/x.go --
package sub
-- new/b/sub/x.go --
package sub
`)
	for _, s := range spectra.Sides() {
		dir := modules.Of(s).Dir
		must(t, os.Symlink("../shared/_x.go", filepath.Join(dir, "a", "x.go")))
		must(t, os.Symlink("../a/x.go", filepath.Join(dir, "b", "x.go")))
		must(t, os.Symlink("/nowhere/x.go", filepath.Join(dir, "a", "outside.go")))
		must(t, os.Symlink("sub", filepath.Join(dir, "b", "folder.go")))
	}
	changes, err := Diff(modules)
	must(t, err)
	var got []string
	for _, d := range changes.Declarations {
		got = append(got, summary(d))
	}
	want := []string{
		"added function m/a.G", "modified function m/a.F",
		"modified function m/b.F",
		"modified function m/shared.F other",
	}
	if !slices.Equal(got, want) || changes.TestOnly() || len(changes.Problems) > 0 {
		t.Errorf("%q, only tests %v, problems %q; want %q", got, changes.TestOnly(), changes.Problems, want)
	}
	if len(changes.Hunks("a/x.go")) != 1 {
		t.Errorf("no lines of a link differ")
	}
}

// TestSymlinkLeadsElsewhere: what a link leads to outside of the versions is not known.
func TestSymlinkLeadsElsewhere(t *testing.T) {
	modules := modulesOf(t, "-- old/p.go --\npackage m\n-- new/p.go --\npackage m\n")
	for _, s := range spectra.Sides() {
		must(t, os.Symlink("/nowhere/"+string(s)+".go", filepath.Join(modules.Of(s).Dir, "x.go")))
	}
	changes, err := Diff(modules)
	must(t, err)
	if changes.Empty() || changes.TestOnly() || len(changes.Problems) != 2 {
		t.Errorf("empty %v, only tests %v, problems %q", changes.Empty(), changes.TestOnly(), changes.Problems)
	}
}

// TestLargeFiles: files that are too large to be read as text are compared, and Go files among them are named.
func TestLargeFiles(t *testing.T) {
	modules := modulesOf(t, "-- old/go.mod --\nmodule m\n-- new/go.mod --\nmodule m\n")
	for _, name := range []string{"same.bin", "other.bin", "other.go"} {
		for _, side := range spectra.Sides() {
			full := filepath.Join(modules.Of(side).Dir, name)
			must(t, os.WriteFile(full, []byte("package m\n"), 0o644))
			must(t, os.Truncate(full, maxText+10))
		}
	}
	for _, name := range []string{"other.bin", "other.go"} {
		file, err := os.OpenFile(filepath.Join(modules.New.Dir, name), os.O_WRONLY|os.O_APPEND, 0)
		must(t, err)
		_, err = file.Write([]byte("// the end\n"))
		must(t, err)
		must(t, file.Close())
	}
	changes, err := Diff(modules)
	must(t, err)
	var files []string
	for _, f := range changes.Files {
		files = append(files, fmt.Sprint(f.What, " ", f.Path))
	}
	if got, want := strings.Join(files, ", "), "modified other.bin, modified other.go"; got != want {
		t.Errorf("files %s, want %s", got, want)
	}
	problems := fmt.Sprint(changes.Problems)
	for _, want := range []string{"other.go: it has 16777226 bytes", "other.go: it has 16777237 bytes"} {
		if !strings.Contains(problems, want+", more than the 16777216 that are read as text") {
			t.Errorf("problems %s, want %q", problems, want)
		}
	}
}

func TestDifferingPackages(t *testing.T) {
	const same = `-- S/go.mod --
module m
require e v0.0.0
replace e => ./e
-- S/e/go.mod --
module e
-- S/e/e.go --
package e
-- S/e/p/p.go --
package p
-- S/e/q/q.go --
package q
//go:embed r
`
	both := strings.ReplaceAll(same, "S/", "old/") + strings.ReplaceAll(same, "S/", "new/")
	for _, c := range []struct {
		reason, more string
		want         []string // nil: all, or none where the module did not change
		changed      bool
	}{
		{"nothing", "", nil, false},
		{"a test is no part of a dependency", "-- new/e/p/p_test.go --\npackage p\n", nil, false},
		{"one package", "-- new/e/p/more.go --\npackage p\n", []string{"e/p"}, true},
		{"what any folder above may embed", "-- old/e/q/r/t.txt --\n", []string{"e", "e/q", "e/q/r"}, true},
		{"what nobody embeds", "-- old/e/q/t.txt --\n", nil, false},
		{"what it has vendored is not used", "-- new/e/vendor/v/v.go --\npackage v\n", nil, false},
		{"its go.mod concerns all", "-- new/e/go.mod --\nmodule e\ngo 1.24\n", nil, true},
	} {
		changes := diffOf(t, both+c.more)
		if len(changes.Modules) > 0 != c.changed {
			t.Errorf("%s: modules %v", c.reason, changes.Modules)
		} else if c.changed && !reflect.DeepEqual(changes.Modules[0].Packages, c.want) {
			t.Errorf("%s: %q, want %q", c.reason, changes.Modules[0].Packages, c.want)
		}
	}
}

// TestInclude: of vendored files those are the module's whose package is used, or one around them that may take them.
func TestInclude(t *testing.T) {
	files := func(kind FileKind, embedded bool) (list []FileChange) {
		for _, folder := range []string{"d", "d/below", "e"} {
			list = append(list, FileChange{
				Path: "vendor/" + folder + "/a", Kind: kind, Embedded: embedded, Vendor: true,
			})
		}
		return list
	}
	used := func(pkg string) bool { return pkg == "d" }
	for _, c := range []struct {
		reason string
		files  []FileChange
		want   []bool // the module's
	}{
		{"Go", files(GoFile, false), []bool{true, false, false}},
		{"C code may include what lies below", files(NativeFile, false), []bool{true, true, false}},
		{"what is embedded may lie below", files(EmbeddedFile, true), []bool{true, true, false}},
	} {
		var got []bool
		for _, f := range (&Changes{Files: c.files}).Include(used).Files {
			got = append(got, !f.Vendor && (f.Embedded || !f.Other))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.reason, got, c.want)
		}
	}
}
