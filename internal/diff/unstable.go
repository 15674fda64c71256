package diff

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Unstable compares two runs of the same build and returns the places that differ; side says which version was built. A
// state that was recorded without values is masked as a whole. What is known to be unstable in that version, in its own
// names, is not looked for again.
func Unstable(first, second *spectra.Spectrum, side spectra.Side, known *noise.Mask) *noise.Mask {
	found, m := &noise.Mask{}, &noise.Mask{}
	m.Union(known)
	reason := fmt.Sprintf("differs between two runs of the %s version", side)
	// A site that is masked may make executions equal that were not. Others are then paired, and show other
	// sites. So the runs are compared until no site is new. That ends: every round but the last adds a site,
	// and there are finitely many.
	for grown := true; grown; {
		sites := Compare(first, second, Options{Mask: m, deviating: true}).unstable(m)
		grown = false
		for _, s := range sites { // not earlier: the comparison reads the mask
			if !m.Has(s) {
				grown = true
				m.Add(s, reason)
				found.Add(s, reason)
			}
		}
	}
	return found
}

// unstable returns the sites at which the two runs differ.
func (c *Comparison) unstable(m *noise.Mask) (sites []noise.Site) {
	c.Root.Walk(func(n *Node) bool {
		sites = append(sites, n.unstable(m)...)
		return true
	})
	for _, o := range c.Outputs {
		sites = append(sites, o.site)
	}
	return sites
}

// unstable returns the sites at which the two runs differ in n.
func (n *Node) unstable(m *noise.Mask) []noise.Site {
	var sites []noise.Site
	if n.Moved || n.Class == Reordered {
		sites = append(sites, noise.Site{Function: n.Parent.Function, State: noise.Order})
	}
	if n.Left {
		sites = append(sites, noise.Site{Function: n.Function, State: noise.Goroutines})
	}
	switch n.Class {
	case OldOnly, NewOnly:
		if n.Parent.Class != n.Class {
			callee := spectra.Path(n.Function)
			sites = append(sites, noise.Site{Function: n.Parent.Function, State: noise.Calls, Path: callee})
		}
	case Container, Follower:
		sites = append(sites, n.sites(m, noise.Entry, n.Old.Entry, n.New.Entry, n.Entry == Different)...)
		if n.Old.How != n.New.How {
			return append(sites, noise.Site{Function: n.Function, State: noise.Exit})
		}
		return append(sites, n.sites(m, noise.Exit, n.Old.Exit, n.New.Exit, n.Exit == Different)...)
	}
	return sites
}

func (n *Node) sites(m *noise.Mask, at noise.State, old, new spectra.State, differs bool) []noise.Site {
	if !differs {
		return nil
	}
	var sites []noise.Site
	same := func(s string) string { return s }
	for _, d := range differences(old.Slots(), new.Slots(), m.Under(n.Function, at), same) {
		sites = append(sites, noise.Site{Function: n.Function, State: at, Path: d.general})
	}
	if sites == nil {
		sites = []noise.Site{{Function: n.Function, State: at}}
	}
	return sites
}

// bringIn turns what is unstable in the new version only into deviations of kind KindNondeterminism. What the driver
// hands to a call can vary only if something before it did: in other sequences the same function may be handed more.
func (c *comparer) bringIn(root *Node) {
	if c.Introduced == nil {
		return
	}
	deviated := false
	root.Walk(func(n *Node) bool {
		if n == root || n.Class != Same {
			deviated = deviated || n != root
			return true
		}
		for _, at := range []struct {
			state noise.State
			class Class
		}{{noise.Entry, Follower}, {noise.Exit, Container}, {noise.Calls, Container}, {noise.Order, Container}} {
			if at.state == noise.Entry && n.Parent == root && !deviated {
				continue
			}
			if path, ok := c.introduced(n, at.state); ok {
				n.Class, deviated = at.class, true
				n.Deviation = nondeterminism(n, at.state, path)
				break
			}
		}
		return true
	})
}

// introduced returns the first path of a state that is unstable in the new version only and at which this
// execution has a value, a call or an order.
func (c *comparer) introduced(n *Node, at noise.State) (spectra.Path, bool) {
	paths := c.Introduced.Under(n.Function, at)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		switch {
		case at == noise.Order && len(n.New.Children) < 2:
		case at == noise.Calls && !c.called(n.New, spectra.Symbol(path)):
		case at == noise.Order, at == noise.Calls, path == "":
			return path, true
		default:
			if shown(stateOf(n.New, at), path, paths[path]) {
				return path, true
			}
		}
	}
	return "", false
}

// shown reports whether a state has a value at a path.
func shown(s spectra.State, path spectra.Path, reason string) bool {
	d := newDigester(s.Slots(), map[spectra.Path]string{path: reason})
	d.walk()
	return d.hidden > 0
}

// called reports whether an execution called a function, by its new name.
func (c *comparer) called(e *spectra.Execution, function spectra.Symbol) bool {
	return slices.ContainsFunc(e.Children, func(callee *spectra.Execution) bool {
		return c.runs.New.factsOf(callee).Symbol == function
	})
}

// introducedOutput returns the deviation of a run whose output as a whole is unstable in the new
// version only; nil where there is none.
func (c *comparer) introducedOutput(new *spectra.Spectrum) *Deviation {
	unstable := c.Introduced.Under("", noise.Outputs)
	for _, stream := range []struct {
		path spectra.Path
		text string
	}{{"stdout", new.Stdout}, {"stderr", new.Stderr}} {
		if _, ok := unstable[stream.path]; ok && stream.text != "" {
			return nondeterminism(nil, noise.Outputs, stream.path)
		}
	}
	return nil
}

// The texts of a deviation of kind KindNondeterminism for the old and for the new version.
const (
	sameAlways    = "the same in every run"
	differsAlways = "different from run to run"
)

func nondeterminism(n *Node, at noise.State, path spectra.Path) *Deviation {
	d := &Deviation{
		Kind: spectra.KindNondeterminism, Node: n, State: at, Path: path,
		Old: sameAlways, New: differsAlways,
	}
	if n != nil {
		d.Function = n.Function
	}
	d.Site = noise.Site{Function: d.Function, State: at, Path: path}
	return d
}
