package generate

import (
	"encoding/binary"
	"hash/fnv"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
)

const (
	most     = 1 << 12 // cells; then a new one takes the place of one that was drawn often
	cellSize = 8       // things of one cell
	drawn    = 3       // of so many random cells the one that was drawn least
)

// Cells hold things of a type.
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

// Add puts a thing into its cell. A full cell loses its largest thing, if that is larger, or now and then a random one.
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

// replace puts a cell in the place of that one of some random cells that was drawn most.
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

// Draw returns a thing of a cell that was seldom drawn. There must be one.
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

// Key returns the key of the cell of what a last operation ran, and how it told the versions apart. The list of what
// ran is sorted.
func cellKey(last, apart string, ran []uint32) uint64 {
	h := fnv.New64a()
	h.Write([]byte(last + "\n" + apart + "\n"))
	slices.Sort(ran)
	for _, id := range slices.Compact(ran) {
		h.Write(binary.LittleEndian.AppendUint32(nil, id))
	}
	return h.Sum64()
}
