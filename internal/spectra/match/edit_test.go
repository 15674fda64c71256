package match_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/match/matchtest"
)

const changedBodies = `-- old/go.mod --
module example.com/m

go 1.24
-- old/m.go --
package m

func Only(n int) int {
	sum := helper(n)
	return sum
}

func Really(n int) int {
	sum := helper(n)
	return sum
}

func Swapped(low, high int) int {
	return helper(low) - high
}

func helper(n int) int { return n*n + 1 }

func larger(list []int) (most int) {
	for _, n := range list {
		most = max(most, n)
	}
	return most
}

func gone(s string) string { return s + s }
-- new/go.mod --
module example.com/m

go 1.24
-- new/m.go --
package m

// Only got names and a comment.
func Only(count int) int {
	total := assist(count)
	return (total)
}

func Really(n int) int {
	sum := assist(n)
	sum++
	return sum
}

func Swapped(low, high int) int {
	return assist(high) - low
}

func assist(n int) int { return n*n + 1 }

func bigger(list []int) (most int) {
	for _, n := range list {
		most = max(n, most)
	}
	return most
}

func fresh(x any) (string, error) { return "", nil }
`

func TestEdit(t *testing.T) {
	m := matchtest.Match(t, changedBodies)
	for _, c := range []struct {
		reason  string
		name    string
		change  spectra.Change
		changed bool
		want    string
	}{
		{"names, parentheses and comments alone", "Only", spectra.ChangeModified, false, ""},
		{"a new line beside a renamed call", "Really", spectra.ChangeModified, true, "-0 +11"},
		{"the same words, but other variables", "Swapped", spectra.ChangeModified, true, "-14 +16"},
		{"the renamed function itself: its new name", "assist", spectra.ChangeAdded, false, ""},
		{"the renamed function itself: its old name", "helper", spectra.ChangeRemoved, false, ""},
		{"renamed and changed: its new name", "bigger", spectra.ChangeAdded, true, "m.larger -21 +23"},
		{"renamed and changed: its old name", "larger", spectra.ChangeRemoved, false, ""},
		{"only new has it", "fresh", spectra.ChangeAdded, true, "as the text says"},
		{"only old has it", "gone", spectra.ChangeRemoved, true, "as the text says"},
	} {
		edit, changed := m.Edit(spectra.Symbol("example.com/m."+c.name), c.change)
		got := ""
		switch {
		case edit != nil:
			if edit.Renamed != "" {
				got = strings.TrimPrefix(string(edit.Renamed), "example.com/") + " "
			}
			for _, h := range edit.Hunks {
				got += fmt.Sprint("-", h.Old.Line, " +", h.New.Line)
			}
		case changed:
			got = "as the text says"
		}
		if got != c.want || changed != c.changed {
			t.Errorf("%s: %q, changed %v, want %q, %v", c.reason, got, changed, c.want, c.changed)
		}
	}
}

const initBodies = `-- old/go.mod --
module example.com/m

go 1.24
-- old/m.go --
package m

var calls []func()

func init() { calls = append(calls, func() { helper(3) }) }

func init() {}

func Used(low, high int) int { return helper(low) - high }

func helper(n int) int { return n*n + 1 }
-- old/other/o.go --
package other

var n int

func init() { n = 1 }
-- old/gone/g.go --
package gone

func init() {}

func F() {}
-- new/go.mod --
module example.com/m

go 1.24
-- new/m.go --
package m

var calls []func()

// It moved, and what it calls has another name.
func init() {
	calls = append(calls, func() { assist(3) })
}

func init() {}

func added() {}

func Used(low, high int) int { return assist(low) - high }

func assist(n int) int { return n*n + 1 }
-- new/other/o.go --
package other

var n int

func init() { n = 2 }
-- new/gone/g.go --
package gone

func F() {}
`

// TestInits checks that the init functions of a package are compared, which have no names of their own.
func TestInits(t *testing.T) {
	m := matchtest.Match(t, initBodies)
	for _, c := range []struct {
		reason, name string
		want         bool
	}{
		{"the same but for layout and renames", "example.com/m.init", true},
		{"another body", "example.com/m/other.init", false},
		{"only old has one", "example.com/m/gone.init", false},
		{"no package has it", "example.com/m/none.init", false},
	} {
		if got := m.Same(spectra.Symbol(c.name)); got != c.want {
			t.Errorf("%s: got %v", c.reason, got)
		}
	}
}

// TestSame: what tells two statements apart besides their parts.
func TestSame(t *testing.T) {
	for _, c := range []struct {
		reason, old, new string
		want             bool
	}{
		{"layout", "{ type id int; var x id; _ = x }", "{\n\ttype id int\n\tvar x id\n\t_ = x\n}", true},
		{
			"a type and an alias", "{ type id int; var x any = id(1); _ = x }",
			"{ type id = int; var x any = id(1); _ = x }", false,
		},
		{"a receive and a default", "{ select { case <-c: } }", "{ select { default: <-c } }", false},
		{"a case and a default", "{ switch { case n(): } }", "{ switch { default: n() } }", false},
	} {
		text := ""
		for side, body := range map[string]string{"old": c.old, "new": c.new} {
			text += "-- " + side + "/go.mod --\nmodule m\n-- " + side + "/m.go --\npackage m\n\nvar c chan int\n\n" +
				"func n() bool { return true }\n\nfunc F() " + body + "\n"
		}
		if got := matchtest.Match(t, text).Same("m.F"); got != c.want {
			t.Errorf("%s: got %v", c.reason, got)
		}
	}
}

// TestSameType: what tells two types apart, beside the names and types of their fields.
func TestSameType(t *testing.T) {
	for _, c := range []struct {
		reason, old, new string
		want             bool
	}{
		{"the same", "struct{ B }", "struct{ B }", true},
		{"a field that was embedded", "struct{ B }", "struct{ B B }", false},
		{"a tag", "struct{ B `a`}", "struct{ B }", false},
		{"terms of a constraint", "interface{ ~int | ~string }", "interface{ ~int }", false},
		{"terms of an embedded one", "interface{ I }", "interface{ J }", false},
		{"methods that come from elsewhere", "interface{ M }", "interface{ N() }", true},
	} {
		text := ""
		for side, is := range map[string]string{"old": c.old, "new": c.new} {
			text += "-- " + side + "/go.mod --\nmodule m\n-- " + side + "/m.go --\npackage m\n\ntype B struct{}\n\n" +
				"type I interface{ ~int }\n\ntype J interface{ ~uint }\n\ntype M interface{ N() }\n\n" +
				"type T " + is + "\n"
		}
		if got := matchtest.Match(t, text).Same("m.T"); got != c.want {
			t.Errorf("%s: got %v", c.reason, got)
		}
	}
}
