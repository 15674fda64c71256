package value

import (
	"slices"
	"testing"
)

func TestAnswers(t *testing.T) {
	text := func(l, r string) Comparison { return Comparison{Left: l, Right: r} }
	number := func(l, r string) Comparison { return Comparison{Number: true, Left: l, Right: r} }
	for _, c := range []struct {
		reason, text string
		comparison   Comparison
		want         []string // among the answers
		none         bool
	}{
		{"the text itself is compared", "a*", text("a*", "/**/"), []string{"/**/", "/**", "/**//"}, false},
		{"from the other side", "a*", text("/**/", "a*"), []string{"/**/"}, false},
		{"a part of it", "x=1;y=2", text("y", "key"), []string{"x=1;key=2", "x=1;ke=2"}, false},
		{"a part that occurs twice", "a,b,a", text("a", "c"), []string{"c,b,a", "a,b,c"}, false},
		{"in another case", "X-KEY: 1", text("x-key", "host"), []string{"host: 1"}, false},
		{"in a case that is longer", "k", text("\u212a", "host"), []string{"host"}, false},
		{"an empty text is compared", "abc", text("", "want"), []string{"want"}, false},
		{"nothing of it", "abc", text("x", "y"), nil, true},
		{"a number is its length", "abcdef", number("6", "2"), []string{"a", "ab", "abc", "ef", "f"}, false},
		{"it must be longer", "ab", number("2", "5"), []string{"abab", "ababa", "ababab"}, false},
		{"an empty one must be longer", "", number("0", "2"), []string{"x", "xx"}, false},
		{"it can't be that long", "ab", number("2", "9223372036854775807"), nil, true},
		{"it can't be that short", "ab", number("2", "-9223372036854775808"), nil, true},
		{"characters are compared", "[1]", number("91", "123"), []string{"{1]", "z1]", "|1]"}, false},
		{"a number is written in it", "n=10", number("10", "255"), []string{"n=255", "n=254", "n=256"}, false},
		{"a large number is written in it", `{"exp":1516239022}`, number("1.516239022e+09", "0"),
			[]string{`{"exp":0}`, `{"exp":1}`}, false},
		{"a fraction is written in it", "x=0.5", number("0.5", "0.25"), []string{"x=0.25"}, false},
		{"a parameter is a part of it", `f({"a":1})`, Comparison{Alone: true, Left: `{"a":1}`},
			[]string{"f({)", "f(})", "f({})", "f()", `f({"a":1)`, "f(\x00)"}, false},
		{"a parameter is its length", "abc", Comparison{Alone: true, Number: true, Left: "3"},
			[]string{"", "a"}, false},
		{"a place that compares several texts", "--int=5", Comparison{Together: []string{"-i", "--int", "--uint"}},
			[]string{"--uint=5", "-i=5"}, false},
		{"a place that compares other texts", "--int=5", Comparison{Together: []string{"a", "b", ""}}, nil, true},
	} {
		got := c.comparison.Answers(c.text)
		for _, want := range c.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s: got %q, want %q among them", c.reason, got, want)
			}
		}
		if slices.Contains(got, c.text) || c.none && len(got) > 0 || len(got) > maxAnswers {
			t.Errorf("%s: got %q", c.reason, got)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		reason, number string
		comparison     Comparison
		want           []string
	}{
		{"one side", "5", Comparison{Number: true, Left: "5", Right: "64"}, []string{"64", "63", "65"}},
		{"the other side", "64", Comparison{Number: true, Left: "5", Right: "64"}, []string{"5", "4", "6"}},
		{"a neighbour of itself", "5", Comparison{Number: true, Left: "5", Right: "6"}, []string{"6", "7"}},
		{"none of both", "7", Comparison{Number: true, Left: "5", Right: "6"}, nil},
		{"a fraction", "5", Comparison{Number: true, Left: "5", Right: "0.5"}, []string{"0.5"}},
		{"texts", "5", Comparison{Left: "5", Right: "6"}, nil},
		{"a parameter", "5", Comparison{Number: true, Alone: true, Left: "5"}, []string{"0", "1", "-1", "2", "4", "6"}},
	} {
		if got := c.comparison.Numbers(c.number); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}

// FuzzAnswers checks that answers are bounded and never the text itself.
func FuzzAnswers(f *testing.F) {
	f.Add("a,b", "a", "x", false, false)
	f.Add("abc", "3", "1", true, false)
	f.Add("é", "233", "97", true, false)
	f.Add("é", "1", "9223372036854775807", true, false)
	f.Add("é", "1", "-9223372036854775808", true, false)
	f.Add("abc", "b", "", false, true)
	f.Fuzz(func(t *testing.T, text, left, right string, number, alone bool) {
		c := Comparison{Number: number, Alone: alone, Left: left, Right: right}
		list := c.Answers(text)
		if len(list) > maxAnswers || slices.Contains(list, text) {
			t.Errorf("%d answers to %q: %q", len(list), text, list)
		}
		for _, answer := range list {
			if len(answer) > maxText {
				t.Errorf("an answer of %d bytes", len(answer))
			}
		}
	})
}

func TestFloats(t *testing.T) {
	for _, c := range []struct {
		reason, number string
		comparison     Comparison
		want           []string
	}{
		{"one side", "2.5", Comparison{Number: true, Left: "2.5", Right: "0"}, []string{"0.0", "-1.0", "1.0"}},
		{"the other side, in another form", "5.0", Comparison{Number: true, Left: "7", Right: "5"},
			[]string{"7.0", "6.0", "8.0"}},
		{"none of both", "1.5", Comparison{Number: true, Left: "5", Right: "6"}, nil},
		{"a parameter", "3.0", Comparison{Number: true, Alone: true, Left: "3"}, []string{"0.0", "-1.0", "1.0"}},
		{"texts", "5.0", Comparison{Left: "5", Right: "6"}, nil},
	} {
		if got := c.comparison.Floats(c.number); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}
