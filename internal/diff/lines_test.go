package diff_test

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
)

func TestLines(t *testing.T) {
	old := difftest.Spectrum(`m.Other() ->
m.F(a=1) -> ret0=1
  m.G(a=1) ->
    m.H(a=1) ->
  m.G(a=2) ->
  m.P(x=1) ->
    m.Q(x=1) -> ret0=1
  go m.Late(z=1) ->`)
	new := difftest.Spectrum(`m.Other() ->
m.F(a=1) -> ret0=2
  m.G(a=1) ->
    m.H(a=1) ->
  m.G(a=2) ->
  m.P(x=1) ->
    m.Q(x=2) -> ret0=1
  m.R(y=1) ->
    m.H(a=5) ->
  go m.Late(z=1) -> panic=x !panic`)
	c := diff.Compare(old, new, diff.Options{})
	isP := func(n *diff.Node) bool { return n.Function == "m.P" }
	const want = `… 1 call unchanged
F [container]
  … 3 calls unchanged
  P <- root
    Q [follower]
  R [follower] only in the new run
    H [follower] only in the new run
  go Late [container] panic
`
	if got := difftest.Tree(c.Lines(isP, 0)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	const cut = "… 1 call unchanged\nF [container]\n… 8 calls more\n"
	if got := difftest.Tree(c.Lines(nil, 3)); got != cut {
		t.Errorf("cut to three lines:\n%s\nwant\n%s", got, cut)
	}
}
