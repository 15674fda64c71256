package value

import (
	"fmt"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

func constants() []Constant {
	return []Constant{
		{Package: "m/q", Value: constant.MakeString("last"), Changed: true},
		{Package: "m/p", Value: constant.MakeInt64(1000)},
		{Package: "m/p", Type: types.Typ[types.Rune], Value: constant.MakeInt64('§')},
		{Package: "m/p", Value: constant.MakeFloat64(-2.5)},
		{Package: "m/p", Value: constant.MakeString("first")},
	}
}

// TestScalarsFit makes literals of every basic type and checks that each fits.
func TestScalarsFit(t *testing.T) {
	s := NewSource(NewRandom(1), constants())
	for _, basic := range types.Typ[types.Bool : types.Complex128+1] {
		if basic.Kind() == types.Uintptr {
			continue // no operation has parameters of this type
		}
		name := basic.Name()
		for range 2000 {
			v := s.Scalar(TypeOf(basic, name), nil, 0)
			let := sequence.Statement{Kind: sequence.Let, Op: name, Args: []sequence.Value{v}}
			if err := sequence.Check(sequence.Sequence{Statements: []sequence.Statement{let}}, nil); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			fits := true
			switch v.Kind {
			case sequence.Int:
				n, err := strconv.ParseInt(v.Text, 10, 64)
				fits = err == nil && fitsInt(n, basic.Kind())
			case sequence.Uint:
				n, err := strconv.ParseUint(v.Text, 10, 64)
				fits = err == nil && n <= maxUint(basic.Kind())
			}
			if !fits {
				t.Fatalf("%s does not fit %s", v.Text, name)
			}
		}
	}
}

// TestOrderOfConstants checks that the order of the constants changes nothing and that the caller's list keeps its
// order.
func TestOrderOfConstants(t *testing.T) {
	texts := func(list []Constant) string {
		s, op := NewSource(NewRandom(3), list), NewOperation("m/p", 1)
		var texts []string
		for range 200 {
			texts = append(texts, s.Scalar(Type{}, &op, 0).Text,
				s.Scalar(TypeOf(types.Typ[types.Int], "int"), &op, 0).Text)
		}
		return strings.Join(texts, "\n")
	}
	list := constants()
	before, other := slices.Clone(list), slices.Clone(list)
	slices.Reverse(other)
	other = append(other, other[0])
	if texts(list) != texts(other) {
		t.Error("another order, and a constant that occurs twice, give other literals")
	}
	if !slices.Equal(list, before) {
		t.Errorf("the caller's constants became %v", list)
	}
}

func TestLearn(t *testing.T) {
	cases := []struct {
		text   string
		want   bool
		reason string
	}{
		{"magic word", true, "it brought something new"},
		{"", false, "nothing is to be remembered"},
		{strings.Repeat("x", maxText+1), false, "it is too long"},
	}
	for _, c := range cases {
		s, op := NewSource(NewRandom(1), nil), NewOperation("m/p", 2)
		s.Learn(&op, 1, c.text)
		s.Learn(&op, 1, c.text)
		s.Learn(nil, 0, c.text)
		want := []string{c.text}
		if !c.want {
			want = nil
		}
		if !slices.Equal(op.earned[1], want) || op.earned[0] != nil || !slices.Equal(s.earned, want) {
			t.Errorf("learnt %.20q and %.20q, want %.20q (%s)", op.earned, s.earned, want, c.reason)
		}
	}
}

// TestLearnIsBounded checks that the latest string is among the remembered ones, however many there were.
func TestLearnIsBounded(t *testing.T) {
	s, op := NewSource(NewRandom(1), nil), NewOperation("m/p", 1)
	for i := range 2 * maxEarned {
		text := fmt.Sprint("text ", i)
		s.Learn(&op, 0, text)
		if !slices.Contains(s.earned, text) || !slices.Contains(op.earned[0], text) {
			t.Fatalf("%q is not remembered", text)
		}
	}
	if len(s.earned) != maxEarned || len(op.earned[0]) != maxEarnedFor {
		t.Errorf("%d strings are remembered, %d of them for the parameter", len(s.earned), len(op.earned[0]))
	}
}

func TestDeclaredConstants(t *testing.T) {
	pkg := types.NewPackage("m/p", "p")
	level := types.NewNamed(types.NewTypeName(0, pkg, "Level", nil), types.Typ[types.Uint8], nil)
	for name, c := range map[string]*types.Const{
		"High":  types.NewConst(0, pkg, "High", level, constant.MakeInt64(77)),
		"Low":   types.NewConst(0, pkg, "Low", level, constant.MakeInt64(3)),
		"Other": types.NewConst(0, pkg, "Other", types.Typ[types.Uint8], constant.MakeInt64(9)),
	} {
		if pkg.Scope().Insert(c) != nil {
			t.Fatalf("%s is there already", name)
		}
	}
	var texts []string
	for _, v := range TypeOf(level, "m/p.Level").Constants {
		texts = append(texts, v.Text)
	}
	if want := []string{"77", "3"}; !slices.Equal(texts, want) {
		t.Errorf("constants of the type are %q, want %q", texts, want)
	}
}

func TestWeighted(t *testing.T) {
	r := NewRandom(1)
	if i := r.Weighted(0, 0); i != -1 {
		t.Errorf("without weights %d is drawn", i)
	}
	for range 1000 {
		if i := r.Weighted(0, 3, 0); i != 1 {
			t.Fatalf("%d is drawn, which has no weight", i)
		}
	}
}

// TestTaken checks that a literal of one type becomes one of another type that has its value.
func TestTaken(t *testing.T) {
	for _, c := range []struct {
		reason string
		kind   types.BasicKind
		v      sequence.Value
		want   string // "": it is not taken
	}{
		{"a text", types.String, sequence.Value{Kind: sequence.String, Text: "a"}, "a"},
		{"an empty text says nothing", types.String, sequence.Value{Kind: sequence.String}, ""},
		{"no text from a number", types.String, sequence.Value{Kind: sequence.Int, Text: "3"}, ""},
		{"another type of integers", types.Uint8, sequence.Value{Kind: sequence.Int, Text: "200"}, "200"},
		{"the sign goes", types.Int, sequence.Value{Kind: sequence.Uint, Text: "200"}, "200"},
		{"too large", types.Int8, sequence.Value{Kind: sequence.Int, Text: "200"}, ""},
		{"negative", types.Uint, sequence.Value{Kind: sequence.Int, Text: "-1"}, ""},
		{"above all signed ones", types.Uint64, sequence.Value{Kind: sequence.Uint, Text: "18446744073709551615"}, ""},
		{"zero says nothing", types.Int, sequence.Value{Kind: sequence.Int, Text: "0"}, ""},
		{"a fraction", types.Float64, sequence.Value{Kind: sequence.Float, Text: "0.5"}, "0.5"},
		{"no integer from a fraction", types.Int, sequence.Value{Kind: sequence.Float, Text: "1.0"}, ""},
		{"truth values come by themselves", types.Bool, sequence.Value{Kind: sequence.Bool, Text: "true"}, ""},
	} {
		got, ok := TypeOf(types.Typ[c.kind], types.Typ[c.kind].Name()).Taken(c.v)
		if ok != (c.want != "") || ok && got.Text != c.want {
			t.Errorf("%s: got %v, %v, want %q", c.reason, got, ok, c.want)
		}
	}
}

// TestNudgedNumbers: numbers of any size and kind change a little, by half, or to twice as much, and still fit.
func TestNudgedNumbers(t *testing.T) {
	s := NewSource(NewRandom(1), nil)
	for _, c := range []struct {
		reason string
		kind   types.BasicKind
		of     sequence.Value
		want   []string
	}{
		{"a status", types.Int, sequence.Value{Kind: sequence.Int, Text: "404"}, []string{"403", "405", "808", "202"}},
		{"unsigned", types.Uint, sequence.Value{Kind: sequence.Uint, Text: "5"}, []string{"4", "6", "10", "3"}},
		{"all there is", types.Int8, sequence.Value{Kind: sequence.Int, Text: "127"}, []string{"126", "64", "-127"}},
		{
			"a fraction", types.Float64, sequence.Value{Kind: sequence.Float, Text: "0.5"},
			[]string{"1.5", "0.25", "-0.5"},
		},
	} {
		of, seen := TypeOf(types.Typ[c.kind], types.Typ[c.kind].Name()), map[string]bool{}
		for range 1000 {
			v, ok := s.NudgedAs(c.of, of)
			if seen[v.Text] = true; ok && v.Kind != c.of.Kind {
				t.Fatalf("%s: %v", c.reason, v)
			}
			if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil && !of.Fits(n) {
				t.Fatalf("%s: %v does not fit", c.reason, v)
			}
		}
		for _, want := range c.want {
			if !seen[want] {
				t.Errorf("%s: %s does not come up", c.reason, want)
			}
		}
	}
}

// TestNudgedLists: lists lose elements, change their order, and repeat one; maps lose entries; none grows.
func TestNudgedLists(t *testing.T) {
	s := NewSource(NewRandom(1), nil)
	list := func(kind sequence.ValueKind, texts ...string) sequence.Value {
		v := sequence.Value{Kind: kind}
		for _, text := range texts {
			v.Elems = append(v.Elems, sequence.Value{Kind: sequence.Bool, Text: text})
		}
		return v
	}
	cases := []struct {
		reason string
		of     sequence.Value
		want   []string
	}{
		{
			"a list", list(sequence.List, "a", "b", "c"),
			[]string{"b c", "a c", "a b", "b a c", "c b a", "a a c", "a b b"},
		},
		{"one element", list(sequence.List, "a"), []string{""}},
		{"a map", list(sequence.Map, "k", "v", "l", "w"), []string{"l w", "k v"}},
	}
	for _, c := range cases {
		before, seen := len(c.of.Elems), map[string]bool{}
		for range 1000 {
			v, ok := s.Nudged(c.of)
			if !ok || len(v.Elems) > before {
				t.Fatalf("%s: %v, %v", c.reason, v, ok)
			}
			var texts []string
			for _, e := range v.Elems {
				texts = append(texts, e.Text)
			}
			seen[strings.Join(texts, " ")] = true
		}
		for _, want := range c.want {
			if !seen[want] {
				t.Errorf("%s: %q does not come up", c.reason, want)
			}
		}
	}
}
