package names

import "testing"

// TestTables: the tables are sorted, every entry says why it is there, and no type is in both.
func TestTables(t *testing.T) {
	seen := map[string]bool{}
	last := ""
	for _, o := range OpaqueTypes {
		if o.Name <= last || o.Reason == "" || seen[o.Name] {
			t.Errorf("%s after %s: %q", o.Name, last, o.Reason)
		}
		seen[o.Name], last = true, o.Name
	}
	last = ""
	for _, p := range PartialTypes {
		if p.Name <= last || p.What == "" || seen[p.Name] {
			t.Errorf("%s after %s: %q", p.Name, last, p.What)
		}
		last = p.Name
	}
}

// TestIs: an entry for a package means all of its types but those with an entry of their own.
func TestIs(t *testing.T) {
	for _, test := range []struct {
		reason, name string
		want         bool
	}{
		{"listed by name", "os.File", true},
		{"another type of its package", "os.PathError", false},
		{"listed by package", "sync.Mutex", true},
		{"compared in part, though its package is listed", "sync.Once", false},
		{"compared by its meaning, though its package is listed", "sync.Map", false},
	} {
		if got := Opaque(test.name); got != test.want {
			t.Errorf("%s: %s opaque %v, want %v", test.reason, test.name, got, test.want)
		}
	}
}
