package source

import (
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestOrder: what runs when a program starts runs in the order of file names and lines.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		reason string
		old    map[string]string // the files
		new    map[string]string
		want   []string
	}{
		{
			"init functions", map[string]string{"a": "func init() { g(1) }\nfunc init() { g(2) }"},
			map[string]string{"a": "func init() { g(2) }\nfunc init() { g(1) }"},
			[]string{"modified function m.init.0", "modified function m.init.1"},
		},
		{
			"variables", map[string]string{"a": "var x = next()\nvar w = <-c\nvar y = next()"},
			map[string]string{"a": "var w = <-c\nvar y = next()\nvar x = next()"},
			[]string{"modified variable m.w", "modified variable m.y", "modified variable m.x"},
		},
		{
			"a file with another name, beside one that is the same",
			map[string]string{"a": "var x = next()\nfunc F() {}", "b": "var y = next()"},
			map[string]string{"z": "var x = next()\nfunc F() {}", "b": "var y = next()"},
			[]string{"modified variable m.y", "modified variable m.x"},
		},
		{
			"a file with another name and the same place",
			map[string]string{"a": "var x = next()", "c": "var y = next()"},
			map[string]string{"b": "var x = next()", "c": "var y = next()"}, nil,
		},
		{
			"what calls nothing", map[string]string{"a": "var x = []int{1}\nvar f = func() { g() }\nvar y = next()"},
			map[string]string{"a": "var y = next()\nvar f = func() { g() }\nvar x = []int{1}"}, nil,
		},
		{
			"what does the same whenever it is called",
			map[string]string{"a": "import \"errors\"\nvar x = errors.New(s)\nvar t = make(T, len(s))\nvar y = next()"},
			map[string]string{"a": "import \"errors\"\nvar y = next()\nvar t = make(T, len(s))\nvar x = errors.New(s)"},
			nil,
		},
		{
			"predeclared names that the package declares",
			map[string]string{"a": "var x = len()\nvar y = next()", "b": "func len() int { return next() }"},
			map[string]string{"a": "var y = next()\nvar x = len()", "b": "func len() int { return next() }"},
			[]string{"modified variable m.y", "modified variable m.x"},
		},
		{
			"only one side has what lies between", map[string]string{"a": "var x = next()\nvar y = next()"},
			map[string]string{"a": "var x = next()\nvar w = next()\nvar y = next()"}, []string{"added variable m.w"},
		},
		{
			"variables of tests", map[string]string{"a_test": "var x = next()\nvar y = next()"},
			map[string]string{"a_test": "var y = next()\nvar x = next()"}, nil,
		},
	} {
		archive := ""
		for side, files := range map[string]map[string]string{"old/": c.old, "new/": c.new} {
			for name, text := range files {
				archive += "-- " + side + name + ".go --\npackage m\n" + text + "\n"
			}
		}
		changes := diffOf(t, archive)
		var got []string
		for _, d := range changes.Declarations {
			got = append(got, summary(d))
			if d.Order != (d.What == spectra.ChangeModified) {
				t.Errorf("%s: of %s only the order changed: %v", c.reason, d.Symbol, d.Order)
			}
		}
		if !slices.Equal(got, c.want) || changes.TestOnly() != (c.want == nil) || changes.OnlyAdds() {
			t.Errorf("%s: %s; only tests %v, only adds %v; want %s", c.reason, strings.Join(got, ", "),
				changes.TestOnly(), changes.OnlyAdds(), strings.Join(c.want, ", "))
		}
	}
}
