package sequence_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

func of(kind spectra.ValueKind, items ...spectra.Item) *spectra.Value {
	return &spectra.Value{Kind: kind, Items: items}
}

func item(v *spectra.Value) spectra.Item { return spectra.Item{Value: v} }

func TestCall(t *testing.T) {
	number := &spectra.Value{Kind: wire.ValueInt, Bits: math.MaxUint64}
	text := &spectra.Value{Kind: wire.ValueString, Text: "a\n"}
	float := &spectra.Value{Kind: wire.ValueFloat, Bits: math.Float64bits(2)}
	fields := of(wire.ValueStruct, spectra.Item{Name: "n", Value: number},
		spectra.Item{Name: "zero", Value: of(wire.ValueNil)}, spectra.Item{Name: "s", Value: text})
	held := &spectra.Value{Kind: wire.ValueInterface, Type: "m.T", Items: []spectra.Item{item(fields)}}
	for _, c := range []struct {
		value *spectra.Value
		want  string
	}{
		{number, "-1"},
		{float, "2.0"},
		{of(wire.ValuePointer, item(fields)), `&{n: -1, s: "a\n"}`},
		{of(wire.ValueSlice, item(text), item(text)), `{"a\n", "a\n"}`},
		{of(wire.ValueMap, spectra.Item{Key: text, Value: float}), `{"a\n": 2.0}`},
		{held, `m.T({n: -1, s: "a\n"})`},
		{of(wire.ValueNil), "nil"},
		{of(wire.ValueFunc), ""},
		{of(wire.ValueSlice, item(of(wire.ValueRef))), ""},
		{of(wire.ValueTruncated), ""},
	} {
		e := &spectra.Execution{Point: &spectra.Point{
			Symbol: "m.(*T).f",
			Slots:  []spectra.SlotDecl{{Kind: spectra.Receiver, Name: "t"}, {Kind: spectra.Parameter, Name: "x"}},
		}}
		e.Entry = e.Entry.WithSlots([]spectra.Slot{
			{Name: "m.v", Value: number}, {Name: "x", Value: c.value}, {Name: "recv", Value: of(wire.ValueNil)},
		})
		q, err := sequence.OfExecution(e)
		_, got, _ := strings.Cut(q.String(), "v0 := ")
		if want := "m.(*T).f(nil, " + c.want + ")\n"; c.want != "" && (err != nil || got != want) {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
		if c.want == "" && err == nil {
			t.Errorf("%v is written as %q", c.value.Kind, got)
		}
	}
}

// TestCallWithout checks that missing names and arguments are errors.
func TestCallWithout(t *testing.T) {
	for _, e := range []*spectra.Execution{
		{Point: &spectra.Point{Symbol: "m.F.func1"}},
		{Point: &spectra.Point{Symbol: "m.F", Slots: []spectra.SlotDecl{{Kind: spectra.Parameter, Name: "x"}}}},
	} {
		if q, err := sequence.OfExecution(e); err == nil {
			t.Errorf("%s is called as %s", e.Point.Symbol, q)
		}
	}
}

// TestCalls checks that executions are found at any depth, each call once, in the order of time.
func TestCalls(t *testing.T) {
	call := func(symbol spectra.Symbol, n uint64, children ...*spectra.Execution) *spectra.Execution {
		e := &spectra.Execution{Symbol: symbol, Children: children, Point: &spectra.Point{
			Symbol: symbol, Slots: []spectra.SlotDecl{{Kind: spectra.Parameter, Name: "n"}},
		}}
		number := &spectra.Value{Kind: wire.ValueInt, Bits: n}
		e.Entry = e.Entry.WithSlots([]spectra.Slot{{Name: "n", Value: number}})
		return e
	}
	s := &spectra.Spectrum{
		Steps: []spectra.StepOutcome{{Calls: []*spectra.Execution{call("m.F", 1, call("m.g", 2), call("m.g", 2))}}},
		Stray: []*spectra.Execution{call("m.g", 3), call("m.h", 4)},
	}
	var got []string
	for _, st := range sequence.OfExecutions(s, map[spectra.Symbol]bool{"m.g": true}) {
		got = append(got, st.Op+" "+st.Args[0].Text)
	}
	if want := []string{"m.g 2", "m.g 3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
