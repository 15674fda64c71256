package variables

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

var touchesSources = map[string]string{
	"go.mod": "module m\n\ngo 1.24\n",
	"p/p.go": `package p

import (
	"fmt"
	"sort"
)

var a, b, c, d, e, f, g, h int
var constant = 1
var Shared int

func none() int { return constant }
func direct() { a++ }
func calls() { direct(); b++ }
func loop(n int) { if n > 0 { back(n - 1) } }
func back(n int) { c++; loop(n) }

type I interface{ M(int) }
type T struct{}
func (T) M(int) { d++ }
type U struct{}
func (*U) M(string) { e++ }
type V struct{}
func (V) M(int) { e++ }
func (V) N() {}
type J interface{ I; N() }
func through(i I) { i.M(1) }
func narrow(j J) { j.M(1) }
func value(i I) func(int) { return i.M }

func taken(x, y bool) { f++ }
func notTaken(x, y bool) { g++ }
func dynamic(fn func(bool, bool)) { fn(true, false) }
var table = []func(bool, bool){taken}
func use() { notTaken(true, true); dynamic(table[0]) }

func outer() func() string {
	b++
	return func() string { g++; return func() string { h++; return "" }() }
}
func at() { func() { h++ }() }

type S string
func (s S) String() string { a++; return string(s) }
type byLen []string
func (x byLen) Len() int { b++; return len(x) }
func (x byLen) Less(i, j int) bool { return i < j }
func (x byLen) Swap(i, j int) {}
func prints(s S) { fmt.Println(s) }
func printsAny(x any) { fmt.Println(x) }
func sorts(x []string) { sort.Sort(byLen(x)) }

type List[X any] struct{ item X }
func (l *List[X]) Push(x X) { c++ }
func generic[X any](x X, fn func(X) bool) bool { new(List[X]).Push(x); return fn(x) }
func predicate(s string) bool { d++; return true }
func instance() { generic("x", predicate) }
func bound[X interface{ M(int) }](x X) { x.M(2) }

type Embedding struct{ I }
type W struct{}
func (W) Only(complex64) { e++ }
type X struct{ W }
func promoted(x interface{ Only(complex64) }) { x.Only(1) }

func Exported() { Shared++ }
func init() { direct() }
func bodyless()
`,
	"p/p.s": "",
	"q/q.go": `package q

import "m/p"

func F() { p.Exported() }
func G() int { return p.Shared }
var x int
func H() { x++ }
`,
}

func touches(t testing.TB, pkgs []*packages.Package) map[spectra.Symbol][]string {
	t.Helper()
	got, err := Variables(static.New(pkgs, nil))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestTouches(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir, touchesSources)
	got := touches(t, moduletest.Load(t, dir, "./..."))
	tests := []struct{ symbol, want, reason string }{
		{"p.none", "", "constants are left out"},
		{"p.direct", "a", "a use"},
		{"p.calls", "a b", "a call"},
		{"p.loop", "c", "recursion"},
		{"p.back", "c", "recursion, the other way round"},
		{"p.through", "d e", "an interface call reaches every method that fits, not U's"},
		{"p.narrow", "e", "only V has both methods"},
		{"p.value", "", "a method value is no call"},
		{"p.bound", "d e", "a call through a type parameter"},
		{"p.promoted", "e", "a promoted method"},
		{"p.dynamic", "f", "a function value: what is used as one"},
		{"p.use", "f g", "a variable that holds functions"},
		{"p.outer", "b", "a literal that is returned is not called"},
		{"p.outer.func1", "g h", "a literal has what it touches"},
		{"p.outer.func1.1", "h", "an inner literal"},
		{"p.at", "h", "a literal called at once"},
		{"p.prints", "a", "foreign code calls methods of what it gets"},
		{"p.printsAny", "a", "foreign code calls String of anything"},
		{"p.sorts", "b", "foreign code calls back"},
		{"p.instance", "c d", "a generic function"},
		{"p.(*List).Push", "c", "a method of a generic type"},
		{"p.init.0", "a", "init functions are functions"},
		{"q.F", "m/p.Shared", "another package's function"},
		{"q.G", "m/p.Shared", "another package's variable"},
		{"q.H", "m/q.x", "another package's variables don't come with an import"},
	}
	for _, tt := range tests {
		var want []string
		for _, name := range strings.Fields(tt.want) {
			if !strings.Contains(name, ".") {
				name = "m/p." + name
			}
			want = append(want, name)
		}
		touched, ok := got[spectra.Symbol("m/"+tt.symbol)]
		if !ok || !slices.Equal(touched, want) {
			t.Errorf("%s (%s): %v, want %v", tt.symbol, tt.reason, touched, want)
		}
	}
}

// TestTouchesAll checks that every function has an entry, and that two analyses agree.
func TestTouchesAll(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir, oracleFixture)
	pkgs := moduletest.Load(t, dir, "./...")
	got, again := touches(t, pkgs), touches(t, moduletest.Load(t, dir, "./..."))
	if fmt.Sprint(got) != fmt.Sprint(again) {
		t.Error("two analyses of the same sources differ")
	}
	for _, pkg := range pkgs {
		for _, name := range symbol.Functions(pkg.PkgPath, pkg.TypesInfo, pkg.Syntax) {
			if _, ok := got[name]; !ok {
				t.Errorf("%s: no entry", name)
			}
		}
	}
}

// TestComponents compares with reachability in both directions on random graphs.
func TestComponents(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 200 {
		edges := make([][]int, 1+random.Intn(12))
		for range random.Intn(30) {
			from := random.Intn(len(edges))
			edges[from] = append(edges[from], random.Intn(len(edges)))
		}
		reach := closure(edges)
		place := make([]int, len(edges))
		count := 0
		for i, component := range components(edges) {
			for _, node := range component {
				place[node] = i
				count++
			}
		}
		if count != len(edges) {
			t.Fatalf("%v: %d nodes in components", edges, count)
		}
		for x := range edges {
			for y := range edges {
				if same := reach[x][y] && reach[y][x]; same != (place[x] == place[y]) {
					t.Fatalf("%v: %d and %d: same component %t", edges, x, y, !same)
				}
				if reach[x][y] && place[y] > place[x] {
					t.Fatalf("%v: %d is reached from %d but comes later", edges, y, x)
				}
			}
		}
	}
}

func closure(edges [][]int) [][]bool {
	reach := make([][]bool, len(edges))
	for x := range edges {
		reach[x] = make([]bool, len(edges))
		reach[x][x] = true
		for _, y := range edges[x] {
			reach[x][y] = true
		}
	}
	for via := range edges {
		for x := range edges {
			for y := range edges {
				reach[x][y] = reach[x][y] || reach[x][via] && reach[via][y]
			}
		}
	}
	return reach
}
