package sequence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// stackOperations returns the signatures of the operations in the texts of these tests.
func stackOperations(op string) (params, results int, ok bool) {
	switch op {
	case "m/p.New":
		return 0, 1, true
	case "m/p.(*T).Push":
		return 2, 0, true
	case "m/p.(*T).Pop":
		return 1, 2, true
	case "m/p.Limit =":
		return 1, 0, true
	case "m/p.F":
		return 1, 1, true
	}
	return 0, 0, false
}

func parsed(t *testing.T, lines ...string) Sequence {
	t.Helper()
	s, err := Parse(Header + "\n" + strings.Join(lines, "\n") + "\n")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestNegative: negative integers that are arguments count; what is data does not.
func TestNegative(t *testing.T) {
	for _, c := range []struct {
		line   string
		want   bool
		reason string
	}{
		{"v0 := m/p.F(0, -1)", true, "an argument"},
		{"v0 := m/p.F(3)", false, "a number that is not negative"},
		{"v0 := m/p.F(-1.5)", false, "a floating-point number has no size"},
		{"v0 := m/p.F([]int{-1}, {X: -1})", false, "what lists and structs hold is data"},
		{`v0 := m/p.F("-1")`, false, "a text"},
	} {
		if got := parsed(t, c.line).Negative(); got != c.want {
			t.Errorf("%s: %s: got %t", c.reason, c.line, got)
		}
	}
}

func TestCheck(t *testing.T) {
	cases := []struct{ lines, message, reason string }{
		{"m/p.Limit = 5", "", "what sets a variable is an operation with one argument"},
		{"m/p.Gone = 5", "no operation m/p.Gone =", "the other version may not have the variable"},
		{"v0 := m/p.New()\nv1 := m/p.(*T).Push(v0, 5)\nv2 := m/p.(*T).Pop(v0)\nv3 := m/p.F({v2.1})", "", "valid"},
		{"v0 := m/p.New()\nv1 := v0(1)\nv2 := m/p.F(v1.7)", "", "what a function value returns is not known"},
		{"v0 := &m/p.T{}\nv0.F = 4\nv2 := m/p.F(v0)", "", "a variable is a result"},
		{"v0 := m/p.F(v0)", "has not run yet", "no reference to itself"},
		{"v0 := m/p.F({{A: v1}})\nv1 := m/p.New()", "has not run yet", "nested references count"},
		{"v0 := m/p.New()\nv1 := m/p.F(v0.1)", "which has 1", "a result that isn't there"},
		{"v0 := m/p.New()\nv0.F = 1\nv2 := m/p.F(v1)", "which has 0", "setting a field gives no result"},
		{"v0 := m/p.New(1)", "has 1 arguments, want 0", "arity"},
		{"v0 := m/p.Gone()", "no operation m/p.Gone", "the other version may lack it"},
		{"v0 := m/p.F(99999999999999999999)", "malformed value 9999", "an Int has 64 bits"},
	}
	for _, c := range cases {
		err := Check(parsed(t, strings.Split(c.lines, "\n")...), stackOperations)
		if (err == nil) != (c.message == "") || err != nil && !strings.Contains(err.Error(), c.message) {
			t.Errorf("%q (%s): error %v, want %q", c.lines, c.reason, err, c.message)
		}
	}
}

func TestCheckForms(t *testing.T) {
	cases := []struct {
		value  Value
		reason string
	}{
		{Value{Kind: Map, Elems: make([]Value, 1)}, "half a pair"},
		{Value{Kind: Address}, "the address of nothing"},
		{Value{Kind: Nil, Elems: []Value{{Kind: Nil}}}, "nil holds nothing"},
		{Value{Kind: Float, Text: "3"}, "an Int's text"},
		{Value{Kind: Bool, Text: "yes"}, "not Go"},
		{Value{Kind: Chan, Text: "-1"}, "no such capacity"},
		{Value{Kind: 99}, "no such kind"},
	}
	for _, c := range cases {
		s := Sequence{Statements: []Statement{{Op: "m/p.F", Args: []Value{c.value}}}}
		if Check(s, stackOperations) == nil {
			t.Errorf("accepted %v (%s)", c.value, c.reason)
		}
	}
}

func TestMinimise(t *testing.T) {
	noise := []string{
		"v0 := m/p.New()", "v1 := m/p.New()", "v2 := m/p.(*T).Push(v1, 3)", "v3 := m/p.(*T).Push(v0, 7)",
		"v4 := m/p.(*T).Pop(v1)", "v5 := m/p.F({Name: \"some text\", Count: 400, Sub: {A: v4.1, B: {1, 2, 3}}})",
		"v6 := m/p.(*T).Pop(v0)",
	}
	cases := []struct {
		reason string
		keep   func(text string) bool
		want   []string
	}{
		{"all that the call doesn't need goes", func(text string) bool { return strings.Contains(text, "Pop") },
			[]string{"v0 := m/p.(*T).Pop(zero)"}},
		{"receivers can be exchanged, values shrink",
			func(text string) bool {
				return strings.Contains(text, "New") && strings.Contains(text, "Push(v0") &&
					strings.Contains(text, "Pop(v0")
			},
			[]string{"v0 := m/p.New()", "v1 := m/p.(*T).Push(v0, 0)", "v2 := m/p.(*T).Pop(v0)"}},
		{"a number goes down to the smallest that does",
			func(text string) bool { var n int; return scanAfter(text, "Count: ", &n) && n >= 37 },
			[]string{"v0 := m/p.F({Count: 37})"}},
		{"a string loses all runes but one", func(text string) bool { return strings.Contains(text, "x") },
			[]string{`v0 := m/p.F({Name: "x"})`}},
	}
	for _, c := range cases {
		got := Minimise(parsed(t, noise...), []int{5, 6}, each(func(s Sequence) bool {
			if err := Check(s, stackOperations); err != nil {
				t.Fatalf("%s: keep saw an invalid sequence: %v\n%s", c.reason, err, s)
			}
			return c.keep(strings.Join(linesOf(s), "\n"))
		}))
		if lines := strings.Join(linesOf(got), "\n"); lines != strings.Join(c.want, "\n") {
			t.Errorf("%s: got\n%s", c.reason, lines)
		}
	}
}

// each makes a keep function for single sequences one for batches.
func each(keep func(Sequence) bool) func([]Sequence) []bool {
	return func(batch []Sequence) (kept []bool) {
		for _, s := range batch {
			kept = append(kept, keep(s))
		}
		return kept
	}
}

func TestSlice(t *testing.T) {
	s := parsed(t, "v0 := m/p.New()", "v1 := m/p.New()", "v2 := m/p.(*T).Push(v1, 3)", "v3 := m/p.F(v0)",
		"v4 := m/p.(*T).Pop(v1)", "v5 := m/p.F(v4.1)")
	narrow := []string{"v0 := m/p.New()", "v1 := m/p.(*T).Pop(v0)"}
	wide := []string{"v0 := m/p.New()", "v1 := m/p.(*T).Push(v0, 3)", "v2 := m/p.(*T).Pop(v0)"}
	if got := linesOf(s.Slice(4, false)); !slices.Equal(got, narrow) {
		t.Errorf("what v4 needs: %q", got)
	}
	if got := linesOf(s.Slice(4, true)); !slices.Equal(got, wide) {
		t.Errorf("what v4 needs, and what may have changed it: %q", got)
	}
}

// TestMinimiseTogether checks that few batches suffice where many statements can be dropped.
func TestMinimiseTogether(t *testing.T) {
	lines := []string{"v0 := m/p.New()"}
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("v%d := m/p.(*T).Push(v0, %d)", i+1, i))
	}
	lines = append(lines, "v41 := m/p.(*T).Pop(v0)")
	batches := 0
	got := Minimise(parsed(t, lines...), nil, func(list []Sequence) []bool {
		batches++
		return each(func(s Sequence) bool {
			text := s.String()
			return strings.Contains(text, "Pop(v0") && strings.Contains(text, "Push(v0, 17)")
		})(list)
	})
	if want := 3; len(got.Statements) != want || batches > 20 {
		t.Errorf("%d statements after %d batches\n%s", len(got.Statements), batches, got)
	}
}

