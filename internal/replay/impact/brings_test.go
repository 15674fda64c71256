package impact

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
)

func TestBrings(t *testing.T) {
	r := Reach{types: map[spectra.Symbol]bool{"example.com/m/ast.Node": true}}
	others := r
	others.outside = func(path string) bool {
		return !static.IsStandard(path) && !strings.HasPrefix(path, "example.com/m")
	}
	for _, c := range []struct {
		reason, statements string
		own, others        bool // the expected result, also with other code in other modules
	}{
		{"numbers", "v0 := example.com/m.F(1)", false, false},
		{"a value behind an interface", "v0 := example.com/m.Dump(example.com/m/ast.Node({}))", true, true},
		{"a pointer to one", "v0 := example.com/m.Dump(*example.com/m/ast.Node(&{}))", true, true},
		{"within another value", "v0 := example.com/m.Dump({Left: *example.com/m/ast.Node(&{})})", true, true},
		{"a type argument", "v0 := example.com/m.Zero[example.com/m/ast.Node]()", true, true},
		{"another type", "v0 := example.com/m.Dump(*example.com/m/ast.Nodes(&{}))", false, false},
		{"a type of another module", "v0 := example.com/m.Dump(*other.org/dep.T(&{}))", false, true},
		{"a type of the standard library", "v0 := example.com/m.Dump(*time/tzdata.T(&{}))", false, false},
	} {
		q, err := sequence.Parse(sequence.Header + "\n" + c.statements + "\n")
		if err != nil {
			t.Fatalf("%s: %v", c.reason, err)
		}
		if got := r.Brings(q); got != c.own {
			t.Errorf("%s: %v", c.reason, got)
		}
		if got := others.Brings(q); got != c.others {
			t.Errorf("%s, with other modules: %v", c.reason, got)
		}
	}
}
