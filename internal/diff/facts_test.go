package diff_test

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestUnstableParts: what is unstable in two runs is the same where equal parts of them are left out.
func TestUnstableParts(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	for range 2000 {
		first := random(r)
		second := *first
		second.Steps = nil
		for _, step := range first.Steps {
			step.Calls = copyOf(step.Calls)
			second.Steps = append(second.Steps, step)
		}
		mutate(r, &second)
		mask := diff.Unstable(first, &second, spectra.Old, nil)
		if c := diff.Compare(first, &second, diff.Options{Mask: mask}); len(c.Deviations) > 0 {
			first := c.Deviations[0]
			t.Fatalf("%d deviations are left, %s in %s", len(c.Deviations), first.Path, first.Function)
		}
		sites := func(m *noise.Mask) (list []noise.Site) {
			for _, one := range m.Sites() {
				list = append(list, one.Site)
			}
			return list
		}
		if whole := diff.UnstableWhole(first, &second); !slices.Equal(sites(mask), sites(whole)) {
			t.Fatalf("unstable %v, with all parts %v", sites(mask), sites(whole))
		}
	}
}

// TestSalvaged: a process that ends because all goroutines wait does not say which these are.
func TestSalvaged(t *testing.T) {
	for _, salvaged := range []bool{false, true} {
		old := difftest.Spectrum("m.F(a=1) -> left:m.G\n--\nm.H(y=1) -> !open\nend blocked")
		new := difftest.Spectrum("m.F(a=1) ->\n--\nm.H(y=1) -> !open\nend blocked")
		new.Salvaged = salvaged
		if c := diff.Compare(old, new, diff.Options{}); (len(c.Deviations) > 0) == salvaged {
			t.Errorf("salvaged %v: %s", salvaged, render(c))
		}
	}
}

// copyOf copies executions and all below them.
func copyOf(list []*spectra.Execution) (copies []*spectra.Execution) {
	for _, e := range list {
		one := *e
		one.Children = copyOf(e.Children)
		copies = append(copies, &one)
	}
	return copies
}
