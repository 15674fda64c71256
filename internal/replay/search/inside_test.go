package search

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

func called(apart string, panics bool, ops ...string) selection.Sequence {
	q := selection.Sequence{Difference: apart, Panics: panics}
	for _, op := range ops {
		q.Statements = append(q.Statements, sequence.Statement{Kind: sequence.Call, Op: op})
	}
	return q
}

// TestTelling checks that calls from inside that tell the versions apart are chosen, the short ones first.
func TestTelling(t *testing.T) {
	operations := []*api.Operation{{Name: "m.f"}}
	list := []selection.Sequence{
		called("x", false, "m.F", "m.f"), called("x", false, "m.F"), called("", false, "m.f"),
		called("x", true, "m.f"), called("x", false, "m.f"),
	}
	got := Telling(list, operations)
	if len(got) != 2 || len(got[0].Statements) != 1 || len(got[1].Statements) != 2 {
		t.Errorf("got %v, want the last and the first", got)
	}
}

// TestPlan checks that a function is called from inside if no sequence told the versions apart in its changed code.
// Without a real call, it must take plain values.
func TestPlan(t *testing.T) {
	seen := func(apart string, blocks ...uint32) selection.Sequence {
		old := &replay.Played{Coverage: blocks}
		return selection.Sequence{Difference: apart, Hung: true, Outcomes: spectra.Pair[*replay.Played]{Old: old}}
	}
	object := types.NewStruct(nil, nil)
	text := types.NewSlice(types.Typ[types.String])
	in := Inside{
		Operations: []*api.Operation{
			{Name: "m.told", Symbol: "1"}, {Name: "m.same", Symbol: "2"}, {Name: "m.never", Symbol: "3"},
			{Name: "m.object", Symbol: "4", Params: []types.Type{text, object}},
			{Name: "m.plain", Symbol: "5", Params: []types.Type{text, types.Typ[types.Int]}},
		},
		Kept:    []selection.Sequence{seen("x", 1, 9), seen("", 2, 9)},
		Changed: func(function spectra.Symbol) []uint32 { return []uint32{uint32(function[0] - '0')} },
	}
	operations, calls, err := in.Plan(t.Context())
	if err != nil || len(calls) > 0 {
		t.Fatalf("%d calls, %v; all sequences hang", len(calls), err)
	}
	var got []string
	for _, op := range operations {
		got = append(got, op.Name)
	}
	if want := []string{"m.same", "m.never", "m.plain"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestAttempts checks that the argument of a telling call replaces the argument of a real call in the literals of its
// sequence.
func TestAttempts(t *testing.T) {
	parse := func(text string) sequence.Sequence {
		q, err := sequence.Parse(sequence.Header + "\n" + text + "\n")
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	params := []types.Type{types.Typ[types.String], types.Typ[types.Int]}
	in := Inside{
		Exported: []*api.Operation{{Name: "m.F", Params: params}},
		Kept:     []selection.Sequence{{Sequence: parse(`v0 := m.F("key=old", 7)`)}},
	}
	calls := []real{
		{0, parse(`v0 := m.f("old", 7, true)`).Statements[0]}, {0, parse(`v0 := m.g("old")`).Statements[0]},
	}
	telling := []selection.Sequence{{Sequence: parse(`v0 := m.f("new", 901, false)`)}}
	var got []string
	for _, q := range in.attempts(calls, telling) {
		_, text, _ := strings.Cut(strings.TrimSpace(q.String()), "\n")
		got = append(got, text)
	}
	for _, want := range []string{`v0 := m.F("key=new", 7)`, `v0 := m.F("key=old", 901)`} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
	if text := in.Kept[0].String(); !strings.Contains(text, `"key=old", 7`) {
		t.Errorf("the sequence changed: %s", text)
	}
}
