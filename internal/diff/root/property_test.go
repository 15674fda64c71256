package root_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/report/summary"
)

// tree writes a random call tree. With edits, a few values differ and a few calls are missing.
func tree(r, edits *rand.Rand, out *strings.Builder, depth int) {
	for range 1 + r.Intn(3) {
		a, b, drop := r.Intn(4), r.Intn(4), false
		if edits != nil {
			switch edits.Intn(15) {
			case 0:
				a = 7
			case 1:
				b = 8
			case 2:
				drop = true
			}
		}
		at := out.Len()
		fmt.Fprintf(out, "%*sm.F%d(a=%d) -> ret0=%d\n", 2*depth, "", r.Intn(6), a, b)
		if depth < 4 && r.Intn(2) == 0 {
			tree(r, edits, out, depth+1)
		}
		if text := out.String(); drop {
			out.Reset()
			out.WriteString(text[:at])
		}
	}
}

func randomCase(seed int64) *diff.Case {
	var old, new strings.Builder
	tree(rand.New(rand.NewSource(seed)), nil, &old, 0)
	tree(rand.New(rand.NewSource(seed)), rand.New(rand.NewSource(seed+1)), &new, 0)
	comparison := diff.Compare(difftest.Spectrum(old.String()), difftest.Spectrum(new.String()), diff.Options{})
	return &diff.Case{Number: int(seed), Comparison: comparison}
}

func TestEveryDeviationHasOneRoot(t *testing.T) {
	for seed := int64(0); seed < 300; seed += 3 {
		cases := []*diff.Case{randomCase(seed), randomCase(seed + 1), randomCase(seed + 2)}
		changes := functions(modified("m.F1", 20), modified("m.F4", 30))
		roots := root.Find(cases, changes)
		owners := map[diff.Occurrence]int{}
		for _, r := range roots {
			if summary.Sentence(r) == "" || r.Sequences == 0 || r.Pointed > r.Sequences {
				t.Fatalf("seed %d: odd root %+v", seed, r)
			}
			for _, ref := range r.Deviations {
				owners[ref]++
			}
		}
		for _, c := range cases {
			for i := range c.Comparison.Deviations {
				if n := owners[diff.Occurrence{Case: c, Index: i}]; n != 1 {
					t.Fatalf("seed %d: deviation %d of sequence %d has %d roots\n%s",
						seed, i, c.Number, n, render(roots))
				}
			}
		}
		if again := render(root.Find(cases, changes)); again != render(roots) {
			t.Fatalf("seed %d: found otherwise the second time:\n%s\n%s", seed, render(roots), again)
		}
	}
}

// TestLongTrace keeps a trace of many siblings and one deviation within reach: it takes a fraction
// of a second unless something is quadratic.
func TestLongTrace(t *testing.T) {
	var old, new strings.Builder
	old.WriteString("m.F(a=1) -> ret0=1\n")
	new.WriteString("m.F(a=1) -> ret0=2\n")
	const calls = 50_000
	for i := range calls {
		fmt.Fprintf(&old, "  m.G(a=%d) -> ret0=1\n", i%1000)
		if i%5000 != 7 {
			fmt.Fprintf(&new, "  m.G(a=%d) -> ret0=%d\n", i%1000, 1+i/(calls-1))
		}
	}
	oldSpectrum, newSpectrum := difftest.Spectrum(old.String()), difftest.Spectrum(new.String())
	c := diff.Compare(oldSpectrum, newSpectrum, diff.Options{})
	roots := root.Find([]*diff.Case{{Comparison: c}}, functions(modified("m.G", 20)))
	const want = "1. G modified H2 new:20-20 latent in 1 (2): F returns 2 where it returned 1; " +
		"G does so for the same entry state"
	if got := render(roots); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
