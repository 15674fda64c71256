package generate

import (
	"encoding/binary"
	"hash/fnv"
	"slices"

	"github.com/spectradiff/spectradiff/replay/generate/value"
	"github.com/spectradiff/spectradiff/replay/sequence"
)

// This file keeps the sequences that reached changed code, in cells: those that run the same of it, by the same
// operation, with the same difference between the versions. Cells that were seldom drawn come first, so that what is
// rare is built upon as much as what is easily reached, and the search goes on when a difference is known.

const (
	cellSize    = 8 // sequences of one cell
	drawnCells  = 3 // of so many random cells the one that was drawn least
	slicedLeast = 3 // statements of a sequence of which only what is needed is tried
)

// Favourites are the cells.
type favourites struct {
	byKey map[uint64]*cell
	cells []*cell // in the order in which they were found
}

type cell struct {
	components []*component
	drawn      int
}

// add puts a component into its cell. A full cell loses its longest sequence, or now and then a random one.
func (f *favourites) add(random value.Random, key uint64, c *component) {
	of := f.byKey[key]
	if of == nil {
		of = &cell{}
		f.byKey[key] = of
		f.cells = append(f.cells, of)
	}
	if len(of.components) < cellSize {
		of.components = append(of.components, c)
		return
	}
	longest := 0
	for i, other := range of.components {
		if len(other.statements) > len(of.components[longest].statements) {
			longest = i
		}
	}
	if more := len(c.statements) - len(of.components[longest].statements); more < 0 {
		of.components[longest] = c
	} else if more == 0 && random.Chance(0.3) {
		of.components[random.IntN(cellSize)] = c
	}
}

// draw returns a component of a cell that was seldom drawn, nil if there is none.
func (f *favourites) draw(random value.Random) *component {
	if len(f.cells) == 0 {
		return nil
	}
	found := value.Pick(random, f.cells)
	for range drawnCells - 1 {
		if other := value.Pick(random, f.cells); other.drawn < found.drawn {
			found = other
		}
	}
	found.drawn++
	return value.Pick(random, found.components)
}

// cellOf returns the key of the cell of a sequence.
func (g *generator) cellOf(c *candidate, o *Outcome) uint64 {
	h := fnv.New64a()
	last := ""
	for _, op := range c.ops {
		if op != nil && op.reaches() {
			last = op.of.Name
		}
	}
	h.Write([]byte(last + "\n" + o.Apart + "\n"))
	ran := slices.DeleteFunc(slices.Clone(o.Coverage), func(id uint32) bool {
		return g.in.Changed == nil || !g.in.Changed(id)
	})
	slices.Sort(ran)
	for _, id := range slices.Compact(ran) {
		h.Write(binary.LittleEndian.AppendUint32(nil, id))
	}
	return h.Sum64()
}

// sliced returns the candidate of those statements of a component that its last operation on the way to changed code
// needs. It returns nil if that is all of them.
func (c *component) sliced() *candidate {
	last := len(c.statements) - 1
	for last > 0 && (c.ops[last] == nil || !c.ops[last].reaches()) {
		last--
	}
	needed := make([]bool, last+1)
	needed[last] = true
	for i := last; i >= 0; i-- {
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
