package symbol_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

const source = `package p

type T struct{}
type alias = T
type List[E any] struct{}
type Map[K comparable, V any] struct{}
type I interface{ M() }

var x, y = func() int { return func() int { return 1 }() }, func() {}

func F() { func() { func() {}(); func() {}() }(); func() {}() }
func Generic[X any]() { func() {}() }
func init() {}
func init() { func() {}() }
func _() {}
func (T) Value() {}
func (t *T) Pointer() { func() {}() }
func (*alias) Aliased() {}
func ((*T)) Bracketed() {}
func (*List[E]) Push() {}
func (Map[K, V]) Get() {}
func (T) init() {}

var late = func() {}
`

func load(t *testing.T) (*types.Package, *types.Info, *ast.File) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("x.org/m/p", set, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	return pkg, info, file
}

func TestFunctions(t *testing.T) {
	_, info, file := load(t)
	var got []string
	for _, name := range symbol.Functions("x.org/m/p", info, []*ast.File{file}) {
		if name.Package() != "x.org/m/p" {
			t.Errorf("%s: package %s", name, name.Package())
		}
		got = append(got, name.Short())
	}
	slices.Sort(got)
	want := []string{
		"(*List).Push", "(*T).Aliased", "(*T).Bracketed", "(*T).Pointer", "(*T).Pointer.func1",
		"F", "F.func1", "F.func1.1", "F.func1.2", "F.func2", "Generic", "Generic.func1", "Map.Get", "T.Value", "T.init",
		"_",
		"glob..func1", "glob..func1.1", "glob..func2", "glob..func3", "init.0", "init.1", "init.1.func1",
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q,\nwant %q", got, want)
	}
}

// TestFunctionsDeclared checks that a literal's declared function is the one around it.
func TestFunctionsDeclared(t *testing.T) {
	_, info, file := load(t)
	names := symbol.Functions("x.org/m/p", info, []*ast.File{file})
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Name.Name == "init" && fn.Recv == nil {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			if name, ok := names[n]; ok && name.Declared() != names[fn] {
				t.Errorf("%s is declared in %s, want %s", name, name.Declared(), names[fn])
			}
			return true
		})
	}
}

// TestReceiverSyntax checks that syntax alone leads to the same receiver as types do, except that it does
// not know what an alias stands for.
func TestReceiverSyntax(t *testing.T) {
	_, info, file := load(t)
	seen := 0
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Recv == nil || fn.Name.Name == "Aliased" {
			continue
		}
		seen++
		got := spectra.Symbol("x.org/m/p." + symbol.ReceiverSyntax(fn.Recv.List[0].Type) + "." + fn.Name.Name)
		if want := symbol.Function(info.Defs[fn.Name].(*types.Func)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if seen != 6 {
		t.Errorf("%d methods were compared", seen)
	}
	if got := symbol.ReceiverSyntax(&ast.ArrayType{}); got != "?" {
		t.Errorf("what can't be a receiver is %q", got)
	}
}

func TestNamed(t *testing.T) {
	pkg, _, _ := load(t)
	expr := "func(map[T]*List[Map[string, [2]alias]], chan I) struct{ f interface{ M(x []List[int]) } }"
	tv, err := types.Eval(token.NewFileSet(), pkg, token.NoPos, expr)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	symbol.Named(tv.Type, func(n *types.Named) { found[n.Obj().Name()]++ })
	if want := map[string]int{"T": 2, "List": 2, "Map": 1, "I": 1}; !maps.Equal(found, want) {
		t.Errorf("%v, want %v", found, want)
	}
}
