package root_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/root"
)

func TestOf(t *testing.T) {
	for _, c := range []struct{ reason, old, new, from, want string }{
		{
			"each caller that ends differently is a station",
			"m.F(a=1) -> ret0=1\n  m.G(b=1) -> ret0=2\n    m.H(c=1) -> ret0=3",
			"m.F(a=1) -> ret0=9\n  m.G(b=1) -> ret0=8\n    m.H(c=1) -> ret0=7",
			"m.H", "m.H ret0 3/7, m.G ret0 2/8, m.F ret0 1/9",
		},
		{
			"a caller that ends alike swallows it",
			"m.F(a=1) -> ret0=1\n  m.G(b=1) -> ret0=2", "m.F(a=1) -> ret0=1\n  m.G(b=1) -> ret0=8",
			"m.G", "m.G ret0 2/8; swallowed by m.F",
		},
		{
			"what is called with it before that is a station, too",
			"m.F(a=1) -> ret0=1\n  m.G(b=1) -> ret0=2\n  m.H(c=2) -> ret0=0",
			"m.F(a=1) -> ret0=1\n  m.G(b=1) -> ret0=8\n  m.H(c=8) -> ret0=0",
			"m.G", "m.G ret0 2/8, m.H called with c 2/8; swallowed by m.F",
		},
	} {
		comparison := diff.Compare(difftest.Spectrum(c.old), difftest.Spectrum(c.new), diff.Options{})
		var from *diff.Node
		comparison.Root.Walk(func(n *diff.Node) bool {
			if string(n.Function) == c.from {
				from = n
			}
			return true
		})
		if got := text(root.ChainOf(comparison, from, diff.Effect{})); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
}

// TestOutput checks that an output ends a chain, and that nothing was swallowed before it.
func TestOutput(t *testing.T) {
	const old, new = "m.F(a=1) -> ret0=1\n  m.G(b=1) -> ret0=2", "m.F(a=1) -> ret0=1\n  m.G(b=1) -> ret0=8"
	comparison := diff.Compare(difftest.Spectrum(old), difftest.Spectrum(new), diff.Options{})
	effect := diff.Effect{Output: true, Path: "stdout", Old: "x", New: "y"}
	from := comparison.Root.Children[0].Children[0]
	if got, want := text(root.ChainOf(comparison, from, effect)), "m.G ret0 2/8, output stdout x/y"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := root.ChainOf(comparison, nil, effect); len(got.Links) != 0 {
		t.Errorf("from nowhere: %v", got)
	}
}

func text(c root.Chain) string {
	var links []string
	for _, l := range c.Links {
		called := ""
		if l.Called {
			called = "called with "
		}
		if l.Output {
			called = "output "
		}
		links = append(links, strings.TrimSpace(fmt.Sprintf("%s %s%s %s/%s", l.Function, called, l.Path, l.Old, l.New)))
	}
	if c.Swallowed != "" {
		return strings.Join(links, ", ") + "; swallowed by " + string(c.Swallowed)
	}
	return strings.Join(links, ", ")
}
