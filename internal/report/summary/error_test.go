package summary

import "testing"

// TestErrorsInSentences: an error with a text and no more is told as an error, whatever holds the text.
func TestErrorsInSentences(t *testing.T) {
	for _, c := range []struct{ reason, value, want string }{
		{"of package errors", `&errors.errorString{s: "no \"x\""}`, `error "no \"x\""`},
		{"of package fmt", `&fmt.wrapError{err: &errors.errorString{s: "x"}, msg: "no x"}`, `error "no x"`},
		{"with more than a text", `&fs.PathError{Err: nil, Op: "open"}`, `&fs.PathError{Err: nil, Op: "open"}`},
		{"within another value", `[&errors.errorString{s: "x"}]`, `[&errors.errorString{s: "x"}]`},
	} {
		if old, new := texts(c.value, "nil"); old != c.want || new != "nil" {
			t.Errorf("%s: %s, want %s", c.reason, old, c.want)
		}
	}
}
