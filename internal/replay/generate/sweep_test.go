package generate

import (
	"fmt"
	"go/types"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// TestSweep: each argument of each call is swept once, those that the change mentions first, then those of tests near
// it.
func TestSweep(t *testing.T) {
	text := func(s string) *sequence.Value { return &sequence.Value{Kind: sequence.String, Text: s} }
	in := Input{Alone: true, Seed: 1, Mentioned: map[string]bool{"limit": true}}
	for _, of := range []struct {
		name string
		near bool
	}{{"m.TestA", false}, {"m.TestB", true}} {
		in.Operations = append(in.Operations, &api.Operation{
			Name: of.name, Package: "m", Reaches: true, Near: of.near, Names: []string{"", "limit", ""},
			Params:  []types.Type{types.Typ[types.String], types.Typ[types.Int], types.Typ[types.Bool]},
			Results: []types.Type{types.Typ[types.Bool]}, Choices: []bool{false, false, true},
		})
		in.Calls = append(in.Calls, carve.Call{Op: of.name, Args: []*sequence.Value{
			text("x"), {Kind: sequence.Int, Text: "1"}, {Kind: sequence.Bool, Text: "false"},
		}})
	}
	g := newGenerator(in)
	var got []string
	for range 1000 {
		if c := g.sweep(); c != nil {
			st := c.statements[0]
			for i, usual := range in.Calls[0].Args {
				if st.Args[i].Text != usual.Text {
					got = append(got, fmt.Sprintf("%s %d %q", st.Op, i, st.Args[i].Text))
				}
			}
		}
	}
	want := [][]string{
		{`m.TestA 1 "-1"`, `m.TestA 1 "0"`, `m.TestB 1 "-1"`, `m.TestB 1 "0"`},
		{`m.TestB 0 ""`, `m.TestB 2 "true"`},
		{`m.TestA 0 ""`, `m.TestA 2 "true"`},
	}
	for _, of := range want {
		n := min(len(of), len(got))
		if part := slices.Sorted(slices.Values(got[:n])); !slices.Equal(part, of) {
			t.Errorf("swept %q, want %q", part, of)
		}
		got = got[n:]
	}
	if len(got) > 0 {
		t.Errorf("also swept: %q", got)
	}
}
