package generate

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// slicedLeast is the number of statements that slicing must save.
const slicedLeast = 3

// cellOf returns the cell key of a sequence: sequences in one cell run the same changed code, end with the same
// operation, and show the same difference between the versions.
func (g *generator) cellOf(c *candidate, o *Outcome) uint64 {
	last := ""
	for _, op := range c.ops {
		if op != nil && op.Reaches() {
			last = op.Of.Name
		}
	}
	return cellKey(last, o.Difference, g.changed(o))
}

// changed returns the counters in changed code that a sequence hit.
func (g *generator) changed(o *Outcome) []uint32 {
	return slices.DeleteFunc(slices.Clone(o.Coverage), func(id uint32) bool {
		return g.in.Changed == nil || !g.in.Changed(id)
	})
}

// sliced returns a candidate with only those statements of a component that its last operation on the way to changed
// code needs. It returns nil if these are all.
func (c *component) sliced() *candidate {
	last := len(c.statements) - 1
	for last > 0 && (c.ops[last] == nil || !c.ops[last].Reaches()) {
		last--
	}
	needed := make([]bool, last+1)
	needed[last] = true
	for i := last; i >= 0; i-- {
		needed[i] = needed[i] || c.ops[i].Sets()
		if needed[i] {
			c.statements[i].EachRef(func(ref *sequence.Value) { needed[ref.Statement] = true })
		}
	}
	d, places := &draft{risky: c.risky}, make([]int, last+1)
	for i := range needed {
		if !needed[i] {
			continue
		}
		places[i] = len(d.statements)
		d.append(c.statements[i].Replace(func(ref sequence.Value) sequence.Value {
			ref.Statement = places[ref.Statement]
			return ref
		}), c.ops[i])
	}
	if len(d.statements) == len(c.statements) {
		return nil
	}
	return d.candidate(0)
}
