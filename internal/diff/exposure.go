package diff

import (
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

func (c *comparer) exposure(old, new *spectra.Spectrum, result *Comparison) Exposure {
	x := Exposure{Output: len(result.Outputs) > 0}
	x.Hit, x.Count = spectra.Differ(old, new, c.identity(spectra.Old), c.identity(spectra.New))
	x.Trace = x.Count
	if !x.Trace && !c.orderMasked(result.Root) {
		x.Trace = !old.Trace(c.identity(spectra.Old)).Equal(new.Trace(c.identity(spectra.New)))
	}
	return x
}

// identity returns the key by which executions of one run are told apart; it leaves out those that are not compared.
func (c *comparer) identity(side spectra.Side) spectra.Identity {
	r := *c.runs.Of(side)
	return func(e *spectra.Execution) (spectra.Entity, bool) {
		f := r.factsOf(e)
		entity := f.Entity
		if side == spectra.Old {
			entity.Entry, entity.Exit = c.unify(entity.Entry), c.unify(entity.Exit)
		}
		return entity, f.common && f.entryKnown && f.outKnown && !f.unstable && !f.vague
	}
}

// unify returns the same digest for states with the same values.
func (c *comparer) unify(d spectra.Digest) spectra.Digest {
	if same, ok := c.alike[d]; ok {
		return same
	}
	return d
}

// orderMasked reports whether the order of executions somewhere in this run is unstable.
func (c *comparer) orderMasked(root *Node) bool {
	return !root.Walk(func(n *Node) bool { return !c.Mask.Has(noise.Site{Function: n.Function, State: noise.Order}) })
}
