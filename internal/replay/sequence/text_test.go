package sequence

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// example contains every construct of the text form.
const example = `spectradiff sequence 1
v0 := example.com/m/pkg.New("abc", 3)
v1 := example.com/m/pkg.(*T).Push(v0, 5)
v2 := &example.com/m/pkg.Config{Name: "x", N: 3}
v3 := v1.1(7)
v2.Field = 4
v5 := m/p.(*List[int]).Push(v0.1, nil)
v6 := m/p.Map[int,string]({1, -2}, func returns(1, nil))
v7 := m/p.F(int64(3), 3u, 1.5, NaN, (1+2i), zero(m/p.T), nil(error), true)
v8 := m/p.G(map[string]int{"a": 1}, []string{}, {:}, {}, {,}, chan(2), *m/p.T(&m/p.T{}))
var v9 []m/p.Option = {v8, v8.1}
v10 := (func returns("\n\xff"))()
v11 := "odd \"name("("func(int) string"(func returns()), "struct{A int}"{A: {}})
v0.1."odd field" = m/p.List{{1, {2}}}
v13 := v4/x.F(m/p.T{."v1": 1, ."": 2}, [4]int{})
m/p.Limit = 5
v15 := "v4/x.Limit ="(5)
v16 := f(func returns(true) then () then (nil, 1))
`

// linesOf returns the text of the statements.
func linesOf(s Sequence) []string {
	_, text, _ := strings.Cut(s.String(), "\n")
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func TestParseExample(t *testing.T) {
	s, err := Parse(example)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range strings.Split(strings.TrimSuffix(example, "\n"), "\n")[1:] {
		if got := linesOf(s)[i]; got != want {
			t.Errorf("line %d\n got %s\nwant %s", i, got, want)
		}
	}
}

func TestParseKinds(t *testing.T) {
	ref := func(st, res int) Value { return Value{Kind: Ref, Statement: st, Result: res} }
	cases := []struct {
		line, reason string
		want         Statement
	}{
		{`v0 := m/p.(*T).Push(v0.1, 5)`, "a receiver's parenthesis is part of the name",
			Statement{Kind: Call, Op: "m/p.(*T).Push", Args: []Value{ref(0, 1), {Kind: Int, Text: "5"}}}},
		{`v0 := m/p.Map[int,func(a int) string]("x")`, "type arguments may hold spaces and parentheses",
			Statement{Kind: Call, Op: "m/p.Map[int,func(a int) string]", Args: []Value{{Kind: String, Text: "x"}}}},
		{`v0 := v1.1(7)`, "a reference in front is a function value",
			Statement{Kind: CallValue, Args: []Value{ref(1, 1), {Kind: Int, Text: "7"}}}},
		{`v0 := v1/p.F(7)`, "a name may begin like a reference",
			Statement{Kind: Call, Op: "v1/p.F", Args: []Value{{Kind: Int, Text: "7"}}}},
		{`v1.2.F = nil`, "the number belongs to the reference",
			Statement{Kind: Set, Op: "F", Args: []Value{ref(1, 2), {Kind: Nil}}}},
		{`m/p.Limit = -1`, "a package variable is set by an operation of its own",
			Statement{Kind: Call, Op: "m/p.Limit =", Args: []Value{{Kind: Int, Text: "-1"}}}},
		{`v0 := &m/p.T{}`, "a composite's type is the variable's",
			Statement{Kind: Let, Op: "*m/p.T",
				Args: []Value{{Kind: Address, Elems: []Value{{Kind: Struct, Type: "m/p.T"}}}}}},
		{`v0 := "v0"(2u)`, "a quoted string before a parenthesis is a name",
			Statement{Kind: Call, Op: "v0", Args: []Value{{Kind: Uint, Text: "2"}}}},
		{`var v0 any = int64(3)`, "a typed value in a slot of interface type",
			Statement{Kind: Let, Op: "any",
				Args: []Value{{Kind: Typed, Type: "int64", Elems: []Value{{Kind: Int, Text: "3"}}}}}},
		{`v0 := f({"a": 1}, {a: 1}, {1}, {})`, "the first item tells map, struct and list apart",
			Statement{Kind: Call, Op: "f", Args: []Value{
				{Kind: Map, Elems: []Value{{Kind: String, Text: "a"}, {Kind: Int, Text: "1"}}},
				{Kind: Struct, Fields: []Field{{"a", Value{Kind: Int, Text: "1"}}}},
				{Kind: List, Elems: []Value{{Kind: Int, Text: "1"}}},
				{Kind: Struct},
			}}},
	}
	for _, c := range cases {
		s, err := Parse(Header + "\n" + c.line)
		if err != nil {
			t.Errorf("%s (%s): %v", c.line, c.reason, err)
			continue
		}
		if got := s.Statements[0]; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s (%s):\n got %#v\nwant %#v", c.line, c.reason, got, c.want)
		}
		if got := linesOf(s)[0]; got != c.line {
			t.Errorf("printed again as %s, want %s (%s)", got, c.line, c.reason)
		}
	}
}

