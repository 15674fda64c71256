package state

import (
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

func (w *Walker) slice(n *node, s *memory.Slice, key uint64) {
	if s.Data == 0 {
		w.token(key, wire.ValueNil)
		return
	}
	text := n.elem.op == opUint && n.elem.size == 1
	if !w.roomFor(n.elem, s.Len, text) {
		w.cut(key)
		return
	}
	if s.Len == 0 || n.elem.size == 0 {
		w.marks.ids++
	} else if w.visitSlice(s, n.elem, key) {
		return
	}
	w.mix(key, uint64(s.Len)|wire.ValueSlice<<40)
	if n.elem.flat && (!w.values || text) {
		w.flat(s.Data, s.Len, n.elem)
		return
	}
	if n.elem.plain && !w.values {
		w.series(n.elem, s.Data, s.Len)
		return
	}
	if w.values {
		w.out = wire.AppendUint(append(w.out, wire.ValueSlice), uint64(w.marks.ids))
		w.out = wire.AppendUint(w.out, uint64(s.Len))
	}
	w.push(n.elem, s.Data, s.Len)
}

// roomFor reports whether count elements are within the budget. Memory that is digested as a whole
// counts a node for every 64 bytes.
func (w *Walker) roomFor(elem *node, count int, text bool) bool {
	if elem.flat && (!w.values || text) {
		size := count * int(elem.size)
		return w.fits(size>>6, size)
	}
	return w.fits(count, count)
}

// flat digests the memory of a slice or array at once.
func (w *Walker) flat(p uintptr, count int, elem *node) {
	size := uintptr(count) * elem.size
	w.count += int(size >> 6)
	w.h = w.h.Memory(0, p, size)
	if w.values {
		w.out = wire.AppendUint(append(w.out, wire.ValueBytes), uint64(w.marks.ids))
		w.out = wire.AppendString(w.out, unsafe.String((*byte)(memory.At(p)), count))
	}
}

func (w *Walker) array(n *node, p uintptr, key uint64) {
	if !w.roomFor(n.elem, n.len, false) {
		w.cut(key)
		return
	}
	w.mix(key, uint64(n.len)|wire.ValueArray<<40)
	if n.flat && !w.values {
		w.flat(p, n.len, n.elem)
		return
	}
	if n.plain && !w.values {
		w.series(n.elem, p, n.len)
		return
	}
	if w.values {
		w.out = wire.AppendUint(append(w.out, wire.ValueArray), uint64(n.len))
	}
	w.push(n.elem, p, n.len)
}

func (w *Walker) channel(n *node, p uintptr, key uint64) {
	if p == 0 {
		w.token(key, wire.ValueNil)
		return
	}
	c := ChannelAt(n.typ, p)
	if !w.fits(c.Known, c.Known) {
		w.cut(key)
		return
	}
	if w.visit(p, n, key) {
		return
	}
	closed, kind := uint64(0), byte(wire.ValueChan)
	if c.Closed {
		closed, kind = 1, wire.ValueClosed
	}
	w.mix(key, uint64(c.Capacity)|wire.ValueChan<<40)
	w.mix(0, uint64(c.Length)<<1|closed)
	if w.values {
		w.out = wire.AppendUint(append(w.out, kind), uint64(w.marks.ids))
		w.out = wire.AppendUint(w.out, uint64(c.Capacity))
		w.out = wire.AppendUint(w.out, uint64(c.Known))
	}
	// The ring is walked from its oldest element on: what wraps around comes second.
	first := min(c.Known, c.Capacity-c.Next)
	w.push(n.elem, c.Buffer, c.Known-first)
	w.push(n.elem, c.Buffer+uintptr(c.Next)*n.elem.size, first)
}
