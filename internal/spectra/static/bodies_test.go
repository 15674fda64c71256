package static

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestBodies: names that a function declares don't count, all else of its tokens does.
func TestBodies(t *testing.T) {
	const usual = `func f(a, b int) int { sum := a - b; return sum }`
	for _, c := range []struct {
		reason, x, y string
		name         string
		equal        bool
	}{
		{"a local variable", usual, `func f(a, b int) int { d := a - b; return d }`, "f", true},
		{"parameters", usual, `func f(x, y int) int { sum := x - y; return sum }`, "f", true},
		{"layout and comments", usual,
			"// c\nfunc f(\n\ta, b int,\n) int {\n\t// d\n\tsum := a -\n\t\tb\n\treturn sum\n}", "f", true},
		{"operands change places", usual, `func f(a, b int) int { sum := b - a; return sum }`, "f", false},
		{"so they do with swapped parameters", usual, `func f(b, a int) int { sum := a - b; return sum }`, "f", false},
		{"two names change places", usual, `func f(b, a int) int { sum := b - a; return sum }`, "f", true},
		{"a literal", usual, `func f(a, b int) int { sum := a - b + 1; return sum }`, "f", false},
		{"another package variable", "var x, y int\nfunc f() int { return x }",
			"var x, y int\nfunc f() int { return y }", "f", false},
		{"a local one that hides it", "var x int\nfunc f() int { x := 1; return x }",
			"var x int\nfunc f() int { y := 1; return x }",
			"f", false},
		{"a field", "type t struct{ x, y int }\nfunc f(v t) int { return v.x }",
			"type t struct{ x, y int }\nfunc f(v t) int { return v.y }", "f", false},
		{"a field of a local type", "func f() any { return struct{ X int }{X: 1} }",
			"func f() any { return struct{ Y int }{Y: 1} }",
			"f", false},
		{"a label and a constant", "func f() { const c = 1; l: for { break l; _ = c } }",
			"func f() { const d = 1; m: for { break m; _ = d } }",
			"f", true},
		{"the variable of a type switch",
			"func f(v any) any { switch x := v.(type) { case int: return x; case string: return x }; return nil }",
			"func f(v any) any { switch y := v.(type) { case int: return y; case string: return y }; return nil }",
			"f", true},
		{"what is blank stays", "func f() { _ = 1 }", "func f() { var x = 1; _ = x }", "f", false},
		{"a receiver", "type T int\nfunc (t *T) m() T { return *t }", "type T int\nfunc (r *T) m() T { return *r }",
			"(*T).m", true},
		{"a type parameter", "func f[P any](v P) P { var w P = v; return w }",
			"func f[Q any](v Q) Q { var w Q = v; return w }", "f", true},
		{"a literal's own names", "func f() { g := func(a int) int { return a }; g(1) }",
			"func f() { g := func(b int) int { return b }; g(1) }", "f.func1", true},
		{"what a literal captures is another's", "func f(a, b int) { g := func() int { return a }; g(); _ = b }",
			"func f(a, b int) { g := func() int { return b }; g(); _ = b }", "f.func1", false},
		{"of an initialiser", "var v = func(a int) int { return a }", "var v = func(b int) int { return b }",
			"glob..func1", true},
		{"of an init function", "func init() { x := 1; _ = x }", "func init() { y := 1; _ = y }", "init.0", true},
	} {
		x := loadOne(t, "package m\n"+c.x).Bodies("example.com/m." + spectra.Symbol(c.name))
		y := loadOne(t, "package m\n"+c.y).Bodies("example.com/m." + spectra.Symbol(c.name))
		if len(x) != 1 || slices.Equal(x, y) != c.equal {
			t.Errorf("%s: %v and %v, want equal %t", c.reason, x, y, c.equal)
		}
	}
	if got := loadOne(t, "package m\nvar v int\n").Bodies("example.com/m.v"); got != nil {
		t.Errorf("a variable has bodies %v", got)
	}
}
