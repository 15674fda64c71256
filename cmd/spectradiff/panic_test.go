package main

import (
	"strings"
	"testing"
)

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { panic("no paper") }

// TestPanic: a panic of the program is an error, as any other, with what is needed to find its cause.
func TestPanic(t *testing.T) {
	var errs strings.Builder
	exit := run([]string{"version"}, strings.NewReader(""), brokenWriter{}, &errs)
	got := errs.String()
	if exit != exitTrouble || !strings.HasPrefix(got, "spectradiff: internal error: no paper; please report it") ||
		!strings.Contains(got, "panic_test.go") {
		t.Errorf("status %d, %s", exit, got)
	}
}
