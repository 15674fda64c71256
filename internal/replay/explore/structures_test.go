package explore

import (
	"go/types"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// TestStructures checks that all literals of a size are enumerated, each once. For binary trees of n nodes these are as
// many as Catalan's numbers.
func TestStructures(t *testing.T) {
	p := types.NewPackage("m", "m")
	node := types.NewNamed(types.NewTypeName(0, p, "Node", nil), nil, nil)
	field := func(name string, t types.Type) *types.Var { return types.NewField(0, p, name, t, false) }
	pointer := types.NewPointer(node)
	node.SetUnderlying(types.NewStruct([]*types.Var{field("Left", pointer), field("Right", pointer)}, nil))
	s := &structures{choices: &choices{values: 3, known: map[string][]made{}}, known: map[string][]sequence.Value{}}
	for size, want := range []int{1, 1, 2, 5, 14, 42, 132, 429, 1430} {
		if got := different(s.of(pointer, size)); got != want {
			t.Errorf("%d trees of %d nodes, want %d", got, size, want)
		}
	}
	if n := len(s.of(pointer, 9)); n != mostStructures {
		t.Errorf("%d trees of 9 nodes, want the first %d of 4862", n, mostStructures)
	}

	flat := types.NewStruct([]*types.Var{
		field("A", types.Typ[types.Int]), field("B", types.Typ[types.Bool]),
		field("C", types.NewSlice(types.Typ[types.Bool])), field("hidden", types.Typ[types.Int]),
		field("D", types.NewMap(types.Typ[types.Int], types.Typ[types.Int])),
	}, nil)
	for size, want := range []int{
		1,
		2 + 1 + 1,             // one of: A, B, a list of false
		2 + 2 + 1 + 2*1 + 1*0, // A and B, A and a list, B and a list, a list of true or of two
	} {
		if got := different(s.of(flat, size)); got != want {
			t.Errorf("%d structs of size %d, want %d", got, size, want)
		}
	}
	if got := s.of(flat, 0)[0]; got.Type != "" || len(got.Fields) > 0 {
		t.Errorf("the smallest struct is %+v, want one without a name and fields", got)
	}
	s.unset = map[string][]string{symbol.Type(node): {"Left"}}
	s.known = map[string][]sequence.Value{}
	if got := different(s.of(pointer, 5)); got != 1 {
		t.Errorf("%d lists of 5 nodes, want 1", got)
	}
}

// different returns the number of different values.
func different(list []sequence.Value) int {
	texts := map[string]bool{}
	for _, v := range list {
		texts[text1(sequence.Statement{Kind: sequence.Let, Op: "x", Args: []sequence.Value{v}})] = true
	}
	return len(texts)
}
