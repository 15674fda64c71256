package target

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/spectra"
)

func TestNames(t *testing.T) {
	n := newNames("x.org/m", "x.org/m/v2")
	n.add(packageNames, "x.org/m/p", "x.org/m/q")
	n.add(typeNames, "x.org/m/p.T", "x.org/m/p.U")
	n.add(otherNames, "x.org/m/p.(*T).Old", "x.org/m/p.(*T).New")
	n.add(otherNames, "x.org/m/p.F", "x.org/m/p.G")
	n.add(otherNames, "x.org/m/p.(*T).Method", "x.org/m/p.Function")
	n.add(otherNames, "x.org/m/p.T.field", "x.org/m/p.T.other")
	for _, c := range []struct{ reason, old, new string }{
		{"nothing but the module's path", "x.org/m.F", "x.org/m/v2.F"},
		{"a package", "x.org/m/p", "x.org/m/v2/q"},
		{"a function in a moved package", "x.org/m/p.F", "x.org/m/v2/q.G"},
		{"its literal", "x.org/m/p.F.func1.2", "x.org/m/v2/q.G.func1.2"},
		{"another function that starts alike", "x.org/m/p.Fast", "x.org/m/v2/q.Fast"},
		{"a type", "x.org/m/p.T", "x.org/m/v2/q.U"},
		{"a type in types", "map[x.org/m/p.T]func(...*x.org/m/p.T) <-chan x.org/m/p.T", "map[x.org/m/v2/q.U]func(...*x.org/m/v2/q.U) <-chan x.org/m/v2/q.U"},
		{"a method of a renamed type", "x.org/m/p.(*T).Same", "x.org/m/v2/q.(*U).Same"},
		{"a method with a value receiver", "x.org/m/p.T.Same", "x.org/m/v2/q.U.Same"},
		{"a renamed method of it", "x.org/m/p.(*T).Old", "x.org/m/v2/q.(*U).New"},
		{"a literal in that", "x.org/m/p.(*T).Old.func1", "x.org/m/v2/q.(*U).New.func1"},
		{"a method that became a function", "x.org/m/p.(*T).Method", "x.org/m/v2/q.Function"},
		{"a field", "x.org/m/p.T.field", "x.org/m/v2/q.U.other"},
		{"type arguments", "x.org/m/p.F[x.org/m/p.T]", "x.org/m/v2/q.G[x.org/m/v2/q.U]"},
		{"a method of an instance", "x.org/m/p.(*T[x.org/m/p.T]).Same", "x.org/m/v2/q.(*U[x.org/m/v2/q.U]).Same"},
		{"a type of another module", "y.org/x.org/m/p.T", "y.org/x.org/m/p.T"},
	} {
		if got := n.New(c.old); got != c.new {
			t.Errorf("%s: %s is %s in new, want %s", c.reason, c.old, got, c.new)
		}
		if got := n.Old(c.new); got != c.old {
			t.Errorf("%s: %s is %s in old, want %s", c.reason, c.new, got, c.old)
		}
	}
}

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
`

func TestHunksWithoutRenames(t *testing.T) {
	archive := txtar.Parse([]byte(changedBodies))
	old, new := load(t, extract(t, archive, "old/")), load(t, extract(t, archive, "new/"))
	s := Common(old, new, []string{"example.com/m"})
	for _, c := range []struct {
		reason string
		name   string
		hunks  []Hunk
	}{
		{"names, parentheses and comments alone", "Only", nil},
		{"a new line beside a renamed call", "Really", []Hunk{{New: Lines{"m.go", 11, 11}}}},
		{"the same words, but other variables", "Swapped", []Hunk{{Lines{"m.go", 14, 14}, Lines{"m.go", 16, 16}}}},
		{"the renamed function itself", "helper", nil},
	} {
		symbol := spectra.Symbol("example.com/m." + c.name)
		_, _, hunks, ok := s.Hunks(symbol)
		if !ok || len(hunks) != len(c.hunks) || len(hunks) > 0 && hunks[0] != c.hunks[0] {
			t.Errorf("%s: hunks of %s are %v, want %v", c.reason, c.name, hunks, c.hunks)
		}
		if same := s.Same(symbol); same != (len(c.hunks) == 0) {
			t.Errorf("%s: %s is the same: %v", c.reason, c.name, same)
		}
	}
}
