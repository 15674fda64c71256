package generate

import (
	"github.com/spectradiff/spectradiff/replay/generate/value"
	"github.com/spectradiff/spectradiff/replay/sequence"
)

// This file keeps the values of kept sequences, so that others can use them.

// A pool has the values of one type, and the types whose values fit where that type is wanted.
type pool struct {
	entries []entry     // values of exactly this type
	sources []*typeInfo // types with values that are assignable to this one
	scanned int         // number of types of model.pooled that were examined for sources
}

// An entry is a value of a component that can be used.
type entry struct {
	component *component
	value     available
}

// sourcesOf returns the pooled types whose values fit.
func (m *model) sourcesOf(t *typeInfo) []*typeInfo {
	for ; t.pool.scanned < len(m.pooled); t.pool.scanned++ {
		if from := m.pooled[t.pool.scanned]; m.assignable(from, t) && (!t.empty || !from.fails) {
			t.pool.sources = append(t.pool.sources, from)
		}
	}
	return t.pool.sources
}

// pooled draws a value of a component that fits, and adds the component to the draft.
func (g *generator) pooled(d *draft, t *typeInfo) (sequence.Value, bool) {
	sources := g.model.sourcesOf(t)
	if len(sources) == 0 {
		return sequence.Value{}, false
	}
	return g.drawn(d, value.Pick(g.random, sources))
}

// drawn draws a value of a type from its pool.
func (g *generator) drawn(d *draft, from *typeInfo) (sequence.Value, bool) {
	// Short ones are preferred, because a run's time goes into steps.
	e := value.PickShort(g.random, from.pool.entries, func(e entry) int { return len(e.component.statements) })
	if len(d.statements)+len(e.component.statements) > 2*g.limits.Length {
		return sequence.Value{}, false
	}
	v := e.value
	v.statement += d.include(e.component, g.random.Chance(0.7))
	return v.ref(), true
}

// offer makes a value of a component available to all sequences. If the pool is full, it loses a random
// value, more often one of a long sequence.
func (g *generator) offer(c *component, v available) {
	t := v.t
	limit := 256
	if t.scalar {
		limit = 64
	}
	if len(t.pool.entries) == 0 {
		g.model.pooled = append(g.model.pooled, t)
		if t.function != nil {
			g.functions = append(g.functions, t)
		}
	}
	if len(t.pool.entries) < limit {
		t.pool.entries = append(t.pool.entries, entry{c, v})
		return
	}
	i := g.random.IntN(limit)
	if len(c.statements) <= len(t.pool.entries[i].component.statements) || g.random.Chance(0.3) {
		t.pool.entries[i] = entry{c, v}
	}
}
