package explore

import (
	"go/types"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// TestChoices checks the values for each type, in the text form of sequences.
func TestChoices(t *testing.T) {
	p := types.NewPackage("m", "m")
	named := types.NewNamed(types.NewTypeName(0, p, "T", nil), types.NewStruct(nil, nil), nil)
	c := &choices{values: 4, known: map[string][]made{}, operations: []*api.Operation{
		{Name: "m.New", Params: []types.Type{types.Typ[types.Int]}, Results: []types.Type{types.NewPointer(named)}},
		{Name: "m.(*T).F", Receiver: true, Params: []types.Type{types.NewPointer(named)}},
	}}
	for _, test := range []struct {
		typ  types.Type
		want string
	}{
		{types.Typ[types.Bool], "false | true"},
		{types.Typ[types.Int8], "0 | 1 | -1 | 2"},
		{types.Typ[types.Uint], "0u | 1u | 2u | 3u"},
		{types.Typ[types.String], `"" | "a" | "0" | " "`},
		{types.NewSlice(types.Typ[types.Byte]), `"" | "a" | "0"`},
		{types.NewPointer(named), "m.New(0) v0 | &zero"},
		{types.NewPointer(types.Typ[types.Int]), "&0 | &1 | &-1"},
		{types.NewSlice(types.Typ[types.Bool]), "nil | {false} | {true}"},
		{types.Universe.Lookup("error").Type(), "nil"},
		{types.Typ[types.UnsafePointer], ""},
	} {
		var got []string
		for _, m := range c.of(test.typ, 0) {
			text := ""
			for _, st := range m.before {
				text += text1(st) + " "
			}
			held := sequence.Statement{Kind: sequence.Let, Op: "x", Args: []sequence.Value{m.value}}
			got = append(got, text+text1(held))
		}
		if text := strings.Join(got, " | "); text != test.want {
			t.Errorf("%s: %s, want %s", test.typ, text, test.want)
		}
	}
}

// text1 returns the operation or the value of a statement.
func text1(st sequence.Statement) string {
	text := sequence.Sequence{Statements: []sequence.Statement{st}}.String()
	_, text, _ = strings.Cut(text, "\n")
	_, text, _ = strings.Cut(strings.TrimSpace(text), "= ")
	return text
}

// TestArguments checks that every combination is tried, and that a parameter may get the extended value.
func TestArguments(t *testing.T) {
	c := &choices{values: 3, known: map[string][]made{}}
	from := state{value: sequence.Value{Kind: sequence.Ref, Statement: 7}, typ: types.Typ[types.Int]}
	list := c.arguments([]types.Type{types.Typ[types.Bool], types.Typ[types.Int]}, from)
	if len(list) != 2*4 || list[0][1].value.Statement != 7 || list[1][1].value.Text != "0" {
		t.Errorf("%d combinations: %+v", len(list), list)
	}
	if list := c.arguments([]types.Type{types.Typ[types.Bool], types.Typ[types.UnsafePointer]}, from); len(list) != 0 {
		t.Errorf("%d combinations with a parameter that has no value", len(list))
	}
	if list := c.arguments(nil, from); len(list) != 1 {
		t.Errorf("%d combinations of nothing, want the empty one", len(list))
	}
}
