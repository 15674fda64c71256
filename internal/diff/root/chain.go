package root

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Link is one station on the way of a deviation: an execution with the first value that differs in it, or an output.
type Link struct {
	Function spectra.Symbol // "" for what a whole run shows
	Path     string         // what differs there; "" where that is not known
	Old, New string
	Called   bool // it is called with what differs; else it ends with it
	Output   bool // a caller of the module sees it
}

// A Chain is the way of a deviation, from the execution in which it begins to the place where it is noticed or
// swallowed.
type Chain struct {
	Links     []Link
	Swallowed spectra.Symbol // the execution that ends alike although something deviates in it; "" = it is noticed
}

// maxBetween is how many driven calls between the first and the last are listed.
const maxBetween = 3

// ChainOf follows a deviation from the execution in which it begins, from, to the effect that is noticed, or to the
// execution that swallows it. Each link is an execution with the first value that differs when it ends or when it is
// called; the last link may be an output. The same comparison has the same chain.
func ChainOf(c *diff.Comparison, from *diff.Node, effect diff.Effect) Chain {
	var out Chain
	if from == nil || from.Parent == nil {
		return out
	}
	out.Links = append(out.Links, link(from))
	last := from
	for last.Parent != c.Root {
		up := last.Parent
		if up.Exit != diff.Different {
			if beside := laterFollower(last); beside != nil {
				out.Links = append(out.Links, link(beside))
			}
			if !effect.Output {
				out.Swallowed = up.Function
			}
			break
		}
		out.Links = append(out.Links, link(up))
		last = up
	}
	for last.Parent != c.Root {
		last = last.Parent
	}
	if out.Swallowed == "" {
		out.Links = append(out.Links, handedOn(c, last, effect)...)
	}
	if effect.Output {
		out.Links = append(out.Links, Link{
			Function: effect.Function, Path: effect.Path, Old: effect.Old, New: effect.New, Output: true,
		})
	}
	return out
}

// laterFollower returns the last execution behind n, below the same caller, that is called with something else.
func laterFollower(n *diff.Node) *diff.Node {
	at := slices.Index(n.Parent.Children, n)
	for _, sibling := range slices.Backward(n.Parent.Children[at+1:]) {
		if sibling.Class == diff.Follower {
			return sibling
		}
	}
	return nil
}

// handedOn returns the driven calls behind a driven call that begin in another state, up to the one that shows the
// effect.
func handedOn(c *diff.Comparison, driven *diff.Node, effect diff.Effect) []Link {
	end := driven.Step
	for _, o := range c.Outputs {
		if o.Path == effect.Path && o.Old == effect.Old && o.New == effect.New {
			end = max(end, o.Step)
		}
	}
	var links []Link
	for _, n := range c.Root.Children {
		if n.Step > driven.Step && n.Step <= end && n.Class == diff.Follower {
			links = append(links, link(n))
		}
	}
	if len(links) > maxBetween {
		links = append(links[:maxBetween-1:maxBetween-1], links[len(links)-1])
	}
	return links
}

// link returns an execution as a station.
func link(n *diff.Node) Link {
	l := Link{Function: n.Function, Called: n.Class == diff.Follower}
	if d := n.Deviation; d != nil {
		l.Path, l.Old, l.New = string(d.Path), d.Old, d.New
		for _, v := range d.Differences {
			if strings.HasPrefix(string(v.Path), "ret") { // what is returned is what goes on
				l.Path, l.Old, l.New = string(v.Path), v.Old, v.New
				break
			}
		}
	}
	return l
}
