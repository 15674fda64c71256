package diff

import (
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/spectra"
)

// This file decides which kinds of spectra show that two runs differ.

func (c *comparer) exposure(old, new *spectra.Spectrum, result *Comparison) Exposure {
	x := Exposure{Output: len(result.Outputs) > 0}
	x.Hit, x.Count = spectra.Differ(old, new, c.identity(true), c.identity(false))
	x.Trace = x.Count
	if !x.Trace && !c.orderMasked(result.Root) {
		x.Trace = !old.Trace(c.identity(true)).Equal(new.Trace(c.identity(false)))
	}
	return x
}

// identity returns what executions of one run are told apart by; it leaves out those that are not compared.
func (c *comparer) identity(isOld bool) spectra.Identity {
	return func(e *spectra.Execution) (spectra.Entity, bool) {
		f := c.facts[e]
		entity := f.Entity
		if isOld {
			entity.Entry, entity.Exit = c.unify(entity.Entry), c.unify(entity.Exit)
		}
		return entity, f.common && f.entryKnown && f.outKnown && !f.unstable && !c.vague[e]
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
