package spectra

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

func of(kind ValueKind, typ string, values ...*Value) *Value {
	v := &Value{Kind: kind, Type: typ}
	for _, e := range values {
		v.Items = append(v.Items, Item{Value: e})
	}
	return v
}

func structure(typ string, fields ...any) *Value {
	v := &Value{Kind: wire.ValueStruct, Type: typ}
	for i := 0; i < len(fields); i += 2 {
		v.Items = append(v.Items, Item{Name: fields[i].(string), Value: fields[i+1].(*Value)})
	}
	return v
}

func TestText(t *testing.T) {
	number := intValue(42)
	for _, test := range []struct {
		reason string
		v      *Value
		want   string
	}{
		{
			"pointer to struct, path shortened",
			of(wire.ValuePointer, "", structure("example.com/m/pkg.T", "n", number, "s", stringValue("x\n"))),
			`&pkg.T{n: 42, s: "x\n"}`,
		},
		{"type arguments are shortened too", structure("m/p.Map[example.com/x/k.K,int]"), `p.Map[k.K,int]{}`},
		{
			"slice in interface names its type",
			of(wire.ValueInterface, "[]int", of(wire.ValueSlice, "", number)), `[]int([42])`,
		},
		{"int in interface needs no type", of(wire.ValueInterface, "int", number), `42`},
		{"other number in interface does", of(wire.ValueInterface, "int8", number), `int8(42)`},
		{"map", &Value{Kind: wire.ValueMap, Items: []Item{{Key: stringValue("k"), Value: number}}}, `map["k": 42]`},
		{"reference", &Value{Kind: wire.ValueRef, ID: 2}, `ref#2`},
		{"whole float stays a float", &Value{Kind: wire.ValueFloat, Bits: math.Float64bits(1)}, `1.0`},
		{"not a number", &Value{Kind: wire.ValueFloat, Bits: math.Float64bits(math.NaN())}, `NaN`},
		{
			"complex",
			&Value{Kind: wire.ValueComplex, Bits: math.Float64bits(1), rare: &Rare{Imag: math.Float64bits(-2)}},
			`(1-2i)`,
		},
		{"function by symbol", &Value{Kind: wire.ValueFunc, Type: "m/p.F.func1"}, `func F.func1`},
		{"opaque", of(wire.ValueOpaque, "sync.Mutex"), `sync.Mutex{…}`},
		{"channel", of(wire.ValueChan, "", number), `chan(0)[42]`},
		{"channel that was closed", &Value{Kind: wire.ValueChan, Text: "closed "}, `closed chan(0)[]`},
		{"no value", nil, `?`},
	} {
		if got := test.v.String(); got != test.want {
			t.Errorf("%s: %s, want %s", test.reason, got, test.want)
		}
	}
}

func TestShort(t *testing.T) {
	if got := stringValue(strings.Repeat("ä", 1000)).Short(8); got != `"ääääää…` {
		t.Errorf("got %s", got)
	}
	if got := Shorten("12345", 5); got != "12345" {
		t.Errorf("what fits was cut: %s", got)
	}
}

func TestLeaves(t *testing.T) {
	items := of(wire.ValueSlice, "", intValue(1), of(wire.ValuePointer, "", structure("m.I", "n", intValue(2))))
	slots := []Slot{
		{"recv", of(wire.ValuePointer, "", structure("m.T", "items", items, "none", of(wire.ValueSlice, "")))},
		{"ret0", &Value{Kind: wire.ValueMap, Items: []Item{
			{Key: stringValue("k"), Value: structure("m.X", "x", intValue(3))},
		}}},
	}
	const want = `[{recv.items[0] 1} {recv.items[1].n 2} {recv.none []} {ret0["k"].x 3}]`
	if got := fmt.Sprint(slices.Collect(Leaves(slots))); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestSymbol(t *testing.T) {
	for _, test := range []struct {
		reason                   string
		symbol                   Symbol
		declared, pkg, shortName string
	}{
		{"function", "example.com/m/pkg.F", "example.com/m/pkg.F", "example.com/m/pkg", "F"},
		{"literal in a literal of a method", "m/p.(*T).M.func2.1", "m/p.(*T).M", "m/p", "(*T).M.func2.1"},
		{"version in the path", "gopkg.in/yaml.v3.Unmarshal.func1", "gopkg.in/yaml.v3.Unmarshal", "gopkg.in/yaml.v3",
			"Unmarshal.func1"},
		{"a function with a literal's name", "m.func1", "m.func1", "m", "func1"},
		{"package-level literal", "m/p.glob..func1", "m/p.glob.", "m/p", "glob..func1"},
		{"no package", "max", "max", "", "max"},
	} {
		got := [3]string{string(test.symbol.Declared()), test.symbol.Package(), test.symbol.Short()}
		if want := [3]string{test.declared, test.pkg, test.shortName}; got != want {
			t.Errorf("%s: %q, want %q", test.reason, got, want)
		}
	}
}
