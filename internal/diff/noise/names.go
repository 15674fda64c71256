package noise

import "github.com/spectradiff/spectradiff/internal/spectra"

// names are the names of the functions that both versions have.
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
// left out if a function of both versions has its name in the new one: else its sites would hide those of the
// other function.
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

// newName returns the new name of a function of the old version. A function that only the old version has
// keeps its name; known is false if that is the new name of another function.
func (n names) newName(old spectra.Symbol) (name spectra.Symbol, known bool) {
	if name, common := n.newOf[old]; common {
		return name, true
	}
	_, taken := n.oldOf[old]
	return old, !taken
}
