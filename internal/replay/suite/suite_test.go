package suite

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// fileHead is the beginning of each test file: package testing is not needed for types.
const fileHead = `package m
import "unsafe"
type T struct{}
var _ unsafe.Pointer
func (*T) Run(string, func(*T)) {}

type kind string
type shape struct{ Name, Text string; N int; Of kind }

func use(_ ...interface{}) (n int) { return }
`

// tested is the code that the test files are of.
const tested = "package m\n\ntype Flag struct{ Name, Description string }\n"

// dug reads and digs a test file with the given declarations.
func dug(t *testing.T, text string) (*Files, *Holes) {
	t.Helper()
	return dugBy(t, text, known)
}

// dugBy does so with what is known of the tested code.
func dugBy(t *testing.T, text string, known Known) (*Files, *Holes) {
	t.Helper()
	return dugFrom(t, map[string]string{"m_test.go": fileHead + text}, known)
}

// dugFrom does so with the sources of files.
func dugFrom(t *testing.T, sources map[string]string, known Known) (*Files, *Holes) {
	t.Helper()
	dir := t.TempDir()
	sources["m.go"] = tested
	for name, source := range sources {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	fset := token.NewFileSet()
	files, err := Read(dir, "", nil, fset)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Uses:  map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Instances: map[*ast.Ident]types.Instance{},
	}
	inside, _ := files.Syntax()
	own, err := parser.ParseFile(fset, "m.go", tested, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := types.NewPackage("m", "m")
	config := &types.Config{GoVersion: "go1.21", Importer: importer.Default()}
	if err := types.NewChecker(config, fset, p, info).Files(append(inside, own)); err != nil {
		t.Fatal(err)
	}
	return files, Dig(files, info, p, known)
}

var known = Known{
	Common:   func(_ *types.Named, o types.Object) bool { return o.Name() != "Gone" },
	Sets:     func(f *types.Func) bool { return f.Name() == "SetDeep" },
	Own:      func(string) bool { return true },
	Mentions: func(v *types.Var) bool { return v.Name() == "Deep" },
	Errors: []*types.Var{
		types.NewVar(token.NoPos, types.NewPackage("m", "m"), "ErrDeep", types.Universe.Lookup("error").Type()),
	},
}

// deepTest has literals that are alike, and a hole where a change mentions the field Deep.
const deepTest = `func TestX(t *T) { use(make()); f("a", "b", "a") }
func f(...string) {}
func make() *deep { return &deep{} }
type deep struct { Deep int }`

// TestMeanings: the numbers of holes depend on what a change mentions, what they are does not.
func TestMeanings(t *testing.T) {
	files, holes := dug(t, deepTest)
	own, lost := written(t, files, holes).Tests[0], 0
	less := known
	less.Mentions = func(*types.Var) bool { return false }
	files, holes = dugBy(t, deepTest, less)
	other := written(t, files, holes).Tests[0]
	for _, h := range own.Holes {
		call := own.Call()
		call.Args[0].Elems = asked(h.Number, sequence.Value{Kind: sequence.String, Text: "z"})
		there, ok := other.Renumbered(call, own.Meanings(call))
		if !ok {
			if lost++; h.Name != "Deep" {
				t.Errorf("%+v is not found", h)
			}
			continue
		}
		number := there.Args[0].Elems[0].Text
		i := slices.IndexFunc(other.Holes, func(o *Hole) bool { return strconv.Itoa(o.Number) == number })
		if i < 0 || other.Holes[i].Place != h.Place || other.Holes[i].Usual.Text != h.Usual.Text {
			t.Errorf("%+v became number %s", h, number)
		}
		if call.Args[0].Elems[0].Text != strconv.Itoa(h.Number) {
			t.Error("the call itself was changed")
		}
	}
	if last := len(other.Holes) - 1; lost == 0 || own.Holes[len(own.Holes)-1].Number == other.Holes[last].Number {
		t.Errorf("%d holes are lost, and the numbers are the same: this shows nothing", lost)
	}
	if _, ok := (&Test{}).Renumbered(own.Call(), map[int]string{1: "a hole"}); ok {
		t.Error("a test without holes has one")
	}
}

// TestMeaningsOfOptions: those that set what the change mentions come first, and none means anything else for it.
func TestMeaningsOfOptions(t *testing.T) {
	const test = `func TestX(t *T) { make() }
type option func(*int)
func make(list ...option) {}
func withA() option { return nil }
func withZ() option { return nil }`
	setting := known
	setting.Sets = func(f *types.Func) bool { return f.Name() == "withZ" }
	var all []string
	for _, known := range []Known{known, setting} {
		files, holes := dugBy(t, test, known)
		own := written(t, files, holes).Tests[0]
		var meanings []string
		for _, h := range own.Holes {
			call := own.Call()
			call.Args[0].Elems = asked(h.Number, sequence.Value{Kind: sequence.Bool, Text: "true"})
			meanings = slices.AppendSeq(meanings, maps.Values(own.Meanings(call)))
		}
		slices.Sort(meanings)
		all = append(all, strings.Join(meanings, "\n"))
	}
	if all[0] != all[1] || strings.Count(all[0], " with ") != 2 {
		t.Errorf("got\n%s\nand\n%s", all[0], all[1])
	}
}

func written(t *testing.T, files *Files, holes *Holes) *Suite {
	t.Helper()
	s, err := Write(&packages.Package{PkgPath: "m", Dir: "/m"}, files, holes, Config{
		Name: "m", Folder: "m", Clause: "m", Runtime: "zspectra",
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestHoles(t *testing.T) {
	tests := []struct{ reason, text, want string }{
		{"arguments, with the names of parameters", `func TestX(t *T) { f(1, "a") }
func f(size int, text string) {}`, `size 1, text "a"`},
		{"fields, but not what a test is called or expects",
			`func TestX(t *T) { use(shape{Name: "n", Text: "a", N: 1, Of: "k"}, struct{ in, want string }{"b", "c"}) }`,
			`Text "a", N 1, Of "k", in "b"`},
		{"fields of what is tested are no expectations, whatever their names",
			`func TestX(t *T) { use(Flag{Name: "n"}, Flag{"m", "d"}, struct{ Name string }{"b"}) }`,
			`Description "", Name "n", Name "m", Description "d"`},
		{"what a call is handed that returns an error, but not what makes an expected value",
			`func g(string) (n int) { return }
func TestX(t *T) { err := g("a"); want := g("b"); use(err, want) }`, `"a"`},
		{"fields without keys", `func TestX(t *T) { use(shape{"n", "a", 2, "k"}) }`, `Text "a", N 2, Of "k"`},
		{"fields that the new version lacks", `type old struct { Gone, Kept int }
func TestX(t *T) { use(old{}) }`, `Kept 0`},
		{"fields without a value", `func TestX(t *T) { use(shape{}) }`, `Text "", N 0, Of ""`},
		{"fields of a struct that may stand for nil", `func f(*shape) {}
func TestX(t *T) { f(nil) }`, `Text "", N 0, Of ""`},
		{"booleans", `func TestX(t *T) { use(true) }`, `true`},
		{"tables outside of the test", `var rows = []shape{{"n", "a", 1, "k"}, {"n", "b", 1, "k"}}
func TestX(t *T) { use(rows) }`, `Text "a", N 1, Of "k", Text "b", N 1, Of "k"`},
		{"values that a call makes are not computed again", `var n = use(1)
func TestX(t *T) { use(n) }`, ``},
		{"helpers, also those that helpers call", `func TestX(t *T) { one() }
func one() { two() }
func two() { use("a") }
func three() { use("b") }`, `"a"`},
		{"methods of a type that the test mentions", `type suite struct{}
func (suite) TestY(t *T) { use("a") }
func TestX(t *T) { use(suite{}) }`, `"a"`},
		{"closures", `func TestX(t *T) { t.Run("x", func(t *T) { use("a") }) }`, `"x", "a"`},
		{"what a value is compared with is expected", `func TestX(t *T) { if use("a") != 3 { use("b") } }`, `"a", "b"`},
		{"places that need a constant", `const c = 4
func TestX(t *T) {
	var list [3]int
	switch use(list, [...]string{1: "a"}, c) { case 5: use("b") }
}`, `"a", 4, "b"`},
		{"computed numbers with a name, once a run says their values", `func TestX(t *T) { n := use(); listen(n, n+1) }
func listen(port, _ int) {}`, `n, port, 1`},
		{"what the compiler computes, but not what something is compared with",
			`type duration int64
const second duration = 1000
func TestX(t *T) { use("a" + "b", -1, 1<<4, 5*second); if use(2) == -3 || use() != 'a' + 1 { use(-0.5) } }`,
			`"ab", -1, 16, 5000, 2, -0.5`},
		{"divisors, which may not be zero", `func TestX(t *T) { use(use(1) / 2) }`, `1`},
		{"fields that the change mentions, of what an interface may hold", `type client struct{ Deep int; Name string }
func (*client) Do() {}
func make() interface{ Do() } { return nil }
type doer interface { Do() }
func also() doer { return nil }
func TestX(t *T) { c, d := make(), also(); _, _ = c, d }`, `Deep 0, Deep 0, Deep 0, Deep 0`},
		{"fields that the change mentions", `type client struct{ Deep int; Name string }
func make() *client { return nil }
func TestX(t *T) { c := make(); _ = c }`, `Deep 0, Deep 0, Deep 0`},
		{"one more entry of a map", `func TestX(t *T) { use(map[string]int{"a": 1}, map[int]int{2: 3}) }`,
			`one more "", "a", 1, 2, 3`},
		{"fields of a struct that a call returns", `type conf struct { Deep, N int }
func make() conf { return conf{Deep: 1, N: 2} }
func TestX(t *T) { c := make(); _ = c }`, `Deep 0, Deep 0, Deep 1, N 2`},
		{"what a type is inferred from, if that is an interface", `func same[E any](x, y E) {}
func TestX(t *T) { same("a", "b"); same("c", any(use("d"))) }`, `x "a", y "b", "d"`},
		{"named constants", `func TestX(t *T) { const c = "a"; use(c) }`, `"a"`},
	}
	for _, test := range tests {
		files, holes := dug(t, test.text)
		var got []string
		for _, h := range written(t, files, holes).Tests[0].Holes {
			if h.Choice == "" {
				got = append(got, strings.TrimSpace(h.Name+" "+shown(h.Usual)))
			}
		}
		if text := strings.Join(got, ", "); text != test.want {
			t.Errorf("%s: holes are %s, want %s", test.reason, text, test.want)
		}
	}
}

// TestFew: of a table that is too long some rows have holes, evenly and the last among them, and each of its subtests
// has its own.
func TestFew(t *testing.T) {
	var text strings.Builder
	text.WriteString("func TestX(t *T) { use(\"first\"); for _, c := range []shape{\n")
	const rows = 150
	for i := range rows {
		fmt.Fprintf(&text, "{\"row%d\", \"a%d\", %d, \"k\"},\n", i, i, i)
	}
	text.WriteString("} { t.Run(c.Name, func(t *T) { use(c) }) } }")
	files, holes := dug(t, text.String())
	test := written(t, files, holes).Tests[0]
	var texts []string
	for _, h := range test.Holes {
		if h.Choice == "" && h.Usual.Kind == sequence.String {
			texts = append(texts, h.Usual.Text)
		}
	}
	last := fmt.Sprintf("a%d", rows-1)
	if len(texts) > mostHoles || !slices.Contains(texts, "first") || !slices.Contains(texts, last) || !test.Cut {
		t.Errorf("cut: %v, %d texts: %v", test.Cut, len(texts), texts)
	}
	for _, h := range test.parts("row7", 7, rows) {
		if h.Usual.Text == "a7" {
			return
		}
	}
	t.Error("the subtest of a row lacks its holes")
}

func TestExpectation(t *testing.T) {
	for name, want := range map[string]bool{
		"want": true, "wantErr": true, "WantErr": true, "want_err": true, "expected": true, "exp": true, "exp2": true,
		"msgAndArgs": true, "err": true, "name": true, "wanton": false, "expression": false, "Expires": false,
		"exported": false, "messageID": true, "descriptor": false, "filename": false, "errors": false, "": false,
		"exp.json": true, "message-1.txt": true, "export.json": false,
	} {
		if got := expectation(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

func TestRepeated(t *testing.T) {
	files, holes := dug(t, `type addr []byte
func (a addr) To4() addr { return a }
func two() (addr, addr) { return nil, nil }
func TestX(t *T) {
	var ip addr
	ip = ip.To4()
	a, b := two()
	use(ip, a, b)
}`)
	var text string
	for _, source := range written(t, files, holes).Files {
		text += string(source)
	}
	for _, part := range []string{"{ _ = func(zspectra_value addr)", "{ _, _ = two() }", "{ use("} {
		if !strings.Contains(text, part) {
			t.Errorf("%s is not written", part)
		}
	}
}

func TestLeave(t *testing.T) {
	const text = `func TestX(t *T) { use("a")
	use("b", "c")
	use("d") }`
	for _, c := range []struct {
		reason, want string
		refused      []string
	}{
		{"all", `"a" "b" "c" "d"`, nil},
		{"a line", `"a" "d"`, []string{"m_test.go:12"}},
		{"another file", `"a" "b" "c" "d"`, []string{"x_test.go:14", "x_test.go"}},
		{"the file", ``, []string{"m_test.go"}},
	} {
		files, holes := dug(t, text)
		refused := map[string]bool{}
		for _, line := range c.refused {
			refused[line] = true
		}
		holes.Leave(files, refused)
		var got []string
		for _, h := range written(t, files, holes).Tests[0].Holes {
			if h.Choice == "" {
				got = append(got, strconv.Quote(h.Usual.Text))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.reason, got, c.want)
		}
	}
}

func TestChoices(t *testing.T) {
	tests := []struct{ reason, text, want string }{
		{"a call whose result nothing needs", `func TestX(t *T) { use(1) }`, `twice: use(1); without: use(1)`},
		{"a call whose result is kept", `func TestX(t *T) { x := use(1); use(x) }`,
			`twice: use(1); twice: use(x); without: use(x)`},
		{"the call that a statement begins with", `func TestX(t *T) { if x := use(1); x > 0 { return } }`,
			`twice: use(1)`},
		{"assignments", `func TestX(t *T) { var s shape; s.N = 2 }`, `without: s.N = …`},
		{"calls with bodies of functions are not repeated", `func TestX(t *T) { t.Run("x", func(t *T) {}) }`, ``},
		{"pointers, maps and slices", `func f(*shape, map[string]int, []shape) {}
func TestX(t *T) { f(&shape{}, map[string]int{}, []shape{{}}) }`,
			`twice: f(&shape{}, map[string]int{}, []shape{…}); without: f(&shape{}, map[string]int{}, []shape{…}); ` +
				`nil instead of &shape{}; nil instead of map[string]int{}; nil instead of []shape{…}; ` +
				`nothing instead of []shape{…}; the first half instead of []shape{…}; ` +
				`one with the last element twice instead of []shape{…}; ` +
				`one with an empty element first instead of []shape{…}`},
		{"lists in another order, but no cases of tests and no bytes", `func f([]string) {}
func TestX(t *T) {
	f([]string{"a", "b"})
	for range []struct{ n int }{{1}, {2}} {
	}
	for range []byte{1, 2} {
	}
}`, `twice: f([]string{…}); without: f([]string{…}); ` +
			`nil instead of []string{…}; nothing instead of []string{…}; the first half instead of []string{…}; ` +
			`the reverse instead of []string{…}; one with the last element twice instead of []string{…}; ` +
			`one with an empty element first instead of []string{…}`},
		{"texts that are no literals", `func name() string { return "x" }
func f(string) {}
func TestX(t *T) { f(name()) }`, `twice: f(name()); without: f(name()); nothing instead of name(); ` +
			`the first half instead of name()`},
		{"methods that make another value of the type", `type deep struct{}
func (deep) With(text string) deep { return deep{} }
func (deep) Of(c chan int) deep { return deep{} }
func (deep) Gone() deep { return deep{} }
func (deep) Text() string { return "" }
func TestX(t *T) { x := deep{}; _ = x }`, `its With("x") instead of deep{}; an empty one instead of x; ` +
			`its With("x") instead of x; its With("x") instead of deep{}; ` +
			`its With("x") instead of deep{}; its With("x") instead of deep{}`},
		{"fields that the new version lacks", `type old struct { Gone, Kept int }
func TestX(t *T) { x := old{}; x.Kept = 1 }`, `without: x.Kept = …`},
		{"errors that a stub returns", `type stub struct{}
func (stub) Close() error { return nil }
func TestX(t *T) { use(stub{}.Close()) }`, `twice: use(stub{}.Close()); without: use(stub{}.Close()); ` +
			`nil instead of stub{}.Close(); an error instead of stub{}.Close(); an error instead of nil`},
		{"errors that the change mentions, and fields for one", `var ErrDeep error
type stub struct{ err error }
func (s stub) Close() error { return s.err }
func TestX(t *T) { use(stub{}) }`, `twice: use(stub{}); without: use(stub{}); an error instead of nil; ` +
			`ErrDeep instead of nil; what wraps ErrDeep instead of nil; nil instead of s.err; ` +
			`an error instead of s.err; ErrDeep instead of s.err; what wraps ErrDeep instead of s.err`},
		{"options that are nil", `func f(*shape) {}
func TestX(t *T) { f(nil) }`, `twice: f(nil); without: f(nil); a struct instead of nil`},
		{"methods that set what the change mentions", `type client struct{ Deep int }
func (c *client) SetDeep(on bool) { c.Deep = 1 }
func (c *client) SetOther() {}
func TestX(t *T) { c := &client{Deep: 1}; _ = c }`, `nil instead of &client{…}; after SetDeep(true): &client{…}; ` +
			`nil instead of c; after SetDeep(true): c; without: c.Deep = …`},
		{"fields that the change mentions", `type client struct{ Deep, Other *int }
func TestX(t *T) { c := &client{}; _ = c }`, `nil instead of &client{}; Deep = nil: &client{}; ` +
			`something in Deep; nil instead of c; Deep = nil: c`},
		{"neighbouring calls of one variable", `type list struct{ n int }
func (l *list) add(n int) bool { return n > l.n }
func TestX(t *T) {
	var l, m list
	l.add(1)
	if l.add(2) { return }
	m.add(3)
}`, `l.add(2) before l.add(1); twice: l.add(1); without: l.add(1); twice: l.add(2); twice: m.add(3); ` +
			`without: m.add(3)`},
		{"neighbours of which the second ends the function", `type list struct{ n int }
func (l *list) add(n int) bool { return n > l.n }
func f(l *list) int {
	l.add(1)
	if l.add(2) { return 2 } else if use() > 3 { panic("x") } else { return 1 }
}
func TestX(t *T) { f(&list{}) }`, `twice: f(&list{}); without: f(&list{}); nil instead of &list{}; twice: l.add(1); ` +
			`without: l.add(1); twice: l.add(2)`},
		{"a call without a result that a condition begins with", `type list struct{ n int }
func (l *list) reset() {}
func TestX(t *T) {
	var l list
	if l.reset(); l.n > 0 {}
}`, `twice: l.reset()`},
		{"an instance of a function", `func of[T any](T) {}
func TestX(t *T) { of[int](1) }`, `twice: of[int](1); without: of[int](1)`},
		{"nil that becomes a function", `type visit func(*shape)
type failed func(error)
type many func(string, ...any)
func TestX(t *T) { _, _, _ = visit(nil), failed(nil), many(nil) }`, ``},
		{"the offset of a field", `type list struct{ next *list }
func TestX(t *T) { var l list; _ = unsafe.Offsetof(l.next) }`, ``},
		{"options, first one that sets what the change mentions", `type option func(*shape)
func SetDeep(n int) option { return nil }
func named(name string) option { return nil }
func of(c chan int) option { return nil }
func Gone() option { return nil }
func open(name string, options ...option) {}
func all(options ...option) {}
func both() (string, option)
func TestX(t *T) { open("a", named("b")); all(); open(both()) }`, `twice: open("a", named("b")); ` +
			`without: open("a", named("b")); with SetDeep(1): open("a", named("b")); ` +
			`with named("x"): open("a", named("b")); twice: all(); without: all(); ` +
			`with SetDeep(1): all(); with named("x"): all(); twice: open(both()); without: open(both())`},
		{"names that mean something else here", `func TestX(t *T) { shape := []shape{}; use(shape) }`,
			`nil instead of []shape{}; one with an empty element first instead of []shape{}; ` +
				`twice: use(shape); without: use(shape)`},
	}
	for _, test := range tests {
		files, holes := dug(t, test.text)
		var got []string
		for _, h := range written(t, files, holes).Tests[0].Holes {
			if h.Choice != "" {
				got = append(got, h.Choice)
			}
		}
		if text := strings.Join(got, "; "); text != test.want {
			t.Errorf("%s: choices are\n%s\nwant\n%s", test.reason, text, test.want)
		}
	}
}

// TestInputs reads what runs of a test printed of what it is given.
func TestInputs(t *testing.T) {
	files, holes := dug(t, `func name() string { return "x" }
func typed() word { return "y" }
type word string
func TestX(t *T) { use(name(), typed(), []byte(name()), "said") }`)
	of := written(t, files, holes).Tests[0]
	var texts []int
	for _, h := range of.Holes {
		if h.Asks {
			texts = append(texts, h.Number)
		}
	}
	if len(texts) != 4 { // the argument of the conversion too
		t.Fatalf("%d texts are computed", len(texts))
	}
	line := func(kind wire.Input, name, value string) string { return fmt.Sprintf("%c %q %q\n", kind, name, value) }
	old := "noise\n" + line(wire.InputText, strconv.Itoa(texts[0]), "a\nb") +
		line(wire.InputText, strconv.Itoa(texts[1]), "said") + line(wire.InputFile, "testdata/x.golden", "g") +
		line(wire.InputFile, "testdata/x", "1\n") + line(wire.InputFile, "tmp/y", "said") +
		line(wire.InputSet, "GOFLAGS", "") + line(wire.InputSet, "M", "v") + line(wire.InputUnset, "M", "false") +
		wire.EndOfParts
	new := line(wire.InputFile, "page.tmpl", "p") + line(wire.InputFile, "testdata/x", "2\n") +
		line(wire.InputSet, "N", "") + line(wire.InputUnset, "N", "true") + wire.EndOfParts
	with := of.WithInputs(map[string]bool{"page.tmpl": true}, old, new)
	var got []string
	for _, h := range with.Holes {
		if h.Asks || h.Number < 0 {
			got = append(got, strings.TrimSpace(h.Place+" "+h.Choice+" "+shown(h.Usual)))
		}
	}
	want := `m_test.go:14  "a\nb"; file testdata/x  "1\n"; variable M  "v"; variable M unset false; variable N  ""; ` +
		`variable N set to nothing false`
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("holes are\n%s\nwant\n%s", text, want)
	}
	op, call := with.Open()
	if op.Inputs != 5 || len(call.Args) != len(with.Holes) {
		t.Errorf("%d of %d parameters come from outside", op.Inputs, len(call.Args))
	}
	for _, h := range of.WithInputs(nil, "", old[:12]).Holes {
		if h.Asks || h.Number < 0 {
			t.Errorf("there is %s without a run", h.Place)
		}
	}
}

func shown(v sequence.Value) string {
	if v.Kind == sequence.String {
		return fmt.Sprintf("%q", v.Text)
	}
	return v.Text
}

func TestWritten(t *testing.T) {
	files, holes := dug(t, `var rows = []shape{{Of: "k", N: 1}}
func TestX(t *T) {
	_ = use(rows[0], 'x')
	_ = use(
		2)
	use(3)
}
func TestY(t *T, n int) {}
func Testing(t *T) {}
func TestMain(m *M) {}
type M struct{}
`)
	s := written(t, files, holes)
	if len(s.Tests) != 1 || s.Tests[0].Name != "m.TestX" {
		t.Errorf("tests are %v, want TestX alone", s.Tests)
	}
	for name, parts := range map[string][]string{
		"/m/zspectra_test_0.go": {
			"//line m/m_test.go:1\npackage m; import zspectra_suite \"zspectra/suite\"\n",
			`{Text: zspectra_suite.String(&zspectra_holes, 0, ""), Of: kind(`,
			`kind(zspectra_suite.String(&zspectra_holes, 1, "k")), `,
			`{ _ = use(rows[0], zspectra_suite.Int32(&zspectra_holes, 4, 'x')) }; `,
			`; /*line :14:2*/_ = use(`,
			`{ use(zspectra_suite.Int(&zspectra_holes, 9, 3)) }; if !zspectra_suite.Bool(&zspectra_holes, `,
			`zspectra_holes.Again(0, 2, func() { rows = []shape{`,
		},
		"/m/zspectra_tests.go": {
			`Folder: "m"}`, `zspectra_suite.Main("m", TestMain)`, `Name: "m.TestX"`,
			"defer zspectra_holes.Fill(other)()",
		},
	} {
		for _, part := range parts {
			if !strings.Contains(string(s.Files[name]), part) {
				t.Errorf("%s lacks %s:\n%s", name, part, s.Files[name])
			}
		}
	}
	plain := written(t, files, nil)
	source := string(plain.Files["/m/zspectra_test_0.go"])
	if len(plain.Tests[0].Holes) > 0 || strings.Contains(source, "zspectra_holes") {
		t.Error("a suite without holes has some")
	}
}

func TestClosed(t *testing.T) {
	files, holes := dug(t, `var _ = func(t *T) { use() }
func TestX(t *T) { kept("a", 1, true) }
var kept = use`)
	test := &written(t, files, holes).Tests[0]
	op, call := test.Open()
	if len(op.Params) != 3 || len(call.Args) != 3 {
		t.Fatalf("opened: %d parameters, %d arguments, want 3", len(op.Params), len(call.Args))
	}
	st := sequence.Statement{Kind: sequence.Call, Op: op.Name}
	for _, v := range call.Args {
		st.Args = append(st.Args, *v)
	}
	byName := map[string]*Test{test.Name: test}
	closed := Closed(sequence.Sequence{Statements: []sequence.Statement{st}}, byName)
	if text := closed.String(); !strings.HasSuffix(text, "m.TestX({:})\n") {
		t.Errorf("with the usual values: %s", text)
	}
	st.Args = slices.Clone(st.Args)
	st.Args[1].Text = "7"
	closed = Closed(sequence.Sequence{Statements: []sequence.Statement{st}}, byName)
	if text := closed.String(); !strings.HasSuffix(text, "m.TestX({1: 7})\n") {
		t.Errorf("with another value: %s", text)
	}
	if again := Closed(closed, byName); again.String() != closed.String() {
		t.Errorf("closed twice: %s", again)
	}
}

// TestOnlyHoles: of the holes those with certain meanings stay, with numbers that do not depend on the others.
func TestOnlyHoles(t *testing.T) {
	files, holes := dug(t, deepTest)
	own := written(t, files, holes).Tests[0]
	meanings, usual := map[string]bool{}, []string{}
	var calls []sequence.Statement
	for _, h := range own.Holes {
		if h.Usual.Text != "a" {
			continue
		}
		call := own.Call()
		call.Args[0].Elems = asked(h.Number, sequence.Value{Kind: sequence.String, Text: "z"})
		for _, meaning := range own.Meanings(call) {
			meanings[meaning] = true
		}
		calls = append(calls, call)
	}
	less := known
	less.Mentions = func(*types.Var) bool { return false }
	var sources []string
	for _, known := range []Known{known, less} {
		files, holes := dugBy(t, deepTest, known)
		holes.Only(files, meanings)
		s := written(t, files, holes)
		usual = usual[:0]
		for i, h := range s.Tests[0].Holes {
			usual = append(usual, fmt.Sprint(h.Number, h.Usual.Text))
			there, ok := s.Tests[0].Renumbered(calls[i], own.Meanings(calls[i]))
			if !ok || there.Args[0].Elems[0].Text != strconv.Itoa(i) {
				t.Errorf("the call of hole %d: %v", i, there)
			}
		}
		var source strings.Builder
		for _, name := range slices.Sorted(maps.Keys(s.Files)) {
			source.Write(s.Files[name])
		}
		sources = append(sources, source.String())
	}
	if got := strings.Join(usual, " "); got != "0a 1a" {
		t.Errorf("the holes are %s", got)
	}
	if sources[0] != sources[1] {
		t.Errorf("what a change mentions decides what is written:\n%s\n%s", sources[0], sources[1])
	}
}

// TestOnly keeps what a test uses, and what runs by itself.
func TestOnly(t *testing.T) {
	const head = "package m\n\nimport (\n\t\"os\"\n\talso \"io\"\n\t\"testing\"\n)\n\n"
	const both = "func TestX(t *testing.T) { f() }\nfunc TestY(t *testing.T) { g(); also.EOF.Error() }\n" +
		"func f() { h() }\nfunc g() { _ = os.Args }\nfunc h() {}\n"
	const also, other = `also "io"`, "package m\nfunc TestZ() { TestY(nil) }\n"
	importing := func(instead string) string { return strings.Replace(head, also, instead, 1) }
	for _, c := range []struct{ reason, file, other, want string }{
		{"what only others use is left out", head + both, "", "_ _ TestX f h"},
		{
			"what variables and methods use stays",
			head + both + "var v = g\ntype T int\nfunc (T) M() { k() }\nfunc k() {}\n", "", "_ TestX f g h M k",
		},
		{"what a test of another file uses", head + both, other, "TestX TestY f g h"},
		{
			"as do TestMain and init", head + both + "func TestMain(m *testing.M) { g() }\nfunc init() {}\n",
			"", "_ TestX f g h TestMain init",
		},
		{
			"of dot imports all stays", importing(`. "io"`) + strings.Replace(both, "also.", "", 1),
			"", "TestX TestY f g h",
		},
		{"of imports whose package has another name, too", importing(`"a.b/c"`) + both, "", "TestX TestY f g h"},
		{"of an import with a version not", importing(`"a.b/go-also/v2"`) + both, "", "_ _ TestX f h"},
		{"a name for the linker", head + both + "//go:linkname g x.g\n", "", "TestX TestY f g h"},
		{
			"nothing is to be left out", head + "func TestX(t *testing.T) { also.EOF.Error(); _ = os.Args }\n",
			"", "TestX",
		},
	} {
		dir := t.TempDir()
		for name, source := range map[string]string{"m.go": "package m\n", "m_test.go": c.file, "n_test.go": c.other} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o666); source != "" && err != nil {
				t.Fatal(err)
			}
		}
		if c.other == "" {
			os.Remove(filepath.Join(dir, "n_test.go"))
		}
		files, err := Read(dir, "", nil, token.NewFileSet())
		if err != nil {
			t.Fatal(err)
		}
		f := files.Only(func(name string) bool { return name == "TestX" || name == "TestZ" }).inside[0]
		got := []string{}
		for _, spec := range f.syntax.Imports {
			if spec.Name != nil && spec.Name.Name == "_" {
				got = append(got, "_")
			}
		}
		lines := map[string]int{}
		for _, d := range f.syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				got = append(got, d.Name.Name)
				lines[d.Name.Name] = f.fset.Position(d.Pos()).Line
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.reason, got, c.want)
		}
		if lines["TestX"] != 1+strings.Count(c.file[:strings.Index(c.file, "func TestX")], "\n") {
			t.Errorf("%s: TestX is in line %d", c.reason, lines["TestX"])
		}
	}
}

// TestThin: of too many choices some are left out, but not of those in the file of tests beside the change.
func TestThin(t *testing.T) {
	calls := func(n int) string { return " {\n" + strings.Repeat("use()\n", n) + "}" }
	sources := map[string]string{
		"m_test.go": fileHead + "func TestX(t *T)" + calls(2*mostChoices),
		"n_test.go": "package m\nfunc TestY(t *T)" + calls(10),
	}
	for near, want := range map[string]int{"": 10, "n_test.go": 20} { // a call may be left out, and made twice
		of := known
		of.Near = map[string]bool{near: true}
		files, holes := dugFrom(t, sources, of)
		counts := map[string]int{}
		for _, h := range holes.inside.all {
			if thinned(h) && !holes.inside.left[h] {
				counts[filepath.Base(files.fset.Position(h.lit.Pos()).Filename)]++
			}
		}
		far, n := counts["m_test.go"], counts["n_test.go"]
		if far == 0 || far > mostChoices || n > want || near != "" && n != want {
			t.Errorf("near %q: %d choices elsewhere, %d in n_test.go, want %d at most, and there %d", near, far, n,
				mostChoices, want)
		}
	}
}
