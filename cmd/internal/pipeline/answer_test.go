package pipeline

import (
	"errors"
	"fmt"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/load"
)

// TestProven: only what a compiler says of lines of the code is an error that another run has, too.
func TestProven(t *testing.T) {
	for _, c := range []struct {
		reason string
		err    error
		want   bool
	}{
		{"the type checker", fmt.Errorf("new version: %w", &load.CodeError{Err: errors.New("x.go:1:2: y")}), true},
		{"a compiler", fault.List{{Package: "m", Reason: "x.go:1: y", Lines: []string{"x.go:1"}}}, true},
		{"a compiler that was killed", fault.List{{Package: "m", Reason: "compile: signal: killed"}}, false},
		{"a full disk", errors.New("write x.go:1:2: no space left on device"), false},
	} {
		if got := Proven(c.err); got != c.want {
			t.Errorf("%s: %t, want %t", c.reason, got, c.want)
		}
	}
}
