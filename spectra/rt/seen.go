package rt

// This file defines the table of visited nodes: an open-addressing hash table that is emptied by
// raising a generation, so a walk of a small state costs nothing for a large one before it.

// seenTable maps ⟨address, type⟩ to the number of the first visit.
type seenTable struct {
	entries    []seenEntry
	generation uint32
	used       int
}

type seenEntry struct {
	p          uintptr
	node       *node
	length     int // elements visited, for slices
	id         uint32
	generation uint32
}

func (t *seenTable) reset() {
	if t.entries == nil {
		t.entries = make([]seenEntry, 256)
	}
	t.generation++
	t.used = 0
	if t.generation == 0 { // wrapped around: old entries could look new
		clear(t.entries)
		t.generation = 1
	}
}

// find looks the node up. A node that is not there, or was visited with fewer elements, gets id.
func (t *seenTable) find(p uintptr, n *node, length, id int) (int, bool) {
	if t.used*2 >= len(t.entries) {
		t.grow()
	}
	e := t.slot(p, n)
	if e.generation == t.generation {
		if e.length >= length {
			return int(e.id), true
		}
	} else {
		t.used++
	}
	*e = seenEntry{p, n, length, uint32(id), t.generation}
	return 0, false
}

// slot returns the entry of the node, or the free one where it belongs.
func (t *seenTable) slot(p uintptr, n *node) *seenEntry {
	mask := uintptr(len(t.entries) - 1)
	for i := (p*0x9e3779b97f4a7c15>>20 ^ uintptr(n.hash)) & mask; ; i = (i + 1) & mask {
		e := &t.entries[i]
		if e.generation != t.generation || e.p == p && e.node == n {
			return e
		}
	}
}

func (t *seenTable) grow() {
	old := t.entries
	t.entries = make([]seenEntry, 2*len(old))
	for i := range old {
		if old[i].generation == t.generation {
			*t.slot(old[i].p, old[i].node) = old[i]
		}
	}
}
