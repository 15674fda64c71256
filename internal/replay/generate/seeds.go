package generate

import (
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

const (
	seedShare  = 0.3 // share of an operation's calls that start from a seed, if it has seeds
	seedsFirst = 0.5 // share of a batch while there are unused seeds
	seedVaried = 0.3 // share of the known arguments that are changed
)

// plant gives the calls of tests to their operations as seeds. Those that can reach changed code come first.
func (g *generator) plant(calls []carve.Call) {
	g.byName = map[string]*Operation{}
	for _, op := range g.ops {
		g.byName[op.Of.Name] = op
	}
	var last []*carve.Call
	for i := range calls {
		c := &calls[i]
		op := g.byName[c.Op]
		switch {
		case op == nil || len(c.Args) != len(op.Params):
			continue
		case op.Reaches():
			g.seeds = append(g.seeds, c)
		default:
			last = append(last, c)
		}
		past := g.histories.of(op)
		past.seeds = append(past.seeds, c)
	}
	g.seeds = append(g.seeds, last...)
}

// seeded returns the next candidate from a seed. It returns nil if there is none, and by chance to leave the turn to
// others.
func (g *generator) seeded() *candidate {
	if len(g.seeds) == 0 || !g.random.Chance(seedsFirst) {
		return nil
	}
	c, d := g.seeds[0], &draft{}
	if g.seeds = g.seeds[1:]; g.callWith(d, g.byName[c.Op], 0, c) {
		return d.candidate(0)
	}
	return nil
}

// varying changes some of the known arguments a little, also in calls that make arguments.
func (g *generator) varying(known *carve.Call) *carve.Call {
	return known.With(func(v sequence.Value) (sequence.Value, bool) {
		if !g.random.Chance(seedVaried) {
			return v, false
		}
		return g.values.Nudged(v)
	})
}

// known returns a known argument, or the result of the call that makes it. It returns false if neither is known or the
// call can't be made.
func (g *generator) known(d *draft, known *carve.Call, i, calls int) (sequence.Value, bool) {
	if known != nil && known.Args[i] != nil {
		return *known.Args[i], true
	}
	if known == nil || i >= len(known.From) || known.From[i] == nil || len(d.statements) > g.limits.Length {
		return sequence.Value{}, false
	}
	m, op := known.From[i], g.byName[known.From[i].Call.Op]
	if op == nil || g.histories.of(op).Killed > 0 || m.Result >= len(op.Results) ||
		len(m.Call.Args) != len(op.Params) || !g.callWith(d, op, calls+1, &m.Call) {
		return sequence.Value{}, false
	}
	return available{len(d.statements) - 1, m.Result, op.Results[m.Result]}.ref(), true
}