func TestParseErrors(t *testing.T) {
	cases := []struct{ text, message, reason string }{
		{Header + "\nv0 := \"m/p.Limit =\"(5)", "want an assignment", "every sequence has one text"},
		{"", "first line", "no header"},
		{"spectradiff sequence 2\n", "another version", "a later format is not guessed at"},
		{Header + "\nv1 := f()", "want v0 := ", "names are positions"},
		{Header + "\nv0 := f(", "column 9", "the column is where reading ended"},
		{Header + "\nv0 := f(1) ", "end of the line", "nothing may follow"},
		{Header + "\nv0 := f(1,2)", `want ", "`, "one way to write it"},
		{Header + "\nv0 := 3", "composite value with a type", "a number has no type of its own"},
		{Header + "\nv0 := f(`x`)", "want a value", "one way to quote"},
		{Header + "\nv0 := f(\"\\x41\")", "as Go quotes it", "one way to quote"},
		{Header + "\nv0 := f(03)", "want a value", "octal is not what it seems"},
		{Header + "\nv0 := f(" + strings.Repeat("&", 1000) + "nil)", "nested", "depth is bounded"},
		{Header + "\nv0 := A", "want a value", "the line ends too early"},
		{Header + "\nv0 := f(\"\"(1))", "want a value", "nothing has an empty name"},
		{Header + "\n\nv0 := f()", "line 2", "no empty lines"},
	}
	for _, c := range cases {
		if s, err := Parse(c.text); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%.40q (%s): got %v, %v, want error with %q", c.text, c.reason, s, err, c.message)
		}
	}
}

// TestRoundTrip prints and parses random sequences with nasty names and strings.
func TestRoundTrip(t *testing.T) {
	for seed := range uint64(20000) {
		roundTrip(t, randomSequence(rand.New(rand.NewPCG(seed, 1))))
	}
}

func roundTrip(t *testing.T, s Sequence) {
	t.Helper()
	text := s.String()
	got, err := Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !reflect.DeepEqual(got, s) {
		t.Fatalf("parsed to something else:\n%s\n%#v\n%#v", text, s, got)
	}
	if got.Key() != s.Key() {
		t.Fatalf("another key:\n%s", text)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(example)
	f.Add(Header + "\nv0 := f({x: 1, y: {\"a\": .5}})")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err == nil {
			roundTrip(t, s)
		}
	})
}

func FuzzNames(f *testing.F) {
	f.Add("m/p.(*T).F", "x\xff", "F")
	f.Add("v0.1", "\"", "v1")
	f.Add("map[", "", "")
	f.Fuzz(func(t *testing.T, name, text, field string) {
		if name == "" {
			return // nothing has an empty name
		}
		roundTrip(t, Sequence{Statements: []Statement{
			{Kind: Call, Op: name, Args: []Value{{Kind: Nil, Type: name}, {Kind: String, Text: text}}},
			{Kind: Set, Op: field, Args: []Value{{Kind: Ref, Result: 1}, {Kind: Struct, Type: name,
				Fields: []Field{{field, Value{Kind: Typed, Type: name, Elems: []Value{{Kind: List, Type: name}}}}}}}},
			{Kind: Let, Op: name, Args: []Value{{Kind: Map, Type: name}}},
		}})
	})
}

var nastyNames = []string{"m/p.F", "m/p.(*T).M", "m/p.(*L[int]).M", "m/p.Map[int,struct{A int}]", "v0", "v1.2", "a.",
	"nil",
	"func()", "[]int", "[3]m/p.T", "map[string][]m/p.T", "*m/p.T", "x y", "a\nb", "\xff", "(", "[", "]", "chan",
	"m/p.V =", "v1.V =", "a b =", " =", "é/ü.Ä", "3", "-", "{", "\"", "zero", "map", "[]", "*"}

func randomSequence(r *rand.Rand) Sequence {
	var s Sequence
	pick := func() string { return nastyNames[r.IntN(len(nastyNames))] }
	for i := range 1 + r.IntN(5) {
		st := Statement{Kind: Kind(r.IntN(4)), Op: pick()}
		n := r.IntN(3)
		switch st.Kind {
		case CallValue:
			st.Op, n = "", 1+n
		case Set:
			n = 2
		case Let:
			n = 1
		}
		for range n {
			st.Args = append(st.Args, randomValue(r, i, 3, pick))
		}
		s.Statements = append(s.Statements, st)
	}
	return s
}

func randomValue(r *rand.Rand, before, depth int, pick func() string) Value {
	v := Value{Kind: ValueKind(r.IntN(int(Calls) + 1))}
	if v.Kind == Ref && before == 0 || depth == 0 && v.Kind >= Typed {
		v.Kind = String
	}
	elems := 0
	switch v.Kind {
	case Ref:
		v.Statement, v.Result = r.IntN(before), r.IntN(3)
	case Bool:
		v.Text = strconv.FormatBool(r.IntN(2) == 0)
	case Int:
		v.Text = strconv.FormatInt(int64(r.Uint64()), 10)
	case Uint:
		v.Text = strconv.FormatUint(r.Uint64(), 10)
	case Float:
		floats := []float64{0, 1, -2.5, 1e300, 5e-324, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}
		v.Text = FloatText(floats[r.IntN(len(floats))], 64)
	case Complex:
		v.Text = ComplexText(complex(r.NormFloat64(), math.Inf(r.IntN(2)-1)))
	case String:
		v.Text = pick()
	case Chan:
		v.Text = strconv.Itoa(r.IntN(9))
	case Typed, Address:
		elems = 1
	case List, Stub, Closed, Yields, Calls:
		elems = r.IntN(3)
	case Varying:
		for range 2 + r.IntN(2) {
			stub := Value{Kind: Stub}
			for range r.IntN(3) {
				stub.Elems = append(stub.Elems, randomValue(r, before, depth-1, pick))
			}
			v.Elems = append(v.Elems, stub)
		}
	case Map:
		elems = 2 * r.IntN(3)
	case Struct:
		for range r.IntN(3) {
			v.Fields = append(v.Fields, Field{pick(), randomValue(r, before, depth-1, pick)})
		}
	}
	mayShow := slices.Contains([]ValueKind{Nil, Zero, Struct, List, Map}, v.Kind)
	if v.Kind == Typed || r.IntN(2) == 0 && mayShow {
		v.Type = pick()
	}
	for range elems {
		v.Elems = append(v.Elems, randomValue(r, before, depth-1, pick))
	}
	return v
}
