package noise

import "github.com/spectradiff/spectradiff/spectra"

// This file brings what the old version showed under the names of the new one.

// names are those of the functions that both versions have.
type names struct {
	oldOf map[spectra.Symbol]spectra.Symbol // by new name
	newOf map[spectra.Symbol]spectra.Symbol // by old name
}

func newNames(common map[spectra.Symbol]spectra.Symbol) names {
	n := names{common, make(map[spectra.Symbol]spectra.Symbol, len(common))}
	for name, oldName := range common {
		n.newOf[oldName] = name
	}
	return n
}

// rename returns a mask of the old version under the new names. A function that only the old version has is
// left out where another function of both versions bears its name by now: it is never compared.
func (n names) rename(m *Mask) *Mask {
	out := &Mask{}
	for site, reason := range m.all {
		function, known := n.newName(site.Function)
		path := site.Path
		if site.State == Calls {
			callee, calleeKnown := n.newName(spectra.Symbol(path))
			path, known = spectra.Path(callee), known && calleeKnown
		}
		if known {
			out.Add(Site{function, site.State, path}, reason)
		}
	}
	return out
}

// newName returns the new name of a function of the old version. One that only the old version has keeps
// its name, and is unknown where that is the name of another function by now.
func (n names) newName(old spectra.Symbol) (name spectra.Symbol, known bool) {
	if name, common := n.newOf[old]; common {
		return name, true
	}
	_, taken := n.oldOf[old]
	return old, !taken
}
