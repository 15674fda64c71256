package spectra

import "testing"

func TestUnnumbered(t *testing.T) {
	for _, c := range []struct{ reason, symbol, want string }{
		{"a function", "x.org/m/p.F", "x.org/m/p.F"},
		{"a literal", "m/p.F.func2", "m/p.F.func"},
		{"a literal in a literal", "m/p.F.func2.1", "m/p.F.func"},
		{"a literal in a literal of a method's literal", "m/p.(*T).M.func1.2.3", "m/p.(*T).M.func"},
		{"a literal in an initialiser", "m/p.glob..func1", "m/p.glob..func"},
		{"the number of an init function stays", "m/p.init.0", "m/p.init.0"},
		{"a literal of one", "m/p.init.0.func1", "m/p.init.0.func"},
	} {
		if got := Symbol(c.symbol).Unnumbered(); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
}
