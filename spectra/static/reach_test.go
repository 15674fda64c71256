package static

import (
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/moduletest"
)

const reachSource = `package m

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
		{"a method that the standard library calls back", "S.Less", "S.Less Sorts"},
		{"a constant", "limit", "Bound limit"},
		{"a literal stands for its function", "Literal.func1", "Literal"},
		{"a type is mentioned by its methods' receivers too", "one", "New Runner.Run Through one one.Run"},
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
