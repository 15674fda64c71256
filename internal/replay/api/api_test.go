package api_test

import (
	"go/types"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

func TestConstants(t *testing.T) {
	long := strings.Repeat("x", 2<<10+1) // longer than the limit
	loaded := loadtest.TypeCheckText(t, `-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m

import "strings"

type T struct {
	A [7]int `+"`json:\"a-name,omitempty\" yaml:\"other\"`"+`
}

const big, exact = 1 << 70, 1 << 40
const (
	first = iota + 100
	second
)

var v = []any{"text", 'r', -5, 2.5, 1i, "`+long+`", strings.ToUpper("text")}
-- p/p.go --
package p

const also = "text"
-- m_test.go --
package m

var fromTest = "only in tests"
-- broken_test.go --
package m

var before = "before the error"
func (
-- testdata/sample.txt --
a sample
-- testdata/fuzz/FuzzX/1 --
go test fuzz v1
string("argument")
[]byte("bytes")
int(5)
-- _spec/list.json --
[{"in": "first", "n": 1}, {"in": "", "out": ["second", {"x": "key"}]}]
-- tests/large.txt --
`+strings.Repeat("too long for one\n", 200)+`
//- - - - - -//
with
lines
=============
-- docs/readme.md --
not for tests
-- testdata/deep/binary --
`+"\x00\x01", nil)
	pool := api.Constants(loaded, []string{"example.com/m", "example.com/m/p"})
	for _, c := range []struct {
		kind string
		got  []api.Constant
		want string
	}{
		{"strings", pool.Strings, "before the error|only in tests|text"},
		{"samples", pool.Samples, "a sample\n|argument|bytes|first|key|second|with\nlines\n"},
		{"runes", pool.Runes, "114"},
		{"ints", pool.Ints, "-5|1|100|101|1099511627776|40|5|7|70"},
		{"floats", pool.Floats, "2.5"},
		{"tags", pool.Tags, "a-name|omitempty|other"},
	} {
		var texts []string
		for _, constant := range c.got {
			texts = append(texts, constant.Text)
		}
		if got := strings.Join(texts, "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.kind, got, c.want)
		}
	}
	last := pool.Strings[len(pool.Strings)-1]
	if !slices.Equal(last.Packages, []string{"example.com/m", "example.com/m/p"}) {
		t.Errorf("%q was seen in %v", last.Text, last.Packages)
	}
}

func TestFields(t *testing.T) {
	loaded := loadtest.TypeCheckText(t,
		"-- go.mod --\nmodule example.com/m\n-- m.go --\npackage m\n\nimport \"unsafe\"\n\n"+
			"type E struct{}\ntype T struct {\n\tE\n\tA, b int\n\tP unsafe.Pointer\n\tC chan T\n}\n", nil)
	var names []string
	for _, f := range api.Fields(loaded.Packages[0].Types.Scope().Lookup("T").Type()) {
		names = append(names, f.Name())
	}
	if !slices.Equal(names, []string{"E", "A", "C"}) {
		t.Errorf("fields %v", names)
	}
	if got := api.Fields(types.Typ[types.Int]); got != nil {
		t.Errorf("int has the fields %v", got)
	}
}

func names(ops []*api.Operation) []string {
	var all []string
	for _, op := range ops {
		all = append(all, op.Name)
	}
	return all
}

func TestVendoredPackageSupplies(t *testing.T) {
	loaded := loadtest.TypeCheckText(t, loadtest.Vendored, api.Wanted())
	want := []string{"example.com/m.F", "example.com/dep.New"}
	if got := names(api.Operations(loaded, []string{"example.com/m"})); !slices.Equal(got, want) {
		t.Errorf("operations %v, want %v", got, want)
	}
}

func TestGeneratedByCgoIsLeftOut(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler: cgo packages can't be listed")
	}
	dir := loadtest.Extract(t, txtar.Parse([]byte(`-- go.mod --
module example.com/m
-- main.go --
package main

// static int twice(int n) { return 2 * n; }
import "C"

type T struct{ n C.int }

func Twice(n int) int { return int(C.twice(C.int(n))) }
func raw(n C.int) C.int { return n }
func main() {}
`)), "")
	cfg := loadtest.Config(dir)
	cfg.Env, cfg.Wanted = loadtest.Offline("CGO_ENABLED=1"), api.Wanted()
	loaded, err := load.TypeCheck(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"example.com/m.Twice"}
	if got := names(api.Operations(loaded, []string{"example.com/m"})); !slices.Equal(got, want) {
		t.Errorf("operations %v, want Twice alone", got)
	}
}

func TestReachingOperationsAreMarked(t *testing.T) {
	loaded := loadtest.TypeCheckText(t,
		"-- go.mod --\nmodule example.com/m\n-- m.go --\npackage m\n\nfunc F() {}\nfunc G() {}\n", nil)
	paths := loadtest.ModulePaths{OldModule: loaded.Module, NewModule: loaded.Module}
	s := api.Common(loaded, loaded, []string{"example.com/m"}, paths, map[spectra.Symbol]bool{"example.com/m.G": true})
	var marked []string
	for _, op := range s.Operations.Old {
		if op.Reaches {
			marked = append(marked, op.Name)
		}
	}
	if want := []string{"example.com/m.G"}; !slices.Equal(marked, want) {
		t.Errorf("marked %v, want %v", marked, want)
	}
}
