// Package noise holds the places that differ between two runs of one version, and are therefore not compared with the
// other version.
//
// In: places whose values were seen to differ, by version and by the runs that showed it. Out: sets of such places:
// those that a comparison leaves out ("hidden"), and those that became unstable with the new version ("brought": the
// change brought them in).
//
// A set hides exactly the places that were added to it. A place that is unstable in one version never hides a function
// that only the other version has. The same places make the same set, whatever their order. The package never runs,
// measures or compares anything.
package noise

import (
	"cmp"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A State is the part of an execution that a site is about.
type State string

// The parts.
const (
	Entry   State = "entry"
	Exit    State = "exit"
	Calls   State = "calls"  // Path is a callee that Function calls in some runs only
	Order   State = "order"  // the order of the callees
	Outputs State = "output" // Function is the driven one, or "" for the whole sequence
	// Goroutines are the goroutines that an execution left behind; Path is empty.
	Goroutines State = "goroutines"
)

// A Site is a place in the executions of a function that is unstable.
type Site struct {
	Function spectra.Symbol
	State    State
	// Path is the part of the state, with [*] for every index and key; all below it is unstable too. "" = the
	// whole state and the way in which the execution ends.
	Path spectra.Path
}

// Compare orders sites for reports.
func (s Site) Compare(other Site) int {
	return cmp.Or(
		cmp.Compare(s.Function, other.Function),
		cmp.Compare(s.State, other.State),
		cmp.Compare(s.Path, other.Path),
	)
}

// A Mask is a set of sites, each with a reason. It hides these sites and nothing else. The nil Mask is empty.
type Mask struct {
	paths map[part]map[spectra.Path]string
}

// A part is one state of one function.
type part struct {
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
		m.paths = map[part]map[spectra.Path]string{}
	}
	key := part{s.Function, s.State}
	if m.paths[key] == nil {
		m.paths[key] = map[spectra.Path]string{}
	}
	if _, ok := m.paths[key][s.Path]; !ok {
		m.paths[key][s.Path] = reason
	}
}

// Union adds the sites of others to m. Of a site with two reasons the first one stays.
func (m *Mask) Union(others ...*Mask) {
	for _, other := range others {
		for site, reason := range other.all {
			m.Add(site, reason)
		}
	}
}

// Without returns the sites of m that have nothing in common with any site of other: neither is a part of the
// other one.
func (m *Mask) Without(other *Mask) *Mask {
	left := &Mask{}
	for site, reason := range m.all {
		if !other.touches(site) {
			left.Add(site, reason)
		}
	}
	return left
}

// touches reports whether a site is part of one in m, or one in m is part of it.
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

// Size returns the number of sites.
func (m *Mask) Size() int {
	if m == nil {
		return 0
	}
	n := 0
	for _, paths := range m.paths {
		n += len(paths)
	}
	return n
}

// Sites lists the sites in order.
func (m *Mask) Sites() []Masked {
	var list []Masked
	for site, reason := range m.all {
		list = append(list, Masked{site, reason})
	}
	slices.SortFunc(list, func(x, y Masked) int { return x.Site.Compare(y.Site) })
	return list
}

// all visits the sites with their reasons in no order.
func (m *Mask) all(visit func(Site, string) bool) {
	if m == nil {
		return
	}
	for key, paths := range m.paths {
		for path, reason := range paths {
			if !visit(Site{key.function, key.state, path}, reason) {
				return
			}
		}
	}
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
	return m.paths[part{function, state}]
}
