package root

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A region is a part of an execution in which a deviation begins according to a heuristic.
type region struct {
	heuristic int        // 1 or 2; 0 = the end or the output of the whole run
	in        *diff.Node // the execution; the tree's root is the driver
	at        *diff.Node // of heuristic 1 the follower, of heuristic 2 the same as in; nil for the whole run
	deviation *diff.Deviation
	hidden    []diff.Hidden // executions in the region of functions that only one version has
	tainted   bool          // something deviates inside an earlier callee that itself does not
}

// regions returns the regions that both heuristics find in all nodes, and one for each deviation of the
// output.
func regions(c *diff.Comparison) []*region {
	within := map[*diff.Node]bool{}
	deviatesWithin(c.Root, within)
	var list []*region
	c.Root.Walk(func(g *diff.Node) bool {
		if g.Clean() {
			if r := first(g, within); r != nil {
				list = append(list, r)
			} else if r := second(g); r != nil {
				list = append(list, r)
			}
		}
		return true
	})
	for _, d := range c.Deviations {
		if d.State == noise.Outputs {
			list = append(list, &region{in: wholeRun(c, d), deviation: d})
		}
	}
	return list
}

// deviatesWithin notes for n and all nodes below it whether something deviates below them.
func deviatesWithin(n *diff.Node, within map[*diff.Node]bool) bool {
	for _, child := range n.Children {
		if deviatesWithin(child, within) || child.Class.Deviates() {
			within[n] = true
		}
	}
	return within[n]
}

// first is heuristic 1: the first deviating callee f of g was entered in another state, so the deviation
// begins in g before it calls f.
func first(g *diff.Node, within map[*diff.Node]bool) *region {
	tainted := false
	for i, f := range g.Children {
		switch {
		case f.Class == diff.Container:
			return nil
		case f.Class.Deviates():
			r := &region{heuristic: 1, in: g, at: f, deviation: f.Deviation, tainted: tainted}
			for _, h := range g.Hidden {
				if h.Before <= i {
					r.hidden = append(r.hidden, h)
				}
			}
			// That g ends in another way explains more than which callee it no longer reaches.
			if d := g.Deviation; d != nil && (d.Kind == spectra.KindPanic || d.Kind == spectra.KindExit) {
				r.deviation = d
			}
			return r
		case within[f]:
			tainted = true
		}
	}
	return nil
}

// second is heuristic 2: g ends in another state and none of its callees deviates, so the deviation begins in
// g.
func second(g *diff.Node) *region {
	deviates := func(n *diff.Node) bool { return n.Class.Deviates() }
	if g.Class != diff.Container || slices.ContainsFunc(g.Children, deviates) {
		return nil
	}
	return &region{heuristic: 2, in: g, at: g, deviation: g.Deviation, hidden: g.Hidden}
}

// wholeRun returns the node in which a run showed another output or end: the driven call, or the deepest
// execution that had not ended on either side.
func wholeRun(c *diff.Comparison, d *diff.Deviation) *diff.Node {
	if d.Node != nil {
		return d.Node
	}
	n := c.Root
	for {
		i := slices.IndexFunc(n.Children, func(n *diff.Node) bool {
			return n.Old != nil && n.New != nil && n.Old.How == spectra.Open && n.New.How == spectra.Open
		})
		if i < 0 {
			return n
		}
		n = n.Children[i]
	}
}

// lines returns the lines of the region in the new version. It reports false if the function has no position.
func (r *region) lines() (spectra.Lines, bool) {
	e := r.in.New
	if e == nil || e.Point == nil {
		return spectra.Lines{}, false
	}
	l := spectra.Lines{File: e.Point.File, Line: e.Point.Line, EndLine: e.Point.EndLine}
	if r.upToCall() {
		l.EndLine = r.at.New.Site
	}
	return l, true
}

// upToCall reports whether the region ends at a call: its line is known, and lies in this function. It does so only if
// the function calls directly, not through a transparent execution or code that is not recorded.
func (r *region) upToCall() bool {
	e, f := r.in.New, r.at
	return r.heuristic == 1 && f.New != nil && slices.Contains(e.Children, f.New) &&
		e.Point.Line <= f.New.Site && f.New.Site <= e.Point.EndLine
}
