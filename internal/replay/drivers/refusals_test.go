package drivers

import "testing"

// TestRefusals: what fails again in the same lines fails elsewhere in their files.
func TestRefusals(t *testing.T) {
	r := refusals{}
	for _, c := range []struct {
		reason string
		lines  []string
		news   bool
		has    string
	}{
		{"new lines", []string{"a_test.go:3"}, true, "a_test.go:3"},
		{"a known line and a new one", []string{"a_test.go:3", "a_test.go:7"}, true, "a_test.go:7"},
		{"known lines", []string{"a_test.go:7"}, true, "a_test.go"},
		{"lines of a known file", []string{"a_test.go:7"}, false, "a_test.go"},
		{"a line of another file", []string{"b_test.go:1"}, true, "b_test.go:1"},
		{"no lines", nil, false, "a_test.go"},
	} {
		if news := r.add("m", c.lines); news != c.news || !r["m"][c.has] {
			t.Errorf("%s: news is %t, want %t, and %s is refused: %t", c.reason, news, c.news, c.has, r["m"][c.has])
		}
	}
	for n := range mostRefused {
		r.add("m", []string{"b_test.go:" + string(rune('a'+n))})
	}
	if r.add("m", []string{"b_test.go:other"}); !r["m"]["b_test.go"] {
		t.Error("of a package with many refused lines, the files are not refused")
	}
}