// TestMinimiseNumbers checks that few batches suffice for numbers of any size, and that small ones are exact.
func TestMinimiseNumbers(t *testing.T) {
	for _, from := range []int64{math.MaxInt64, 4611686018427387903, math.MinInt64, 1 << 40, 4000, 37, 5, 3} {
		for _, least := range []int64{1, 2, 5, 37, 3999, 1 << 20, 1 << 62} {
			if from < least && from > -least {
				continue
			}
			batches, number := 0, int64(0)
			got := Minimise(parsed(t, fmt.Sprintf("v0 := m/p.F(%d)", from)), nil, func(list []Sequence) []bool {
				batches++
				return each(func(s Sequence) bool {
					_, err := fmt.Sscanf(linesOf(s)[0], "v0 := m/p.F(%d)", &number)
					return err == nil && (number >= least || number <= -least)
				})(list)
			})
			_, err := fmt.Sscanf(linesOf(got)[0], "v0 := m/p.F(%d)", &number)
			exact := least < exactUpTo && from > 0
			if err != nil || exact && number != least || number/8*7 > least || batches > 24 {
				t.Errorf("from %d down to %d: %d after %d batches", from, least, number, batches)
			}
		}
	}
}

func scanAfter(text, prefix string, n *int) bool {
	_, rest, found := strings.Cut(text, prefix)
	if !found {
		return false
	}
	_, err := fmt.Sscan(strings.FieldsFunc(rest, func(r rune) bool { return r < '0' || r > '9' })[0], n)
	return err == nil
}

// TestMinimiseBounded uses keep functions that are worst cases for minimising.
func TestMinimiseBounded(t *testing.T) {
	for seed := range uint64(200) {
		s := randomSequence(rand.New(rand.NewPCG(seed, 2)))
		calls, asked := 0, map[Key]bool{s.Key(): true}
		keep := func(candidate Sequence) bool {
			if asked[candidate.Key()] {
				t.Fatalf("asked twice about\n%s", candidate)
			}
			asked[candidate.Key()] = true
			calls++
			return candidate.Key()[0]%2 == byte(seed%2)
		}
		first := Minimise(s, nil, each(keep))
		if calls > MaxTrials {
			t.Fatalf("%d calls of keep", calls)
		}
		clear(asked)
		asked[s.Key()] = true
		if second := Minimise(s, nil, each(keep)); second.Key() != first.Key() {
			t.Fatalf("two results for one sequence:\n%s\n%s", first, second)
		}
	}
}

func TestMinimiseKeepsWhatIsNeeded(t *testing.T) {
	s := parsed(t, "v0 := m/p.New()", "v1 := m/p.(*T).Push(v0, 7)")
	if got := Minimise(s, []int{1}, each(func(Sequence) bool { return false })); got.Key() != s.Key() {
		t.Errorf("got\n%s", got)
	}
}
