package suite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// adaptCase has old's test functions and new's, and what is declared beside each.
type adaptCase struct {
	name, reason string
	oldCode      string // the tested package
	newCode      string
	old, new     string // test files
	lent, left   string // names of functions, separated by spaces; "no": it can't be adapted
}

var adaptCases = []adaptCase{{
	name: "another argument", reason: "a call that gained an argument is the only difference",
	oldCode: "func open() int { return 1 }", newCode: "func open(n int) int { return n }",
	old: "func helper() { if open() != 1 { panic(`x`) } }", new: "func helper() { if open(2) != 1 { panic(`x`) } }",
	lent: "helper",
}, {
	name: "another value", reason: "the call gained an argument, and gives another number than before",
	oldCode: "func f(n int) {}", newCode: "func f(n, m int) {}",
	old: "func helper() { f(3) }", new: "func helper() { f(4, 5) }",
	left: "helper",
}, {
	name: "another line", reason: "a line that compiles is another one, too",
	oldCode: "func f() {}; func g(n int) {}", newCode: "func f(n int) {}; func g(n int) {}",
	old: "func helper() {\n\tg(1)\n\n\tf()\n}", new: "func helper() {\n\tg(2)\n\n\tf(1)\n}",
	left: "helper",
}, {
	name: "another name", reason: "a function was renamed, and its caller renames it",
	oldCode: "func f(n int) {}", newCode: "func g(n int) {}",
	old: "func helper() {\n\tf(1)\n}", new: "func helper() {\n\tg(1)\n}",
	lent: "helper",
}, {
	name: "in a table", reason: "only elements that do not compile may be others",
	oldCode: "type s struct{ a, b int }", newCode: "type s struct{ a, c int }",
	old:  "func helper() {\n\t_ = []s{\n\t\t{a: 1, b: 2},\n\t\t{a: 3},\n\t}\n}",
	new:  "func helper() {\n\t_ = []s{\n\t\t{a: 1, c: 2},\n\t\t{a: 4},\n\t}\n}",
	left: "helper",
}, {
	name: "callers", reason: "what calls a function that is left out is left out, and its imports are not used",
	oldCode: "func gone() {}", newCode: "",
	old:  "import \"fmt\"\n\nfunc a() { gone(); fmt.Println() }\n\nfunc b() { a() }\n\nfunc c() {}",
	new:  "func c() {}",
	left: "a b",
}, {
	name: "a variable", reason: "only functions can be left out",
	oldCode: "func gone() int { return 1 }", newCode: "",
	old: "var x = gone()", new: "var x = 1",
	left: "no",
}, {
	name: "imports", reason: "each version imports what its functions use, and a directive goes with its function",
	oldCode: "func f() {}", newCode: "func f(s string) {}",
	old:  "import \"fmt\"\n\n// A comment.\n//\n//go:noinline\nfunc a() {\n\tf()\n\tfmt.Println()\n}\n\nfunc b() {}",
	new:  "import (\n\t\"fmt\"\n\t\"os\"\n)\n\nvar x = os.Println\n\nfunc a() {\n\tf(`x`)\n\tfmt.Println()\n}",
	lent: "a",
}, {
	name: "helpers", reason: "a helper that new's function needs, too, is not there: it is left out",
	oldCode: "func f() {}", newCode: "func f(n int) {}",
	old: "func a() { f() }", new: "func a() { f(helper()) }\n\nfunc helper() int { return 1 }",
	left: "a",
}}

// checkedWith type-checks files with the tested package's code.
func checkedWith(t *testing.T, fset *token.FileSet, code string, files []*ast.File) (found []types.Error) {
	t.Helper()
	own, err := parsed(token.NewFileSet(), "m.go", []byte("package m\n\n"+code))
	if err != nil {
		t.Fatal(err)
	}
	cfg := types.Config{
		Importer: noImports{},
		Error:    func(err error) { found = append(found, err.(types.Error)) },
	}
	tested, _ := cfg.Check("m", own.fset, []*ast.File{own.syntax}, nil)
	p := types.NewPackage("m", "m")
	for _, name := range tested.Scope().Names() {
		p.Scope().Insert(tested.Scope().Lookup(name))
	}
	_ = types.NewChecker(&cfg, fset, p, nil).Files(files)
	return found
}

// checkWritten checks that the sources of an adaptation compile with new's code, and that functions keep their lines.
func checkWritten(t *testing.T, a *Adaptation, code string) {
	t.Helper()
	fset := token.NewFileSet()
	written, err := a.lending(false)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range written { // with positions of one set
		if written[i], err = parsed(fset, f.name, f.source); err != nil {
			t.Fatal(err)
		}
	}
	before := homes(a.Tests.inside)
	for _, f := range a.Tests.inside {
		source, err := a.cut(f, f.source)
		if err != nil {
			t.Fatal(err)
		}
		of, err := parsed(fset, f.name, source)
		if err != nil {
			t.Fatal(err)
		}
		for name, at := range homes([]file{of}) {
			if at != before[name] {
				t.Errorf("%s is at %v, not %v", name, at, before[name])
			}
		}
		written = append(written, of)
	}
	list := make([]*ast.File, len(written))
	for i, f := range written {
		list[i] = f.syntax
	}
	if found := checkedWith(t, fset, code, list); len(found) > 0 {
		t.Errorf("what is written does not compile: %v", found)
	}
}

type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, path)
	scope := p.Scope()
	scope.Insert(types.NewFunc(token.NoPos, p, "Println", types.NewSignatureType(nil, nil, nil, nil, nil, false)))
	p.MarkComplete()
	return p, nil
}

func TestAdapt(t *testing.T) {
	for _, tt := range adaptCases {
		t.Run(tt.name, func(t *testing.T) {
			fset := token.NewFileSet()
			files := func(name, source string) *Files {
				f := &Files{fset: fset}
				of, err := parsed(fset, name, []byte("package m\n\n"+source+"\n"))
				if err != nil {
					t.Fatal(err)
				}
				f.inside = []file{of}
				return f
			}
			a := Adapt(files("old_test.go", tt.old), files("new_test.go", tt.new))
			inside, _ := a.Syntax()
			if found := checkedWith(t, fset, tt.oldCode, inside); len(found) > 0 {
				t.Fatal(found)
			}
			for {
				inside, _ := a.Syntax()
				found := checkedWith(t, fset, tt.newCode, inside)
				changed, ok := a.Refuse(found)
				if ok == (tt.left == "no") {
					t.Errorf("%s: adapted: %t, %v", tt.reason, ok, found)
				}
				if !changed {
					break
				}
			}
			var lent, left []string
			for d, other := range a.instead {
				if other != nil {
					lent = append(lent, d.Name.Name)
				} else {
					left = append(left, d.Name.Name)
				}
			}
			slices.Sort(lent)
			slices.Sort(left)
			got := strings.Join(lent, " ") + ", " + strings.Join(left, " ")
			if want := tt.lent + ", " + tt.left; tt.left != "no" && got != want {
				t.Errorf("%s: lent and left out: %q, want %q", tt.reason, got, want)
			}
			if tt.left != "no" {
				checkWritten(t, a, tt.newCode)
			}
		})
	}
}
