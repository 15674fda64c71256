// Package noise holds what is known to differ between two runs of one version, and therefore is
// not compared.
//
// In: places whose values were seen to differ. Out: sets of such places: what a comparison leaves
// out, and what only the new version is unstable in. It always holds that a set hides exactly the
// places it was given; that what one version shows never hides anything of the other one that has
// no counterpart; that the same places give the same set, in whatever order they came. The package
// never runs, measures or compares anything.
package noise

import (
	"cmp"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/spectra"
)

// This file defines masks: what is known to be unstable and therefore is not compared.

// State says which part of an execution a site is about.
type State string

// The parts.
const (
	Entry   State = "entry"
	Exit    State = "exit"
	Calls   State = "calls"  // Path is the function whose executions come and go below this one
	Order   State = "order"  // the callees come in another order
	Outputs State = "output" // Function is the driven one, or "" for the whole sequence
	// Goroutines are those that an execution left behind; Path is empty.
	Goroutines State = "goroutines"
)

// A Site is a place whose values are unstable.
type Site struct {
	Function spectra.Symbol
	State    State
	// Path names the part, with [*] for every index and key; all below it is unstable too. "" =
	// the whole state and how the execution ends.
	Path spectra.Path
}

// Compare orders sites for reports.
func (s Site) Compare(other Site) int {
	return cmp.Or(cmp.Compare(s.Function, other.Function), cmp.Compare(s.State, other.State), cmp.Compare(s.Path, other.Path))
}

// A Mask is a set of sites, each with the reason. It hides those and nothing else. The nil Mask
// is empty.
type Mask struct {
	paths map[stateKey]map[spectra.Path]string
}

type stateKey struct {
	function spectra.Symbol
	state    State
}

// A Masked is a site and why it is masked.
type Masked struct {
	Site
	Reason string
}

// Add adds a site; the first reason stays.
func (m *Mask) Add(s Site, reason string) {
	if m.paths == nil {
		m.paths = map[stateKey]map[spectra.Path]string{}
	}
	key := stateKey{s.Function, s.State}
	if m.paths[key] == nil {
		m.paths[key] = map[spectra.Path]string{}
	}
	if _, ok := m.paths[key][s.Path]; !ok {
		m.paths[key][s.Path] = reason
	}
}

// Union adds the sites of others to m.
func (m *Mask) Union(others ...*Mask) {
	for _, other := range others {
		for _, noise := range other.Sites() {
			m.Add(noise.Site, noise.Reason)
		}
	}
}

// Without returns the sites of m that have nothing in common with a site of other: neither is part of
// the other one.
func (m *Mask) Without(other *Mask) *Mask {
	left := &Mask{}
	for _, noise := range m.Sites() {
		if !other.touches(noise.Site) {
			left.Add(noise.Site, noise.Reason)
		}
	}
	return left
}

// touches says whether a site is part of one in m, or one in m is part of it.
func (m *Mask) touches(s Site) bool {
	for path := range m.Under(s.Function, s.State) {
		switch {
		case path == s.Path, path == "", s.Path == "":
			return true
		case s.State != Calls && (path.Below(s.Path) || s.Path.Below(path)):
			return true
		}
	}
	return false
}

// Renamed returns m, taken from the old version, under the new names of functions; common
// maps functions by their new names to their old ones.
func (m *Mask) Renamed(common map[spectra.Symbol]spectra.Symbol) *Mask {
	newName := make(map[spectra.Symbol]spectra.Symbol, len(common))
	for name, oldName := range common {
		newName[oldName] = name
	}
	out := &Mask{}
	for _, noise := range m.Sites() {
		site := noise.Site
		site.Function = cmp.Or(newName[site.Function], site.Function)
		if site.State == Calls {
			site.Path = spectra.Path(cmp.Or(newName[spectra.Symbol(site.Path)], spectra.Symbol(site.Path)))
		}
		out.Add(site, noise.Reason)
	}
	return out
}

// Size is the number of sites.
func (m *Mask) Size() int {
	n := 0
	for _, paths := range m.paths {
		n += len(paths)
	}
	return n
}

// Sites lists the sites in order.
func (m *Mask) Sites() []Masked {
	if m == nil {
		return nil
	}
	var list []Masked
	for key, paths := range m.paths {
		for path, reason := range maps.All(paths) {
			list = append(list, Masked{Site{key.function, key.state, path}, reason})
		}
	}
	slices.SortFunc(list, func(x, y Masked) int { return x.Site.Compare(y.Site) })
	return list
}

// Has reports whether the mask has exactly that site.
func (m *Mask) Has(s Site) bool {
	_, ok := m.Under(s.Function, s.State)[s.Path]
	return ok
}

// Under returns the masked paths of a state with their reasons. They must not be changed.
func (m *Mask) Under(function spectra.Symbol, state State) map[spectra.Path]string {
	if m == nil {
		return nil
	}
	return m.paths[stateKey{function, state}]
}
