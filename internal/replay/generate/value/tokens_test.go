package value

import (
	"go/constant"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		want         []string
	}{
		{"nothing", "", nil},
		{"words, signs, numbers", `a.b2[10]`, []string{"a", ".", "b", "2", "[", "10", "]"}},
		{"spaces stand together, lines alone", "x  y\n\n", []string{"x", "  ", "y", "\n", "\n"}},
		{"an escape is one token", `"\n\\"`, []string{`"`, `\n`, `\\`, `"`}},
		{"what is cut within an escape", `a\`, []string{"a", `\`}},
		{"other letters, and bytes that are none", "é_ü\xff\xfe", []string{"é_ü", "\xff", "\xfe"}},
	} {
		if got := tokens(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}

// FuzzTokens checks that the tokens add up to the text and are no more than the limit.
func FuzzTokens(f *testing.F) {
	f.Add("a.b[0] \\n é\xff")
	f.Add(strings.Repeat("- ", maxTokens))
	f.Fuzz(func(t *testing.T, text string) {
		list := tokens(text)
		if joined(list) != text || len(list) > maxTokens || slices.Contains(list, "") {
			t.Errorf("%q became %q", text, list)
		}
	})
}

// TestReshaped checks that one text reaches each of its neighbours by tokens.
func TestReshaped(t *testing.T) {
	s := NewSource(NewRandom(1), constants())
	wanted := map[string]string{
		"a[1]":               "truncated",
		"a[1].b\n":           "with a control character in the place of a token",
		"a[1][1].b2":         "repeated",
		"a[(1)].b2":          "nested",
		"a[1].firstb2":       "never", // needs two changes
		"a[first].b2":        "with a token of another text",
		"a.b2":               "without some tokens",
		"a[1].2b":            "with two tokens in each other's place",
		"a[\x00].b2":         "with NUL in the place of a token",
		"a[\U0010ffff].b2":   "with the last rune",
		"a[1]last":           "with the end of another text",
		"a[\b].b2":           "with a backspace",
		"a[\f].b2":           "with a form feed",
		"a[\xed\xa0\x80].b2": "with a surrogate",
	}
	seen := map[string]bool{}
	for range 300_000 {
		seen[s.reshaped("a[1].b2", nil)] = true
	}
	for text, what := range wanted {
		if seen[text] == (what == "never") {
			t.Errorf("%q, %s: made is %v", text, what, seen[text])
		}
	}
	for range 1000 {
		if text := s.short(); utf8.RuneCountInString(text) > 4 {
			t.Fatalf("%q is not short", text)
		}
	}
}

func TestRecoded(t *testing.T) {
	for _, c := range []struct{ reason, text, want string }{
		{"escapes become what they mean", `*\n\t \x41é\"`, "*\n\t Aé\""},
		{"what is no escape stays", `C:\dir\q"\`, `C:\dir\q"\`},
		{"without escapes", "a\tb\x00\"", `a\tb\x00\"`},
	} {
		if got := recoded(c.text); got != c.want {
			t.Errorf("%s: %q became %q, want %q", c.reason, c.text, got, c.want)
		}
	}
}

// TestHolding checks that a part replaces a word or a number, and perhaps more, in a known text.
func TestHolding(t *testing.T) {
	s := NewSource(NewRandom(1), []Constant{{Value: constant.MakeString("--name=5")}})
	seen := map[string]bool{}
	for range 1000 {
		seen[s.holding("é", nil, 0)] = true
	}
	for _, want := range []string{"--é=5", "--name=é", "--é", "--é5"} {
		if !seen[want] {
			t.Errorf("%q is not among %v", want, slices.Sorted(maps.Keys(seen)))
		}
		delete(seen, want)
	}
	if len(seen) > 0 {
		t.Errorf("made as well: %v", slices.Sorted(maps.Keys(seen)))
	}
	if got := NewSource(NewRandom(1), []Constant{{Value: constant.MakeString("--")}}).holding("é", nil, 0); got != "é" {
		t.Errorf("without a word there: %q", got)
	}
}
