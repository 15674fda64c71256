package generate

import (
	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A pool has the values of one type, and the types whose values are assignable to it.
type pool struct {
	entries []entry // values of exactly this type
	sources []*Type // types with values that are assignable to this one
	scanned int     // number of types of pools.filled already examined for sources
}

// An entry is a usable value of a component.
type entry struct {
	component *component
	value     available
}

// pools are the pools of all types.
type pools struct {
	byID      []*pool
	filled    []*Type // types with values, in the order of their first value
	functions []*Type // function types with values
}

// of returns the pool of a type.
func (p *pools) of(t *Type) *pool {
	for len(p.byID) <= t.ID {
		p.byID = append(p.byID, &pool{})
	}
	return p.byID[t.ID]
}

// fill notes the first value of a type.
func (p *pools) fill(t *Type) {
	p.filled = append(p.filled, t)
	if t.Function != nil {
		p.functions = append(p.functions, t)
	}
}

// sourcesOf returns the types with values that are assignable to a type.
func (p *pools) sourcesOf(m *Model, t *Type) []*Type {
	own := p.of(t)
	for ; own.scanned < len(p.filled); own.scanned++ {
		if from := p.filled[own.scanned]; m.Assignable(from, t) && (!t.Empty || !from.Fails) {
			own.sources = append(own.sources, from)
		}
	}
	return own.sources
}

// pooled draws a fitting value of a component and adds the component to the draft.
func (g *generator) pooled(d *draft, t *Type) (sequence.Value, bool) {
	sources := g.pools.sourcesOf(g.model, t)
	if len(sources) == 0 {
		return sequence.Value{}, false
	}
	return g.drawn(d, value.Pick(g.random, sources))
}

// drawn draws a value of a type from its pool.
func (g *generator) drawn(d *draft, from *Type) (sequence.Value, bool) {
	// Short ones are preferred, because a run spends its time on steps.
	e := value.PickShort(g.random, g.pools.of(from).entries, func(e entry) int { return len(e.component.statements) })
	if len(d.statements)+len(e.component.statements) > 2*g.limits.Length {
		return sequence.Value{}, false
	}
	v := e.value
	v.statement += d.include(e.component, g.random.Chance(0.7))
	return v.ref(), true
}

// offer makes a value of a component available to all sequences. A full pool loses a random value, more often one of a
// long sequence.
func (g *generator) offer(c *component, v available) {
	t, p := v.t, g.pools.of(v.t)
	limit := 256
	if t.Scalar {
		limit = 64
	}
	if len(p.entries) == 0 {
		g.pools.fill(t)
	}
	if len(p.entries) < limit {
		p.entries = append(p.entries, entry{c, v})
		return
	}
	i := g.random.IntN(limit)
	if len(c.statements) <= len(p.entries[i].component.statements) || g.random.Chance(0.3) {
		p.entries[i] = entry{c, v}
	}
}
