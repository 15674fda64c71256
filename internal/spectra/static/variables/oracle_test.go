package variables

import (
	"go/ast"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

const oraclePath = "zoracle"

var oracleModules = []struct{ module, reason string }{
	{"github.com/BurntSushi/toml@v1.6.0", "reflection over all kinds"},
	{"github.com/spf13/cobra@v1.10.2", "callbacks in structs, templates, a dependency that keeps callbacks"},
	{"github.com/gorilla/mux@v1.8.1", "handlers called by the standard library"},
	{"github.com/sirupsen/logrus@v1.9.3", "hooks and loggers in package variables"},
	{"github.com/robfig/cron/v3@v3.0.1", "goroutines and jobs"},
	{"github.com/google/go-cmp@v0.7.0", "options, reporters, reflection"},
	{"github.com/rogpeppe/go-internal@v1.16.0", "many packages"},
	{"gopkg.in/yaml.v3@v3.0.1", "tables of functions"},
	{"github.com/expr-lang/expr@v1.16.9", "visitors, a virtual machine"},
	{"github.com/spf13/pflag@v1.0.10", "interfaces implemented by unexported types"},
}

// oracleFixture has calls that leave the module and come back.
var oracleFixture = map[string]string{
	"go.mod": "module m\n\ngo 1.24\n",
	"p/p.go": `package p

import (
	"bufio"
	"container/heap"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"iter"
	"reflect"
	"sort"
	"strings"
	"sync"
	"text/template"
)

var (
	printed, sorted, pooled, once, marshalled, written, flagged, templated int
	reflected, pulled, made, heaped, embedded, generic, bound, deferred    int
)

type Shown struct{ Inner any }

func (s Shown) String() string { printed++; return "shown" }

type byLen []string

func (x byLen) Len() int           { sorted++; return len(x) }
func (x byLen) Less(i, j int) bool { return len(x[i]) < len(x[j]) }
func (x byLen) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }

var pool = sync.Pool{New: func() any { pooled++; return new(int) }}
var onceValue = sync.OnceValue(func() int { once++; return once })

type Coded int

func (c Coded) MarshalJSON() ([]byte, error) { marshalled++; return []byte("1"), nil }

type Sink struct{}

func (Sink) Write(b []byte) (int, error) { written++; return len(b), nil }

type Level int

func (l *Level) String() string     { return "" }
func (l *Level) Set(s string) error { flagged++; return nil }

type Data struct{}

func (Data) Any() string { templated++; return "x" }

type Calls struct{}

func (Calls) Whatever() { reflected++ }

func numbers(yield func(int) bool) { pulled++; yield(1) }

type Queue []int

func (q Queue) Len() int           { return len(q) }
func (q Queue) Less(i, j int) bool { heaped++; return q[i] < q[j] }
func (q Queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *Queue) Push(x any)        { *q = append(*q, x.(int)) }
func (q *Queue) Pop() any          { old := *q; x := old[len(old)-1]; *q = old[:len(old)-1]; return x }

type base struct{}

func (base) touch() { embedded++ }

type Outer struct{ base }

func Apply[T any](x T, f func(T)) { f(x) }

type Node interface{ visit() }
type leaf struct{}

func (leaf) visit() { bound++ }

func Prints() { fmt.Sprint(map[string]any{"x": Shown{}}) }
func PrintsInner() { fmt.Sprintf("%v", struct{ X any }{Shown{}}) }
func Sorts() { sort.Sort(sort.Reverse(byLen{"b", "aa"})) }
func Pools() any { return pool.Get() }
func Onces() int { return onceValue() }
func Marshals() { json.Marshal(map[string]any{"a": []Coded{1}}) }
func Buffers() *bufio.Writer { return bufio.NewWriter(Sink{}) }
func Flushes(w *bufio.Writer) { w.WriteString("x"); w.Flush() }
func Copies(w io.Writer) { io.Copy(w, strings.NewReader("x")) }
func Flags() *flag.FlagSet { s := flag.NewFlagSet("x", flag.ContinueOnError); s.Var(new(Level), "l", ""); return s }
func Parses(s *flag.FlagSet) { s.Parse([]string{"-l=1"}) }
func Templates() { template.Must(template.New("").Parse("{{.Any}}")).Execute(io.Discard, Data{}) }
func Reflects(x any) { reflect.ValueOf(x).MethodByName("Whatever").Call(nil) }
func Pulls() { next, stop := iter.Pull(iter.Seq[int](numbers)); defer stop(); next() }
func Makes() func(int) {
	f := reflect.MakeFunc(reflect.TypeFor[func(int)](), func([]reflect.Value) []reflect.Value { made++; return nil })
	return f.Interface().(func(int))
}
func CallsMade(f func(int)) { f(1) }
func Heaps() { q := &Queue{3, 1}; heap.Init(q); heap.Push(q, 2) }
func Promotes() { Outer{}.touch() }
func Generic() { Apply(1, func(int) { generic++ }) }
func Bound() { var n Node = leaf{}; f := n.visit; f() }
func Defers() (err error) {
	defer func() { deferred++; recover() }()
	panic("x")
}
func Methods() { f := leaf.visit; f(leaf{}); for range numbers { } }
`,
	"p/p_test.go": `package p

import "testing"

func TestAll(t *testing.T) {
	Prints(); PrintsInner(); Sorts(); Pools(); Onces(); Marshals(); Flushes(Buffers()); Copies(Sink{}); Parses(Flags())
	Templates(); Reflects(Calls{}); Pulls(); CallsMade(Makes()); Heaps(); Promotes(); Generic(); Bound(); Defers()
	Methods()
}
`,
}

// TestTouchesFixture runs the comparison on a module that needs no network.
func TestTouchesFixture(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir, oracleFixture)
	if seen := observe(t, dir); seen < 30 {
		t.Errorf("only %d uses were seen", seen)
	}
}

