package generate

import (
	"slices"

	"github.com/spectradiff/spectradiff/replay/sequence"
)

// This file uses calls that somebody wrote down: each is made once as it is, and later ones vary them.

// A Call is a call of an operation of which some arguments are known.
type Call struct {
	Op   string
	Args []*sequence.Value // one for each parameter; nil: any
}

const (
	seedShare  = 0.3 // of the calls of an operation begin with a seed, if it has some
	seedsFirst = 0.5 // of a batch, while there are seeds that were not made
	seedVaried = 0.3 // of the known arguments are changed
)

// plant hands the calls to their operations. Those that can reach changed code are made first.
func (g *generator) plant(calls []Call) {
	byName := map[string]*operation{}
	for _, op := range g.ops {
		byName[op.of.Name] = op
	}
	var last []seed
	for _, c := range calls {
		op := byName[c.Op]
		if op == nil || len(c.Args) != len(op.params) {
			continue
		}
		op.seeds = append(op.seeds, c.Args)
		if s := (seed{op, c.Args}); op.reaches() {
			g.seeds = append(g.seeds, s)
		} else {
			last = append(last, s)
		}
	}
	g.seeds = append(g.seeds, last...)
}

type seed struct {
	op   *operation
	args []*sequence.Value
}

// seeded returns the next candidate that is one of the calls, nil if there is none or it is another one's turn.
func (g *generator) seeded() *candidate {
	if len(g.seeds) == 0 || !g.random.Chance(seedsFirst) {
		return nil
	}
	s := g.seeds[0]
	g.seeds = g.seeds[1:]
	d := &draft{}
	if !g.callWith(d, s.op, 0, s.args) {
		return nil
	}
	return d.candidate(0)
}

// varying changes some of the known arguments a little.
func (g *generator) varying(known []*sequence.Value) []*sequence.Value {
	known = slices.Clone(known)
	for i, v := range known {
		if v != nil && g.random.Chance(seedVaried) {
			if other, ok := g.nudgedWithin(*v, 0); ok {
				known[i] = &other
			}
		}
	}
	return known
}
