package summary

import (
	"strings"
	"testing"
)

func TestAsGoPrints(t *testing.T) {
	tests := []struct{ reason, value, want string }{
		{
			"an outcome",
			`runtime.boundsError: runtime.boundsError(error "runtime error: index out of range [3] with length 3")`,
			"runtime error: index out of range [3] with length 3",
		},
		{"an error of another type", `*m.failure: *m.failure(error "no \"x\"")`, `no "x"`},
		{"a text", "string: no\nhandler", `"no\nhandler"`},
		{"a state", `runtime.errorString("integer divide by zero")`, "runtime error: integer divide by zero"},
		{"how a run ended", `panic: runtime.errorString("integer divide by zero")`,
			"panic: runtime error: integer divide by zero"},
		{"how a process ended", `crashed: panic: m.failure: m.failure(error "no x")`, "crashed: panic: no x"},
		{"an index", "runtime.boundsError{code: 0, signed: true, x: 5, y: 2}",
			"runtime error: index out of range [5] with length 2"},
		{"a negative index", "runtime.boundsError{code: 0, signed: true, x: -1, y: 2}",
			"runtime error: index out of range [-1]"},
		{"a slice", "runtime.boundsError{code: 1, signed: true, x: 4, y: 2}",
			"runtime error: slice bounds out of range [:4] with length 2"},
		{"another bound", "runtime.boundsError{code: 7, signed: true, x: 4, y: 2}",
			"runtime error: slice bounds out of range"},
		{"a value that says what it is", `m.code(3)`, `m.code(3)`},
		{"none", "no panic", "no panic"},
	}
	for _, test := range tests {
		if got := asGoPrints(test.value); got != test.want {
			t.Errorf("%s: got %q, want %q", test.reason, got, test.want)
		}
	}
}

func TestPanicWords(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, test := range []struct{ reason, value, want string }{
		{"a text that is cut stays a text", "string: " + long, `"` + long[:panicWidth-2] + `…"`},
		{"how a run ended", "panic: string: " + long, `panic: "` + long[:panicWidth-len(panicPrefix)-2] + `…"`},
		{"no text", "*m.failure: *m.failure(error \"" + long + "\")", long[:panicWidth-1] + "…"},
		{"nothing is cut", "string: no", `"no"`},
	} {
		if got := panicWords(test.value); got != test.want {
			t.Errorf("%s: got %q, want %q", test.reason, got, test.want)
		}
	}
}

// TestPanics: what an execution panicked with may not have been kept.
func TestPanics(t *testing.T) {
	for _, test := range []struct{ reason, old, new, want string }{
		{"only new", "returned", "panic: no", "f panics with no where it did not"},
		{"only old", "panic: no", "returned", "f no longer panics with no"},
		{"both", "panic: a", "panic: b", "f panics with b where it panicked with a"},
		{"only new, whatever with", "returned", "panicked", "f panics where it did not"},
		{"only old, whatever with", "panicked", "returned", "f no longer panics"},
		{"old ended its goroutine", "ended its goroutine", "panic: b", "f panics with b where it ended its goroutine"},
	} {
		if got := panics("f", test.old, test.new); got != test.want {
			t.Errorf("%s: got %q, want %q", test.reason, got, test.want)
		}
	}
}
