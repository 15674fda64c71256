package value

import (
	"go/constant"
	"strings"
	"testing"
)

// TestInserted: a word of changed code comes into texts in the shape of what surrounds it.
func TestInserted(t *testing.T) {
	random := NewRandom(1)
	s := NewSource(random, []Constant{{Package: "m", Value: constant.MakeString("max-retries"), Changed: true}})
	for reason, c := range map[string]struct{ text, want string }{
		"a line of a document":          {"server:\n  host: a\n  port: 1\n", "\n  max-retries: 1\n"},
		"the first line":                {"host: a", "host: a\nmax-retries: "},
		"an element of a list":          {"- host: a\n", "- max-retries: true\n"},
		"a line of settings":            {"host=a\n", "max-retries=1\n"},
		"a member of an object":         {`{"a": 1}`, `{"max-retries": 1, "a": 1}`},
		"a member of one that has none": {`{}`, `{"max-retries": 1}`},
		"a token":                       {"cmd file", "cmd max-retries"},
		"a text in a line":              {`"host" : "a"`, "\n\"max-retries\" : "},
	} {
		found := false
		for range 2000 {
			other, ok := s.inserted(c.text, nil)
			if found = found || strings.Contains(other, c.want); !ok || !strings.Contains(other, "max-retries") {
				t.Fatalf("%s: %q has no such word", reason, other)
			}
		}
		if !found {
			t.Errorf("%s: none has %q", reason, c.want)
		}
	}
	if _, ok := NewSource(random, nil).inserted("a: b", nil); ok {
		t.Error("a word came from nowhere")
	}
}

// FuzzInserted: whatever a text is, it stays within what comes in, but for a value of the line that is written.
func FuzzInserted(f *testing.F) {
	for _, text := range []string{"", ":", "=\n", "{", "a: {b: c}", "\n\n", "- - -:", `"":`, "  \t\"'=", "a\xff:b"} {
		f.Add(text, uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		s := NewSource(NewRandom(seed), []Constant{{Package: "m", Value: constant.MakeString("word"), Changed: true}})
		for range 20 {
			other, ok := s.inserted(text, nil)
			if ok && len(text)+len("word") <= maxText/2 && !strings.Contains(other, "word") {
				t.Errorf("%q became %q", text, other)
			}
		}
	})
}
