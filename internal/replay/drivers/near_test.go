package drivers

import (
	"slices"
	"testing"
)

// TestNearer: of packages that import the change, those come first whose code can reach it, then those whose tests
// import such code. Where nothing is known the order stays.
func TestNearer(t *testing.T) {
	away := map[string]int{"changed": 0, "constant": 1, "azure": 1, "sync": 1, "vfs": 1, "far": 2}
	imports := map[string][]string{"azure": {"azure", "sync"}, "constant": {"constant"}, "vfs": {"vfs"}}
	order := []string{"azure", "changed", "constant", "far", "sync", "vfs"}
	for _, c := range []struct {
		reason   string
		reaching map[string]int
		want     []string
	}{
		{
			"calls count, and distance before them", map[string]int{"sync": 9, "vfs": 3, "far": 99, "changed": 1},
			[]string{"changed", "sync", "vfs", "azure", "constant", "far"},
		},
		{"nothing is known", nil, []string{"changed", "azure", "constant", "sync", "vfs", "far"}},
	} {
		got := slices.Clone(order)
		if slices.SortStableFunc(got, nearer(away, c.reaching, imports)); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}
