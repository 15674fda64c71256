package match

import (
	"testing"
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
		{"a type in types", "map[x.org/m/p.T]func(...*x.org/m/p.T) <-chan x.org/m/p.T",
			"map[x.org/m/v2/q.U]func(...*x.org/m/v2/q.U) <-chan x.org/m/v2/q.U"},
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
