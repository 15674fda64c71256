package static

import (
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
)

const reachSource = `package m

import "slices"
import "sort"

const limit = 3

var table = map[string]func(){"x": leaf}

type S []int

func (s S) Len() int           { return len(s) }
func (s S) Less(i, j int) bool { return s[i] < s[j] }
func (s S) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

type Runner interface{ Run() }
type one struct{}

func (one) Run()      { leaf() }
func New() Runner     { return one{} }
func leaf()           {}
func Direct()         { leaf() }
func Literal()        { func() { leaf() }() }
func Value()          { f := leaf; f() }
func Table()          { table["x"]() }
func Through(r Runner) { r.Run() }
func Sorts(s S)       { sort.Sort(s) }
func Bound() int      { return limit }
func Never() int      { return 1 }

type event struct{}
type handler func(event)

func made() handler        { return func(event) { deep() } }
func deep()                {}
func fire(h handler)       { h(event{}) }
func other(h func(*event)) { h(nil) }
func now()                 { func(event) {}(event{}) }
func named(event)          {}
func hand()                { fire(named) }
func meet(f func())        { f() }
func convert() handler     { return handler(nil) }
func kept[T any](event)    {}
func keeps()               { kept[int](event{}) }
func Generic(s S)          { slices.Sort[S](s) }
`

func loadOne(t *testing.T, source string) *Program {
	t.Helper()
	dir := t.TempDir()
	moduletest.Write(t, dir, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": source})
	return New(moduletest.Load(t, dir, "."), nil)
}

func TestReaching(t *testing.T) {
	program := loadOne(t, reachSource)
	for _, c := range []struct {
		reason  string
		changed spectra.Symbol
		want    string
	}{
		{"calls, literals, function values, tables and interfaces lead to it", "leaf",
			"Direct Literal Runner.Run Table Through Value leaf one.Run table"},
		{"a method that the standard library calls back", "S.Less", "Generic S.Less Sorts"},
		{"a constant", "limit", "Bound limit"},
		{"a literal stands for its function", "Literal.func1", "Literal"},
		{"a type is mentioned by its methods' receivers too", "one", "New Runner.Run Through one one.Run"},
		{"what calls a function value of that type", "deep", "deep fire hand made"},
		{"a function that is used as a value", "named", "fire hand named"},
		{"an instance that is called at once is no value", "kept", "keeps kept"},
		{"nothing known but itself", "unknown", "unknown"},
	} {
		var got []string
		for name := range program.Reaching(map[spectra.Symbol]bool{"example.com/m." + c.changed: true}) {
			got = append(got, name.Short())
		}
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.reason, got, c.want)
		}
	}
}

// TestReached: what a package can reach of another one, by calls, by tables of its own and through interfaces, and not
// what only the other one reaches, nor what initialises it.
func TestReached(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"m.go": `package m

import "example.com/m/dep"

var table = []func(){dep.Listed}

type caller interface{ Call() }

func Calls(c caller) { dep.Called(); c.Call(); table[0]() }
`,
		"dep/dep.go": `package dep

var read = 1
var unread = 2
var initial = first()

type T struct{}

func (T) Call()  { inner() }
func (T) Other() { unread++ }
func inner()     {}
func first() int { return 3 }
func Listed()    { read++ }
func Called()    {}
func Apart()     { Called() }
`,
	})
	program := New(moduletest.Load(t, dir, "./..."), nil)
	var got []string
	for name := range program.Reached(func(pkg string) bool { return pkg == "example.com/m" }) {
		if name.Package() == "example.com/m/dep" {
			got = append(got, name.Short())
		}
	}
	slices.Sort(got)
	if want := "Called Listed T T.Call inner read"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
