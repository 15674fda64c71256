package diff_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// grow writes a random call tree. It has few names and values, so that equal executions are frequent.
func grow(r *rand.Rand, out *strings.Builder, depth int) {
	for range r.Intn(4) {
		spawn := ""
		if r.Intn(6) == 0 {
			spawn = "go "
		}
		flags := []string{"", "", "", "", "", "!panic", "!open", "~entry", "~exit", "#digests"}
		name, a, ret, flag := 'F'+rune(r.Intn(3)), r.Intn(3), r.Intn(3), flags[r.Intn(len(flags))]
		fmt.Fprintf(out, "%*s%sm.%c(a=%d) -> ret0=%d %s\n", 2*depth, "", spawn, name, a, ret, flag)
		if depth < 4 {
			grow(r, out, depth+1)
		}
	}
}

func random(r *rand.Rand) *spectra.Spectrum {
	var out strings.Builder
	for range 1 + r.Intn(2) {
		grow(r, &out, 0)
		out.WriteString("--\n")
	}
	return difftest.Spectrum(out.String())
}

// mutate changes a few states, and drops and repeats calls.
func mutate(r *rand.Rand, s *spectra.Spectrum) {
	for e := range s.Executions {
		switch r.Intn(12) {
		case 0:
			e.Exit = difftest.State(fmt.Sprintf("ret0=%d", r.Intn(4)))
		case 1:
			e.Entry = difftest.State(fmt.Sprintf("a=%d", r.Intn(4)))
		case 2:
			if n := len(e.Children); n > 0 {
				i := r.Intn(n)
				e.Children = slices.Delete(e.Children, i, i+1)
			}
		case 3:
			r.Shuffle(len(e.Children), func(i, j int) { e.Children[i], e.Children[j] = e.Children[j], e.Children[i] })
		}
	}
}

// classes lists every node as a reader of either side would see it; with mirrored, as seen from
// the other side.
func classes(c *diff.Comparison, mirrored bool) []string {
	var list []string
	c.Root.Walk(func(n *diff.Node) bool {
		old, new, class := n.Old, n.New, n.Class
		if mirrored {
			old, new = new, old
			switch class {
			case diff.NewOnly:
				class = diff.OldOnly
			case diff.OldOnly:
				class = diff.NewOnly
			}
		}
		list = append(list, fmt.Sprintf("%p %p %d %d %d", old, new, class, n.Entry, n.Exit))
		return true
	})
	slices.Sort(list)
	return list
}

func TestSelfComparisonIsEmpty(t *testing.T) {
	for seed := range int64(300) {
		old, new := random(rand.New(rand.NewSource(seed))), random(rand.New(rand.NewSource(seed)))
		c := diff.Compare(old, new, diff.Options{})
		if got := render(c); got != "exposed by" {
			t.Fatalf("seed %d: %s", seed, got)
		}
		if sites := diff.Unstable(old, new, "old", nil).Sites(); len(sites) > 0 {
			t.Fatalf("seed %d: unstable %v", seed, sites)
		}
	}
}

func TestExchangedSidesMirror(t *testing.T) {
	deviating := 0
	for seed := range int64(600) {
		old, new := random(rand.New(rand.NewSource(seed))), random(rand.New(rand.NewSource(seed)))
		mutate(rand.New(rand.NewSource(seed+1)), new)
		forth, back := diff.Compare(old, new, diff.Options{}), diff.Compare(new, old, diff.Options{})
		if !slices.Equal(classes(forth, false), classes(back, true)) {
			t.Fatalf("seed %d: exchanged\n%s\n%s", seed, render(forth), render(back))
		}
		if forth.Exposure != back.Exposure || len(forth.Deviations) != len(back.Deviations) {
			t.Fatalf("seed %d: %s, exchanged %s", seed, render(forth), render(back))
		}
		if len(forth.Deviations) > 0 {
			deviating++
		}
	}
	if deviating < 200 {
		t.Errorf("only %d of 600 pairs deviate: the test shows little", deviating)
	}
}

// TestMaskSilencesBothRuns checks what noise is measured for: two runs that differ by noise alone have no
// deviation.
func TestMaskSilencesBothRuns(t *testing.T) {
	for seed := range int64(300) {
		one, two := random(rand.New(rand.NewSource(seed))), random(rand.New(rand.NewSource(seed)))
		mutate(rand.New(rand.NewSource(seed+1)), two)
		mask := diff.Unstable(one, two, "old", nil)
		c := diff.Compare(one, two, diff.Options{Mask: mask})
		if len(c.Deviations) > 0 {
			t.Fatalf("seed %d: %s\nmask %v", seed, render(c), mask.Sites())
		}
		if again := diff.Unstable(one, two, "old", mask); again.Size() > 0 {
			t.Fatalf("seed %d: what is known is found again: %v", seed, again.Sites())
		}
		known := &noise.Mask{}
		for _, site := range mask.Sites()[:mask.Size()/2] {
			known.Add(site.Site, site.Reason)
		}
		known.Union(diff.Unstable(one, two, "old", known))
		if c := diff.Compare(one, two, diff.Options{Mask: known}); len(c.Deviations) > 0 {
			t.Fatalf("seed %d, a part of the mask known: %s\nmask %v", seed, render(c), known.Sites())
		}
	}
}

func TestEveryExecutionIsInTheTree(t *testing.T) {
	for seed := range int64(200) {
		old, new := random(rand.New(rand.NewSource(seed))), random(rand.New(rand.NewSource(seed)))
		mutate(rand.New(rand.NewSource(seed+1)), new)
		want := map[*spectra.Execution]int{}
		for _, s := range []*spectra.Spectrum{old, new} {
			for e := range s.Executions {
				want[e]++
			}
		}
		diff.Compare(old, new, diff.Options{}).Root.Walk(func(n *diff.Node) bool {
			for _, e := range []*spectra.Execution{n.Old, n.New} {
				if e != nil {
					want[e]--
				}
			}
			return true
		})
		for e, n := range want {
			if n != 0 {
				t.Fatalf("seed %d: %s is in the tree %d times too seldom", seed, e.Symbol, n)
			}
		}
	}
}
