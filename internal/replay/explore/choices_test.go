package explore

import (
	"go/types"
	"slices"
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
	list := slices.Collect(c.arguments([]types.Type{types.Typ[types.Bool], types.Typ[types.Int]}, from))
	if len(list) != 2*4 || list[0][1].value.Statement != 7 || list[1][1].value.Text != "0" {
		t.Errorf("%d combinations: %+v", len(list), list)
	}
	for range c.arguments([]types.Type{types.Typ[types.Bool], types.Typ[types.UnsafePointer]}, from) {
		t.Error("a combination with a parameter that has no value")
	}
	if list := slices.Collect(c.arguments(nil, from)); len(list) != 1 {
		t.Errorf("%d combinations of nothing, want the empty one", len(list))
	}
}

// TestMost: calls with many parameters have more combinations of arguments than anybody has memory for.
func TestMost(t *testing.T) {
	named := types.NewNamed(types.NewTypeName(0, types.NewPackage("m", "m"), "T", nil), types.NewStruct(nil, nil), nil)
	pointer := types.NewPointer(named)
	many := slices.Repeat([]types.Type{types.Typ[types.Int]}, 20)
	maker := &api.Operation{Name: "m.New", Params: many, Results: []types.Type{pointer}}
	method := &api.Operation{Name: "m.(*T).F", Receiver: true, Params: append([]types.Type{pointer}, many...)}
	s := subject{name: "m.T", operations: []*api.Operation{method}}
	states := slices.Repeat([]state{{value: sequence.Value{Kind: sequence.Nil}, typ: pointer}}, statesOfBatch)
	for _, test := range []struct{ most, played, want int }{{100, 0, 100}, {100, 93, 7}, {100, 150, 0}} {
		x := newExplorer(Input{Operations: []*api.Operation{maker, method}, Depth: 5, Most: test.most})
		x.out.Stats.Sequences = test.played
		calls, all := x.extensions(s, states)
		made, allMade := x.makers(s)
		if len(calls) != test.want || len(made) != test.want || all || allMade {
			t.Errorf("after %d of %d sequences %d calls (all: %v) and %d makers (all: %v), want %d", test.played,
				test.most, len(calls), all, len(made), allMade, test.want)
		}
	}
	few := &api.Operation{Name: "m.New", Params: many[:1], Results: []types.Type{pointer}}
	x := newExplorer(Input{Operations: []*api.Operation{few}, Depth: 5, Most: 5})
	if made, all := x.makers(s); len(made) != 5 || !all {
		t.Errorf("%d makers, all: %v", len(made), all)
	}
}