func TestTouchesModules(t *testing.T) {
	if os.Getenv("SPECTRADIFF_LONG") == "" {
		t.Skip("SPECTRADIFF_LONG=1 runs the suites of released modules, fetched through the module proxy")
	}
	only := regexp.MustCompile(os.Getenv("SPECTRADIFF_ONLY"))
	total := 0
	for _, m := range oracleModules {
		if only.MatchString(m.module) {
			t.Run(m.module, func(t *testing.T) { total += observe(t, moduletest.Checkout(t, m.module)) })
		}
	}
	if total == 0 {
		t.Error("no use was seen")
	}
}

// observe runs the suites below dir and returns how many pairs of a function and a variable were seen.
func observe(t *testing.T, dir string) int {
	t.Helper()
	pkgs := slices.DeleteFunc(moduletest.Load(t, dir, "./..."), func(p *packages.Package) bool {
		return p.IllTyped || len(p.Errors) > 0 || len(p.CompiledGoFiles) == 0
	})
	touched := touches(t, pkgs)
	oracle := filepath.Join(moduletest.GOROOT(t), "src", oraclePath, "zoracle.go")
	extra := map[string][]byte{oracle: moduletest.Read(t, "testdata/oracle/zoracle.go")}
	module := map[string]bool{}
	for _, pkg := range pkgs {
		module[pkg.PkgPath] = true
	}
	for _, pkg := range pkgs {
		noteUses(t, pkg, module, extra)
	}
	notes := filepath.Join(t.TempDir(), "uses")
	out, text, err := moduletest.Try(dir, []string{"ZORACLE=" + notes}, "go", "test", "-vet=off", "-short",
		"-gcflags=./...=-l",
		"-overlay="+moduletest.Overlay(t, extra), "./...")
	if err != nil {
		t.Logf("some tests fail: %v\n%.2000s%.2000s", err, out, text)
	}
	return checkUses(t, touched, static.New(pkgs, nil).Variables(), string(moduletest.Read(t, notes)))
}

