package generate

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/generate/novelty"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// mostReaching is the maximum number of remembered components whose last operation can reach changed code.
const mostReaching = 1 << 12

// store adds a sequence to the result, unless it has enough of its class.
func (g *generator) store(k Kept) {
	g.stats.Kept++
	of := &g.stored[k.Class()]
	if *of++; g.limits.OfClass == 0 || *of <= g.limits.OfClass {
		g.kept = append(g.kept, k)
	}
}

// keep adds a legal sequence to the result and makes its values available to others.
func (g *generator) keep(c *candidate, o *Outcome, reason Reason, last *Operation) {
	_, changed := g.hits(o)
	g.store(Kept{sequence.Sequence{Statements: c.statements}, reason, changed, o.Played})
	if reason == NewCoverage || reason == NewOutcome || reason == NewDifference {
		g.earn(c, c.added, len(c.statements))
	}
	if len(c.statements) > g.limits.Length {
		return
	}
	comp := &component{c.draft}
	comp.included = nil
	comp.values = g.usable(c, o)
	for _, v := range comp.values {
		if g.isNewValue(v, o) {
			g.offer(comp, v)
		}
	}
	touched := *c
	touched.values = comp.values
	for _, v := range g.touched(&touched) {
		g.offer(comp, v)
	}
	if changed || last.Reaches() {
		g.compared.wonder(comp)
	}
	if changed || o.Difference != "" {
		known := g.favourites.Len()
		if g.favourites.Add(g.random, g.cellOf(c, o), len(comp.statements), comp); g.favourites.Len() > known {
			g.LastChange = g.Tried
		}
		if len(comp.statements) > slicedLeast {
			if short := comp.sliced(); short != nil {
				g.compared.add(short)
			}
		}
	}
	if last.Reaches() || g.aimless && reason != NewValue && reason != NewState {
		if len(g.reaching) == mostReaching { // forget every second one of the older half
			g.reaching = slices.Concat(everySecond(g.reaching[:mostReaching/2]), g.reaching[mostReaching/2:])
		}
		g.reaching = append(g.reaching, comp)
	}
}

// usable returns the results for later statements: neither nil nor huge. If a call returned an error, only the error is
// usable.
func (g *generator) usable(c *candidate, o *Outcome) []available {
	var values []available
	for i, op := range c.ops {
		if op == nil {
			continue
		}
		failed := i < len(o.Steps) && novelty.Failed(o.Steps[i].Results)
		for r, t := range op.Results {
			if i >= len(o.Steps) || r >= len(o.Steps[i].Results) {
				values = append(values, available{i, r, t}) // a variable
				continue
			}
			result := &o.Steps[i].Results[r]
			if result.Nil || result.Huge || failed && !result.ErrorSet {
				continue
			}
			values = append(values, available{i, r, g.dynamic(t, result.Dynamic)})
		}
	}
	return values
}

// dynamic returns the dynamic type of a result of interface type, if it is known.
func (g *generator) dynamic(static *Type, name string) *Type {
	if name == "" || !static.IsInterface() {
		return static
	}
	if t := g.model.Lookup(name); t != nil && g.model.Assignable(t, static) {
		return t
	}
	return static
}

// isNewValue reports whether the pool lacks a value, and notes the value.
func (g *generator) isNewValue(v available, o *Outcome) bool {
	if v.t.Plain.Basic != nil && v.t.Plain.Basic.Name() == "bool" {
		return false
	}
	if v.statement >= len(o.Steps) || v.result >= len(o.Steps[v.statement].Results) {
		return true
	}
	return g.seen.Known(v.t, o.Steps[v.statement].Results[v.result].Digest)
}

// earn remembers the strings of statements that showed something new.
func (g *generator) earn(c *candidate, from, to int) {
	for i := from; i < to; i++ {
		for param := range c.statements[i].Args {
			c.statements[i].Args[param].EachText(func(text string) {
				g.values.Learn(g.forLiterals(c.ops[i]), param, text)
			})
		}
	}
}
