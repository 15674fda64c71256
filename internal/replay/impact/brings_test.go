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

// TestMentioned: what code without probes mentions of a changed thing, or of what holds or points to one.
func TestMentioned(t *testing.T) {
	program := loadProgram(t)
	dep := func(path string) bool { return path == "other.org/dep" }
	for _, c := range []struct {
		reason string
		change Origin
		path   string
		names  map[string]bool
	}{
		{
			"a constant, and what is computed from it", Origin{Values: set("limit")}, "example.com/m",
			map[string]bool{"limit": true, "table": true, "grid": true, "Plain": false, "Config": false},
		},
		{
			"a type, what holds it, and who returns it", Origin{Types: set("Config")}, "example.com/m",
			map[string]bool{"Config": true, "Server": true, "Makes": true, "Plain": false, "Named": false, "": false},
		},
		{"a type may be looked into", Origin{Types: set("Config")}, "unsafe", map[string]bool{"Pointer": true}},
		{"no type changed", Origin{Outside: dep}, "unsafe", map[string]bool{"Pointer": false}},
		{"another module", Origin{Outside: dep}, "other.org/dep", map[string]bool{"New": true, "": true}},
		{
			"what has its type from another module", Origin{Outside: dep}, "example.com/m",
			map[string]bool{"opened": true, "Server": false, "Plain": false},
		},
	} {
		affected, err := FindAffected(program, c.change)
		if err != nil {
			t.Fatal(err)
		}
		r := Reach{types: affected.Types, mentioned: affected.Mentioned, outside: c.change.Outside}
		for name, want := range c.names {
			if got := r.Mentioned(c.path, name); got != want {
				t.Errorf("%s: %s.%s: %v", c.reason, c.path, name, got)
			}
		}
	}
}
