package diff

import (
	"fmt"

	"github.com/spectradiff/spectradiff/spectra"
)

// This file defines how noise is measured.

// Unstable compares two runs of the same build and returns what differs between them; version
// ("old", "new") goes into the reasons. What was recorded without values is masked as a whole.
func Unstable(first, second *spectra.Spectrum, version string) *Mask {
	m := &Mask{}
	reason := fmt.Sprintf("differs between two runs of the %s version", version)
	// What is masked makes executions alike that were not, and so may pair others: until nothing
	// new shows. Every round but the last adds a site, and sites come from finitely many paths.
	for grown := true; grown; {
		grown = false
		add := func(s Site) {
			grown = grown || !m.has(s)
			m.Add(s, reason)
		}
		c := Compare(first, second, Options{Mask: m})
		c.Root.Walk(func(n *Node) bool {
			for _, site := range n.unstable(m) {
				add(site)
			}
			return true
		})
		for _, o := range c.Outputs {
			add(o.site)
		}
	}
	return m
}

// unstable returns the sites at which the two runs differ in n.
func (n *Node) unstable(m *Mask) []Site {
	var sites []Site
	if n.Moved || n.Class == Reordered {
		sites = append(sites, Site{n.Parent.Function, Order, ""})
	}
	switch n.Class {
	case OldOnly, NewOnly:
		if n.Parent.Class != n.Class {
			sites = append(sites, Site{n.Parent.Function, Calls, spectra.Path(n.Function)})
		}
	case Container, Follower:
		sites = append(sites, n.sites(m, Entry, n.Old.Entry, n.New.Entry, n.Entry == Different)...)
		if n.Old.How != n.New.How {
			return append(sites, Site{n.Function, Exit, ""})
		}
		return append(sites, n.sites(m, Exit, n.Old.Exit, n.New.Exit, n.Exit == Different)...)
	}
	return sites
}

func (n *Node) sites(m *Mask, at State, old, new spectra.State, differs bool) []Site {
	if !differs {
		return nil
	}
	var sites []Site
	for _, d := range differences(old.Slots, new.Slots, m.under(n.Function, at), func(s string) string { return s }) {
		sites = append(sites, Site{n.Function, at, d.general})
	}
	if sites == nil {
		sites = []Site{{n.Function, at, ""}}
	}
	return sites
}

// bringIn marks what is unstable in the new version only as a deviation of its own kind.
func (c *comparer) bringIn(root *Node) {
	if c.Brought == nil {
		return
	}
	root.Walk(func(n *Node) bool {
		if n.Class != Same || n == root {
			return true
		}
		for _, at := range []struct {
			state State
			class Class
		}{{Entry, Follower}, {Exit, Container}, {Calls, Container}} {
			if len(c.Brought.under(n.Function, at.state)) > 0 {
				n.Class = at.class
				n.Deviation = c.nondeterminism(n, at.state)
				break
			}
		}
		return true
	})
}
