package generate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

const source = `package p

type Shape interface{ Area() int }

type Square struct { Side int; Hidden int }

func (s *Square) Area() int { return s.Side * s.Side }

type Circle struct { Radius int }

func (c Circle) Area() int { return c.Radius }

func NewSquare(side int) *Square { return &Square{Side: side} }

func (s *Square) Grown(by int) *Square { return s }
`

func described(t *testing.T) *Model {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("m/p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var named []api.Type
	for _, name := range []string{"Shape", "Square", "Circle"} {
		typ := pkg.Scope().Lookup(name).Type()
		named = append(named, api.Type{Name: symbol.Type(typ), Type: typ})
	}
	square := types.NewPointer(named[1].Type)
	number := types.Typ[types.Int]
	return newModel([]*api.Operation{
		{Name: "m/p.(*Square).Grown", Params: []types.Type{square, number}, Results: []types.Type{square}},
		{Name: "m/p.NewSquare", Params: []types.Type{number}, Results: []types.Type{square}},
	}, named, nil, map[string][]string{"m/p.Square": {"Hidden"}}, nil)
}

func TestAssignable(t *testing.T) {
	m := described(t)
	for _, c := range []struct {
		from, to string
		want     bool
		reason   string
	}{
		{"m/p.Circle", "m/p.Shape", true, "it has the method"},
		{"m/p.Square", "m/p.Shape", false, "only its pointer has the method"},
		{"*m/p.Square", "m/p.Shape", true, "it has the method"},
		{"*m/p.Square", "m/p.Square", true, "it gives the struct that it points to"},
		{"m/p.Square", "*m/p.Square", false, "nothing points to it"},
		{"*m/p.Circle", "m/p.Square", false, "it points to another struct"},
	} {
		for range 2 { // the second time it is remembered
			if got := m.Assignable(m.Lookup(c.from), m.Lookup(c.to)); got != c.want {
				t.Errorf("%s to %s: %t, want %t (%s)", c.from, c.to, got, c.want, c.reason)
			}
		}
	}
}

// TestMakers checks that an operation which needs a value of the type that it makes is left out if another one needs
// none.
func TestMakers(t *testing.T) {
	m := described(t)
	for _, c := range []struct{ name, want, reason string }{
		{"*m/p.Square", "m/p.NewSquare ", "Grown needs one"},
		{"m/p.Square", "m/p.(*Square).Grown m/p.NewSquare ", "Grown needs a pointer, not the struct"},
		{"m/p.Circle", "", "nothing returns one"},
		{"int", "", "numbers are written as literals"},
	} {
		got := ""
		for _, op := range m.MakersOf(m.Lookup(c.name)) {
			got += op.Of.Name + " "
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s (%s)", c.name, got, c.want, c.reason)
		}
	}
}

// TestFillers checks that a pointer fills an interface if only it has the methods, and that no interface does.
func TestFillers(t *testing.T) {
	m := described(t)
	got := ""
	for _, f := range m.FillersOf(m.Lookup("m/p.Shape")) {
		got += f.Name + " "
	}
	if want := "*m/p.Square m/p.Circle "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestOnce checks that a type has one description whichever way it is asked for, without its unset fields.
func TestOnce(t *testing.T) {
	m := described(t)
	square := m.Lookup("m/p.Square")
	if m.Lookup("*m/p.Square") != m.PointerTo(square) || m.PointerTo(square).Elem != square {
		t.Error("the pointer's description is not the same each time")
	}
	if first := square.Variable(); square.Variable() != first {
		t.Error("the variable's operation is not the same each time")
	}
	if m.Lookup("m/p.Unheard") != nil {
		t.Error("a type that nobody named is known")
	}
	if len(square.Fields) != 1 || square.Fields[0].Name != "Side" {
		t.Errorf("fields %v, want Side alone", square.Fields)
	}
}
