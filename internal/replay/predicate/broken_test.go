package predicate

import "testing"

// TestCompilerError: what a compiler says of a line of code is the reason; what else a build prints may be gone later.
func TestCompilerError(t *testing.T) {
	for _, c := range []struct {
		reason string
		lines  []string
		want   string
		placed bool
	}{
		{"a line of code", []string{"# m/p", "./x.go:1:2: undefined: y"}, "./x.go:1:2: undefined: y", true},
		{"behind something else", []string{"go: note", "x.go:1: syntax error"}, "x.go:1: syntax error", true},
		{"a line of go.mod", []string{"go: errors parsing go.mod:", "go.mod:3: unknown"}, "go.mod:3: unknown", true},
		{"a killed compiler", []string{"# m/p", "compile: signal: killed"}, "compile: signal: killed", false},
		{
			"a full disk", []string{"# m/p", "write $TMPDIR/b1/_pkg_.a: no space left on device"},
			"write $TMPDIR/b1/_pkg_.a: no space left on device", false,
		},
		{"nothing", []string{"# m/p"}, "", false},
	} {
		got := compilerError(c.lines)
		if got != c.want || placed.MatchString(got) != c.placed {
			t.Errorf("%s: %q, of a line: %t", c.reason, got, placed.MatchString(got))
		}
	}
}
