package state

import (
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// mapWalker keeps memory that walks of maps use again and again.
type mapWalker struct {
	iter    MapIter
	entries []mapEntry
	sub     *Walker // digests keys that have no order of their own
}

// A mapEntry is one entry of a map on its way to be sorted.
type mapEntry struct {
	key, elem uintptr
	a, b      uint64 // what it is sorted by
}

func (w *Walker) mapping(n *node, m uintptr, key uint64) {
	if m == 0 {
		w.token(key, wire.ValueNil)
		return
	}
	if beingWritten(memory.At(m)) {
		w.cut(key)
		return
	}
	x := memory.Interface{Type: memory.Descriptor(n.typ), Data: m}
	v := reflect.ValueOf(*(*any)(unsafe.Pointer(&x)))
	length := v.Len()
	if !w.fits(length, 2*length) {
		w.cut(key)
		return
	}
	if w.visit(m, n, key) {
		return
	}
	w.mix(key, uint64(length)|wire.ValueMap<<40)
	if w.rough && !ordered(n.key) {
		return
	}
	if w.values {
		w.out = wire.AppendUint(append(w.out, wire.ValueMap), uint64(w.marks.ids))
		w.out = wire.AppendUint(w.out, uint64(length))
	}
	switch {
	case length == 0:
	case n.key.plain && n.elem.plain:
		w.plainEntries(n, v)
	default:
		w.pairs(n, w.gather(n, v))
	}
}

// plainEntries digests each entry on its own and adds the digests up, so that their order doesn't matter. For
// display they are sorted.
func (w *Walker) plainEntries(n *node, v reflect.Value) {
	h, all := w.h, digest.Hash{}
	if w.values {
		all = w.sortedEntries(n, w.gather(n, v))
	} else {
		m := &w.maps
		m.iter.Reset(v)
		for m.iter.Next() {
			key, elem := m.iter.Entry()
			w.h = digest.Seed
			w.plain(n.key, key, 0)
			w.plain(n.elem, elem, 0)
			all = all.Add(w.h)
		}
		m.iter.Reset(reflect.Value{})
	}
	w.h = h.Pair(all.A, all.B)
	if w.count > w.budget {
		w.cut(0)
	}
}

// sortedEntries walks plain entries in their order and adds up their digests.
func (w *Walker) sortedEntries(n *node, entries []mapEntry) (all digest.Hash) {
	floor := w.floor
	w.floor = len(w.stack)
	for i := range entries {
		w.h = digest.Seed
		w.walk(n.key, entries[i].key, 0)
		w.walk(n.elem, entries[i].elem, 0)
		all = all.Add(w.h)
	}
	w.floor = floor
	return all
}

// pairs walks entries, leaving them on the stack.
func (w *Walker) pairs(n *node, entries []mapEntry) {
	for i := len(entries) - 1; i >= 0; i-- { // the stack is last in, first out
		w.push(n.elem, entries[i].elem, 1)
		w.push(n.key, entries[i].key, 1)
	}
}

// gather returns the entries in the order of their keys.
func (w *Walker) gather(n *node, v reflect.Value) []mapEntry {
	m := &w.maps
	entries := m.entries[:0]
	m.iter.Reset(v)
	for m.iter.Next() {
		key, elem := m.iter.Entry()
		entries = append(entries, w.order(n, key, elem))
	}
	m.iter.Reset(reflect.Value{})
	m.entries = entries
	switch {
	case n.key.op == opString:
		slices.SortFunc(entries, compareTexts)
	default:
		slices.SortFunc(entries, compareEntries)
		if !n.key.unique {
			w.separate(n, entries)
		}
	}
	return entries
}

// order prepares an entry for sorting: by the key, by the start of a text, or by a rough digest of a key that has
// no order of its own.
//
// Entries that look alike to the end stay in the order of the map. A state in which something later distinguishes
// them may have one digest or another.
func (w *Walker) order(n *node, key, elem uintptr) mapEntry {
	e := mapEntry{key: key, elem: elem}
	switch n.key.op {
	case opString:
		e.a = start(*(*string)(memory.At(key)))
	case opInt:
		e.a = n.key.word(key) + 1<<63
	case opUint, opBool:
		e.a = n.key.word(key)
	default:
		e.a, e.b = w.told(n.key, key)
	}
	return e
}

// ordered reports whether keys of the type have an order of their own.
func ordered(n *node) bool {
	return n.op == opString || n.op == opInt || n.op == opUint || n.op == opBool
}

// separate orders those entries by their elements whose keys look alike.
func (w *Walker) separate(n *node, entries []mapEntry) {
	for first := 0; first < len(entries); {
		end := first + 1
		for end < len(entries) && compareEntries(entries[first], entries[end]) == 0 {
			end++
		}
		if alike := entries[first:end]; len(alike) > 1 {
			for i := range alike {
				_, alike[i].b = w.told(n.elem, alike[i].elem)
			}
			slices.SortFunc(alike, compareEntries)
		}
		first = end
	}
}

// told returns what distinguishes a value from others of its type: the place it refers to, if that was visited,
// else what it holds.
func (w *Walker) told(n *node, p uintptr) (a, b uint64) {
	if h, ok := w.placed(n, p); ok {
		return h.Sum()
	}
	return w.apart(n, p)
}

// placed returns the place that a value refers to, if the walk was there.
func (w *Walker) placed(n *node, p uintptr) (h digest.Hash, ok bool) {
	r := region{elem: n, count: 1}
	switch n.op {
	case opPointer:
		r.p, r.elem = *(*uintptr)(memory.At(p)), n.elem
	case opChan, opMap:
		r.p = *(*uintptr)(memory.At(p))
	case opInterface:
		typ := *(*uintptr)(memory.At(p))
		if typ != 0 && !n.eface {
			typ = *(*uintptr)(memory.At(typ + unsafe.Sizeof(uintptr(0))))
		}
		if typ == 0 || !nodeAt(typ).direct {
			return h, false
		}
		return w.placed(nodeAt(typ), p+unsafe.Sizeof(uintptr(0)))
	default:
		return h, false
	}
	if r.p == 0 || r.elem.size == 0 {
		return h, false
	}
	met := w.marks.overlapping(&r)
	for i := len(met) - 1; i >= 0; i-- {
		e, t := &met[i], trail{h: digest.Seed}
		if r.p >= e.p && r.end() <= e.end() && t.find(e, &r) {
			return t.h.Pair(wire.ValueRef, uint64(e.id)), true
		}
	}
	return h, false
}

// roughNodes is how much of a key is looked at to find its place.
const roughNodes = 1 << 10

// apart digests the beginning of a value on its own, to order it among others. The state's digest has all of it.
// Maps inside whose keys would have to be ordered in the same way count by their length, because a key may reach
// the map that it is in.
func (w *Walker) apart(n *node, p uintptr) (a, b uint64) {
	if w.maps.sub == nil {
		w.maps.sub = &Walker{rough: true}
	}
	s := w.maps.sub
	s.Reset(false)
	s.budget = roughNodes
	s.walk(n, p, 0)
	w.count += s.count
	return s.h.Sum()
}

// start returns the first 8 bytes of a text, as a number that sorts as they do.
func start(s string) uint64 {
	x := uint64(0)
	for i := range min(len(s), 8) {
		x |= uint64(s[i]) << (56 - 8*i)
	}
	return x
}

func compareEntries(x, y mapEntry) int {
	switch {
	case x.a != y.a:
		return sign(x.a < y.a)
	case x.b != y.b:
		return sign(x.b < y.b)
	}
	return 0
}

func compareTexts(x, y mapEntry) int {
	if x.a != y.a {
		return sign(x.a < y.a)
	}
	return strings.Compare(*(*string)(memory.At(x.key)), *(*string)(memory.At(y.key)))
}

// sign turns the answer of a comparison of what is not equal into a sign.
func sign(less bool) int {
	if less {
		return -1
	}
	return 1
}
