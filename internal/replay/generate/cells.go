package generate

import (
	"encoding/binary"
	"hash/fnv"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
)

const (
	most     = 1 << 12 // maximum number of cells; then a new one replaces one that was drawn often
	cellSize = 8       // maximum number of things in a cell
	drawn    = 3       // number of random cells from which the least drawn one is chosen
)

// Cells hold examples, a few of each key, so that rare ones are drawn as often as common ones. A full cell keeps the
// small ones. Draw prefers cells that were drawn least, so the search moves on to new ones. The same calls with the
// same random numbers give the same draws.
type Cells[T any] struct {
	byKey map[uint64]*cell[T]
	cells []*cell[T] // in the order in which they were found
}

type cell[T any] struct {
	key    uint64
	things []sized[T]
	drawn  int
}

type sized[T any] struct {
	thing T
	size  int
}

func newCells[T any]() *Cells[T] {
	return &Cells[T]{byKey: map[uint64]*cell[T]{}}
}

// Len returns the number of cells.
func (c *Cells[T]) Len() int { return len(c.cells) }

// Add puts a thing into the cell of its key. In a full cell it replaces the largest thing if that is larger, and now
// and then a random one.
func (c *Cells[T]) Add(random value.Random, key uint64, size int, thing T) {
	of := c.byKey[key]
	if of == nil {
		of = &cell[T]{key: key}
		c.byKey[key] = of
		if len(c.cells) < most {
			c.cells = append(c.cells, of)
		} else {
			c.replace(random, of)
		}
	}
	if len(of.things) < cellSize {
		of.things = append(of.things, sized[T]{thing, size})
		return
	}
	largest := 0
	for i, other := range of.things {
		if other.size > of.things[largest].size {
			largest = i
		}
	}
	if more := size - of.things[largest].size; more < 0 {
		of.things[largest] = sized[T]{thing, size}
	} else if more == 0 && random.Chance(0.3) {
		of.things[random.IntN(cellSize)] = sized[T]{thing, size}
	}
}

// replace puts a new cell in the place of the most drawn one of some random cells.
func (c *Cells[T]) replace(random value.Random, of *cell[T]) {
	at := random.IntN(len(c.cells))
	for range drawn - 1 {
		if other := random.IntN(len(c.cells)); c.cells[other].drawn > c.cells[at].drawn {
			at = other
		}
	}
	delete(c.byKey, c.cells[at].key)
	c.cells[at] = of
}

// Draw returns a thing from a cell that was seldom drawn. There must be one.
func (c *Cells[T]) Draw(random value.Random) T {
	found := value.Pick(random, c.cells)
	for range drawn - 1 {
		if other := value.Pick(random, c.cells); other.drawn < found.drawn {
			found = other
		}
	}
	found.drawn++
	return value.Pick(random, found.things).thing
}

// cellKey returns the key for a last operation, the difference between the versions, and the changed code that ran,
// sorted.
func cellKey(last, apart string, ran []uint32) uint64 {
	h := fnv.New64a()
	h.Write([]byte(last + "\n" + apart + "\n"))
	slices.Sort(ran)
	for _, id := range slices.Compact(ran) {
		h.Write(binary.LittleEndian.AppendUint32(nil, id))
	}
	return h.Sum64()
}
