package diff

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// notRun is what a place shows of a function that new does not run where old does.
const notRun = "not run"

// Shows returns what a place in the states of a function's executions shows in new, where it differs from old; false
// where it does not in any. Of several values it is the wanted one, or else the first.
func (c *Comparison) Shows(function spectra.Symbol, at noise.State, path spectra.Path, wanted string) (string, bool) {
	value, found := "", false
	take := func(text string) {
		if !found || text == wanted {
			value, found = text, true
		}
	}
	if c.Root == nil { // it is dropped where nothing deviates
		return "", false
	}
	absent := false
	c.Root.Walk(func(n *Node) bool {
		switch {
		case n.Function != function:
		case n.New == nil:
			absent = true
		case n.Old != nil:
			of, recorded := n.states(at)
			if !recorded {
				break
			}
			differing := States(of.Old, of.New)
			if i := slices.IndexFunc(differing, func(d Difference) bool { return d.Path == path }); i >= 0 {
				take(differing[i].New)
			}
		}
		return true
	})
	if !found && absent {
		return notRun, true
	}
	return value, found
}

// states returns one of the states of an execution in both versions, and whether both were recorded with values.
func (n *Node) states(at noise.State) (of spectra.Pair[spectra.State], recorded bool) {
	if n.Old == nil || n.New == nil {
		return of, false
	}
	of = spectra.Pair[spectra.State]{Old: n.Old.Entry, New: n.New.Entry}
	if at == noise.Exit {
		of = spectra.Pair[spectra.State]{Old: n.Old.Exit, New: n.New.Exit}
	}
	return of, of.Old.Recorded() && of.New.Recorded()
}
