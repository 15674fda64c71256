package target

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/spectra/symbol"
)

func TestRebase(t *testing.T) {
	for _, c := range []struct{ reason, name, from, to, want string }{
		{"same path", "m.F", "m", "m", "m.F"},
		{"the module itself", "x.org/m.F", "x.org/m", "x.org/m/v2", "x.org/m/v2.F"},
		{"a package below", "x.org/m/p.(*T).M", "x.org/m", "x.org/m/v2", "x.org/m/v2/p.(*T).M"},
		{"type arguments", "x.org/m.F[x.org/m/p.T,map[x.org/m.K]int]", "x.org/m", "y", "y.F[y/p.T,map[y.K]int]"},
		{"back to the shorter path", "x.org/m/v2/p.F", "x.org/m/v2", "x.org/m", "x.org/m/p.F"},
		{"another module with a longer name", "x.org/mm.F", "x.org/m", "y", "x.org/mm.F"},
		{"another module that ends alike", "a.org/x.org/m.F", "x.org/m", "y", "a.org/x.org/m.F"},
		{"a folder named as the module", "m/m/m.F", "m", "n", "n/m/m.F"},
		{"a signature", "func(x.org/m.T) *x.org/m.T", "x.org/m", "y", "func(y.T) *y.T"},
	} {
		if got := symbol.Rebase(c.name, c.from, c.to); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}

func TestCanonical(t *testing.T) {
	loaded := load(t, extract(t, txtar.Parse([]byte(`-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m

import "unsafe"

type T struct{}
type A = T
type G[K comparable, V any] struct{}

var A1 []A
var A2 map[byte]*[3]rune
var A3 chan (<-chan int)
var A4 <-chan chan<- int
var A5 func(name string, rest ...A) (r T, err error)
var A6 interface{ M(x int) (y string); L() }
var A7 struct { N int `+"`json:\"n\"`"+`; T }
var A8 G[string, G[int, A]]
var A9 interface{}
var B1 unsafe.Pointer
func B2[X any, Y interface{ ~[]X | ~string }](x X, y ...Y) X { return x }
`)), ""))
	scope := loaded.Packages[0].Types.Scope()
	for name, want := range map[string]string{
		"A1": "[]example.com/m.T",
		"A2": "map[uint8]*[3]int32",
		"A3": "chan (<-chan int)",
		"A4": "<-chan chan<- int",
		"A5": "func(string, ...example.com/m.T) (example.com/m.T, error)",
		"A6": "interface{L(); M(int) string}",
		"A7": `struct{N int "json:\"n\""; example.com/m.T}`,
		"A8": "example.com/m.G[string,example.com/m.G[int,example.com/m.T]]",
		"A9": "any",
		"B1": "unsafe.Pointer",
		"B2": "func[any,interface{~[]$0|~string}]($0, ...$1) $0",
	} {
		if got := symbol.Type(scope.Lookup(name).Type()); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

const layered = `-- go.mod --
module example.com/m

go 1.24
-- top/top.go --
package top

import "example.com/m/middle"

func F() string { return middle.F() }
-- middle/middle.go --
package middle

import "example.com/m/bottom"

func F() string { return bottom.F() }
-- bottom/bottom.go --
package bottom

func F() string { return "" }
-- aside/aside.go --
package aside

import "example.com/m/bottom"

func F() string { return bottom.F() }
-- alone/alone.go --
package alone
`

func TestSelect(t *testing.T) {
	loaded := load(t, extract(t, txtar.Parse([]byte(layered)), ""))
	for _, c := range []struct {
		reason  string
		changed []string
		all     bool
		want    []string
	}{
		{"nothing changed", nil, false, nil},
		{"what a change in the middle reaches and is seen from", []string{"middle"}, false, []string{"bottom", "middle", "top"}},
		{"a change below is seen everywhere above", []string{"bottom"}, false, []string{"aside", "bottom", "middle", "top"}},
		{"a change above reaches down, not sideways", []string{"top"}, false, []string{"bottom", "middle", "top"}},
		{"nobody knows it", []string{"alone"}, false, []string{"alone"}},
		{"all", nil, true, []string{"alone", "aside", "bottom", "middle", "top"}},
		{"a package that no version has", []string{"nowhere"}, false, nil},
	} {
		changed := map[string]bool{}
		for _, name := range c.changed {
			changed["example.com/m/"+name] = true
		}
		var got []string
		for _, path := range Select(loaded, loaded, changed, c.all) {
			got = append(got, strings.TrimPrefix(path, "example.com/m/"))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.reason, got, c.want)
		}
	}
}

func TestConstants(t *testing.T) {
	long := strings.Repeat("x", maxLiteral+1)
	loaded := load(t, extract(t, txtar.Parse([]byte(`-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m

import "strings"

type T struct {
	A [7]int `+"`tag:\"not this\"`"+`
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
-- testdata/deep/binary --
`+"\x00\x01")), ""))
	pool := Constants(loaded, []string{"example.com/m", "example.com/m/p"})
	for _, c := range []struct {
		kind string
		got  []Constant
		want string
	}{
		{"strings", pool.Strings, "a sample\n|before the error|only in tests|text"},
		{"runes", pool.Runes, "114"},
		{"ints", pool.Ints, "-5|1|100|101|1099511627776|40|5|7|70"},
		{"floats", pool.Floats, "2.5"},
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
	loaded := load(t, extract(t, txtar.Parse([]byte("-- go.mod --\nmodule example.com/m\n-- m.go --\npackage m\n\nimport \"unsafe\"\n\ntype E struct{}\ntype T struct {\n\tE\n\tA, b int\n\tP unsafe.Pointer\n\tC chan T\n}\n")), ""))
	var names []string
	for _, f := range Fields(loaded.Packages[0].Types.Scope().Lookup("T").Type()) {
		names = append(names, f.Name())
	}
	if !slices.Equal(names, []string{"E", "A", "C"}) {
		t.Errorf("fields %v", names)
	}
	if got := Fields(types.Typ[types.Int]); got != nil {
		t.Errorf("int has the fields %v", got)
	}
}
