package accepted_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/spectradiff/spectradiff/internal/report/accepted"
)

// FuzzRead reads any text as a list. What is read can be written, comes back the same, and holds nothing that would do
// more than to be read.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"[]", "[\n]\n", `[{"fingerprint": "0a", "function": "m.F", "reason": "r", "date": "2026-11-26"}]`,
		`[{"fingerprint": "0a", "function": "m.F", "reason": "r", "more": {"a": [1e400, "\u001b", null]}}]`,
		`[{"fingerprint": "\ud800", "function": "<!--", "reason": "]]>"}, {"fingerprint": "\ud800"}]`,
		"[\n<<<<<<< a\n=======\n>>>>>>> b\n]", "[{\"reason\": \"\u202e\"}]", "\xef\xbb\xbf[]", "[null]", "[[]", "]",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := accepted.Read("f", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("error %v does not say where", err)
			}
			return
		}
		first, err := accepted.Write(list)
		if err != nil {
			t.Fatalf("what was read can't be written: %v", err)
		}
		if bytes.ContainsFunc(first, func(r rune) bool {
			return r != '\n' && unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
		}) {
			t.Errorf("a control character was written: %q", first)
		}
		if lines := bytes.Count(first, []byte("\n")); lines != len(list)+2 {
			t.Errorf("%d entries in %d lines, want one a line", len(list), lines)
		}
		again, err := accepted.Read("f", first)
		if err != nil {
			t.Fatalf("what was written can't be read: %v\n%s", err, first)
		}
		second, err := accepted.Write(again)
		if err != nil || !bytes.Equal(first, second) || len(list) != len(again) {
			t.Errorf("another list came back, error %v:\n%s\n%s", err, first, second)
		}
	})
}
