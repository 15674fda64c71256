package symbol_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
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

func TestType(t *testing.T) {
	const source = `package m

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
var A7 struct { N int ` + "`json:\"n\"`" + `; T }
var A8 G[string, G[int, A]]
var A9 interface{}
var B1 unsafe.Pointer
func B2[X any, Y interface{ ~[]X | ~string }](x X, y ...Y) X { return x }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "m.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: importer.Default()} // for unsafe
	checked, err := config.Check("example.com/m", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	scope := checked.Scope()
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