// checkUses compares the pairs that were seen with those that were found.
func checkUses(t *testing.T, touched map[spectra.Symbol][]string, variables []string, notes string) int {
	t.Helper()
	seen, listed, missing := map[string]bool{}, 0, 0
	for line := range strings.Lines(notes) {
		function, names, _ := strings.Cut(strings.TrimSpace(line), "\t")
		list, known := touched[symbolOfFrame(function)]
		if !known {
			continue
		}
		for _, name := range strings.Fields(names) {
			if _, changes := slices.BinarySearch(variables, name); !changes || seen[function+name] {
				continue
			}
			seen[function+name] = true
			if !slices.Contains(list, name) {
				missing++
				t.Errorf("%s used %s, which is not in its list", function, name)
			}
		}
	}
	for _, list := range touched {
		listed += len(list)
	}
	t.Logf("%d pairs of function and variable seen, %d missing; %d listed for %d functions", len(seen), missing, listed,
		len(touched))
	return len(seen)
}

var bodyOfRange = regexp.MustCompile(`-range\d+`)

// symbolOfFrame translates the runtime's name of a function into a symbol.
func symbolOfFrame(name string) spectra.Symbol {
	slash := strings.LastIndexByte(name, '/') + 1
	dot := slash + strings.IndexByte(name[slash:], '.')
	if dot < slash {
		return ""
	}
	rest := bodyOfRange.ReplaceAllString(name[dot:], "")
	for strings.Contains(rest, "[...]") {
		rest = strings.Replace(rest, "[...]", "", 1)
	}
	return spectra.Symbol(name[:slash] + strings.ReplaceAll(name[slash:dot], "%2e", ".") + rest)
}

// noteUses puts a note before every statement of a package that names variables of the module.
func noteUses(t *testing.T, pkg *packages.Package, module map[string]bool, files map[string][]byte) {
	t.Helper()
	for i, name := range pkg.CompiledGoFiles {
		if !slices.Contains(pkg.GoFiles, pkg.Fset.PositionFor(pkg.Syntax[i].Name.Pos(), false).Filename) {
			continue // made by cgo
		}
		tok := pkg.Fset.File(pkg.Syntax[i].FileStart)
		notes := map[int]string{} // by offset
		note := func(list []ast.Stmt) {
			for _, s := range list {
				if names := namedIn(pkg, module, s); names != "" {
					notes[tok.Offset(s.Pos())] = oraclePath + `.Use("` + names + `"); `
				}
			}
		}
		ast.Inspect(pkg.Syntax[i], func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BlockStmt:
				if len(n.List) > 0 && !isClause(n.List[0]) {
					note(n.List)
				}
			case *ast.CaseClause:
				note(n.Body)
			case *ast.CommClause:
				note(n.Body)
			}
			return true
		})
		if len(notes) > 0 {
			notes[tok.Offset(pkg.Syntax[i].Name.End())] = "; import " + oraclePath + ` "` + oraclePath + `"`
			files[name] = inserted(moduletest.Read(t, name), notes)
		}
	}
}

// inserted returns the source with texts inserted at their offsets.
func inserted(src []byte, texts map[int]string) []byte {
	var out []byte
	from := 0
	for _, at := range slices.Sorted(maps.Keys(texts)) {
		out = append(append(out, src[from:at]...), texts[at]...)
		from = at
	}
	return append(out, src[from:]...)
}

func isClause(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// namedIn returns the variables that a statement names before anything inside it is executed.
func namedIn(pkg *packages.Package, module map[string]bool, s ast.Stmt) string {
	names := map[string]bool{}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BlockStmt, *ast.SelectStmt:
			return false
		case *ast.CallExpr:
			return !pkg.TypesInfo.Types[n.Fun].IsBuiltin() // len of an array uses nothing
		case *ast.Ident:
			v, ok := pkg.TypesInfo.Uses[n].(*types.Var)
			if ok && v.Kind() == types.PackageVar && module[v.Pkg().Path()] {
				names[symbol.Global(v)] = true
			}
		}
		return true
	})
	return strings.Join(slices.Sorted(maps.Keys(names)), " ")
}
