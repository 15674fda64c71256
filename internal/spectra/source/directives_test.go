package source

import (
	"fmt"
	"slices"
	"testing"
)

// TestLanguage: a build constraint may ask for another version of the language, whose loops have other variables.
func TestLanguage(t *testing.T) {
	const modified = "modified function m.F directed"
	for _, c := range []struct {
		reason, goMod, old, new string
		want                    []string
	}{
		{"an earlier one", "1.22", "", "//go:build go1.21", []string{modified}},
		{"a later one", "1.21", "", "//go:build go1.22", []string{modified}},
		{"that of the module", "1.22", "", "//go:build go1.22", nil},
		{"none is earlier than 1.21", "1.22", "//go:build go1.18", "//go:build go1.21", nil},
		{"another constraint", "1.22", "//go:build go1.21", "//go:build go1.21 && gc", nil},
		{"no version", "1.22", "", "//go:build gc", nil},
	} {
		archive := ""
		for side, constraint := range map[string]string{"old/": c.old, "new/": c.new} {
			archive += fmt.Sprintf("-- %sgo.mod --\nmodule m\n\ngo %s\n-- %sp.go --\n%s\n\npackage m\n\nfunc F() {}\n"+
				"type T int\n", side, c.goMod, side, constraint)
		}
		changes := diffOf(t, archive)
		var got []string
		for _, d := range changes.Declarations {
			got = append(got, summary(d))
		}
		if !slices.Equal(got, c.want) || changes.TestOnly() != (c.want == nil) {
			t.Errorf("%s: %q, only tests %v; want %q", c.reason, got, changes.TestOnly(), c.want)
		}
	}
}
