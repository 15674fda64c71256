package markdown

import "testing"

func TestRich(t *testing.T) {
	for _, c := range []struct{ sentence, want, reason string }{
		{"f returns 3 where it returned 4", "f returns 3 where it returned 4", "plain words"},
		{
			`run returns &exit{err: &state{…}, code: 1}, where it returned nil`,
			"run returns `&exit{err: &state{…}, code: 1}`, where it returned nil",
			"a value with spaces is one piece",
		},
		{
			`run returns &exit{err: &state{pi… where it was &fault{s: "no {", n: 1}`,
			"run returns `&exit{err: &state{pi…` where it was `&fault{s: \"no {\", n: 1}`",
			"a value that is cut ends there; brackets in a text are none",
		},
		{`is &fault{s: "status: 12…" for it`, "is `&fault{s: \"status: 12…\"` for it", "a text in a value is cut"},
		{"calls [ in vain", "calls `[` in vain", "a bracket that nothing closes"},
	} {
		if got := rich(c.sentence, 200); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.reason, got, c.want)
		}
	}
}
