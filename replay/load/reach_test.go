package load_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/replay/load"
	"github.com/spectradiff/spectradiff/replay/load/loadtest"
	"github.com/spectradiff/spectradiff/spectra"
)

func TestReach(t *testing.T) {
	loaded := loadtest.TypeCheckText(t, `-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m

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
`, nil)
	for _, c := range []struct {
		reason  string
		changed spectra.Symbol
		want    string
	}{
		{"calls, literals, function values, tables and interfaces lead to it", "example.com/m.leaf",
			"Direct Literal Runner.Run Table Through Value leaf one.Run table"},
		{"a method that the standard library calls back", "example.com/m.S.Less", "S.Less Sorts"},
		{"a constant", "example.com/m.limit", "Bound limit"},
		{"a literal stands for its function", "example.com/m.Literal.func1", "Literal"},
		{"a type is mentioned by its methods' receivers too", "example.com/m.one",
			"New Runner.Run Through one one.Run"},
		{"nothing else mentions it", "example.com/m.Never", "Never"},
	} {
		var got []string
		for symbol := range load.Reaching(loaded, map[spectra.Symbol]bool{c.changed: true}) {
			got = append(got, strings.TrimPrefix(string(symbol), "example.com/m."))
		}
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.reason, got, c.want)
		}
	}
}
