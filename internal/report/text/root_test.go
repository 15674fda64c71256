package text

import (
	"slices"
	"strings"
	"testing"
)

// TestApart: lines of a diff that would be cut before they differ are shown where they do.
func TestApart(t *testing.T) {
	long := strings.Repeat("same ", 20)
	for _, c := range []struct {
		reason      string
		lines, want []string
	}{
		{"short ones", []string{"-a", "+b"}, []string{"-a", "+b"}},
		{"different at once", []string{"-a" + long, "+b" + long}, []string{"-a" + long, "+b" + long}},
		{"cut before they differ", []string{" x", "-" + long + "a", "+" + long + "b"},
			[]string{" x", "-…me same same a", "+…me same same b"}},
		{"the second of two", []string{"-a", "-" + long + "a", "+b", "+" + long + "b"},
			[]string{"-a", "-…me same same a", "+b", "+…me same same b"}},
		{"none in its place", []string{"-" + long + "a", " x", "+" + long + "b"},
			[]string{"-" + long + "a", " x", "+" + long + "b"}},
	} {
		if got := apart(c.lines, 40); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", c.reason, got)
		}
	}
}
