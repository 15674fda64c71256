package rt

// This file defines the table of visited nodes: an open-addressing hash table that is emptied by
// raising a generation, so a walk of a small state costs nothing for a large one before it.

import "math"

// seenTable maps ⟨address, type⟩ to the number of the first visit.
type seenTable struct {
	entries    []seenEntry
	lengths    []uint32 // by entry: elements visited, for slices
	generation uint32
	used       int
}

type seenEntry struct {
	key        uint64
	id         uint32
	generation uint32
}

// firstEntries is the size of a new table; sizes are powers of two.
const firstEntries = 256

func (t *seenTable) reset() {
	t.generation++
	t.used = 0
	if t.generation == 0 || t.entries == nil {
		t.renew(max(firstEntries, len(t.entries)))
	}
}

// renew makes an empty table.
func (t *seenTable) renew(size int) {
	t.entries, t.lengths = make([]seenEntry, size), make([]uint32, size)
	t.generation, t.used = 1, 0
}

// find looks the node up. A node that is not there, or was visited with fewer elements, gets id.
func (t *seenTable) find(p uintptr, n *node, length, id int) (int, bool) {
	// Addresses have 48 bits in Go; the number of the type fills the word up.
	key := uint64(p)<<16 | n.number&0xffff
	size := uint32(min(length, math.MaxInt32))
	i := t.place(key)
	e := &t.entries[i]
	if e.generation == t.generation {
		if t.lengths[i] >= size {
			return int(e.id), true
		}
		e.id, t.lengths[i] = uint32(id), size
		return 0, false
	}
	*e = seenEntry{key, uint32(id), t.generation}
	t.lengths[i] = size
	if t.used++; t.used*2 > len(t.entries) {
		t.grow()
	}
	return 0, false
}

// place returns the index of the entry with that key, or of the free one where it belongs.
// Neighbours in memory are neighbours in the table: what was allocated together is found in few
// cache lines.
func (t *seenTable) place(key uint64) int {
	entries := t.entries
	mask := len(entries) - 1
	page := key >> 28 * 0x9e3779b97f4a7c15 >> 32
	for i := int(page+key>>20&0xff+key&0xffff) & mask; ; i = (i + 1) & mask {
		if e := &entries[i]; e.generation != t.generation || e.key == key {
			return i
		}
	}
}

func (t *seenTable) grow() {
	entries, lengths, generation, used := t.entries, t.lengths, t.generation, t.used
	t.renew(2 * len(entries))
	for i := range entries {
		if entries[i].generation == generation {
			at := t.place(entries[i].key)
			t.entries[at] = entries[i]
			t.entries[at].generation = t.generation
			t.lengths[at] = lengths[i]
		}
	}
	t.used = used
}
