package state

import (
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// claimed is the size of a type from which a pointer to it is taken for a cast, such as that of mapped memory to the
// largest array: the memory is not there.
const claimed = 1 << 30

// pointer follows a pointer and, where structs are linked by their last field, those that follow.
func (w *Walker) pointer(n *node, p uintptr, key uint64) {
	for {
		e := n.elem
		switch {
		case p == 0:
			w.token(key, wire.ValueNil)
			return
		case e.size > claimed:
			w.opaque(n, key)
			return
		case e.size == 0:
			w.marks.ids++ // pointers to zero-size values have no identity
		case w.marks.claim(p, e.slots, e.number):
		case w.visit(p, e, key):
			return
		}
		if w.values {
			w.out = wire.AppendUint(append(w.out, wire.ValuePointer), uint64(w.marks.ids))
		}
		if e.words == 0 {
			w.mix(key, wire.ValuePointer<<40)
		}
		if e.op == opPointer || e.op == opInterface {
			w.push(e, p, 1) // they may go on like that for ever
			return
		}
		switch {
		case e.next.node == nil || w.values:
			w.value(e, p, 0) // it leaves what it contains on the stack: no recursion
			return
		case e.linked:
			p = w.follow(e, p)
		default:
			w.h = e.scalars(w.h, p)
			w.count += e.words + 2
			p = *(*uintptr)(memory.At(p + e.next.off))
		}
		n, key = e.next.node, e.next.hash
		if w.count > w.budget {
			w.cut(key)
			return
		}
	}
}

// follow walks a struct of type e, whose memory is claimed, and those it is linked to, as long as
// they are new and the part of the shadow at hand covers them. It returns the pointer where it stopped.
// This loop is the cost of a long list, so it keeps its variables in registers as far as it can.
//
//go:nocheckptr
func (w *Walker) follow(e *node, p uintptr) uintptr {
	m, h := &w.marks, w.h
	here, low, last := unsafe.Pointer(m.here), m.low(), (chunkSlots-e.slots)*8
	id := (mark(m.base)+mark(m.ids))<<32 | e.number
	start := id
	m.most = id + mark(max(w.budget-w.count, 0))<<32
	for {
		h = h.Pair(e.first.hash, *(*uint64)(unsafe.Add(nil, p+e.first.off)))
		if e.words > 1 {
			h = words(h, p, e.whole[1:])
		}
		p = *(*uintptr)(unsafe.Add(nil, p+e.next.off))
		i := p % (chunkSlots * 8)
		if p>>chunkBits != m.at || i > last || i&7 != 0 {
			break
		}
		slots := (*[2]mark)(unsafe.Add(here, i))
		if slots[0] >= low || slots[1] >= low {
			break
		}
		if e.slots > 2 && !m.more(i/8, e.slots, id+1<<32) {
			break
		}
		id += 1 << 32
		slots[0], slots[1] = id, id&^markRest|markInside|1
		if id > m.most {
			break
		}
	}
	m.ids = uint32(id>>32) - m.base
	w.h, w.count = h, w.count+(1+int((id-start)>>32))*(e.words+2)
	return p
}

// more marks the slots from the third on, if none has a mark of this walk.
func (m *marks) more(i, slots uintptr, id mark) bool {
	part := m.here[i+2 : i+slots]
	if !unmarked(part, m.low()) {
		return false
	}
	for j := range part {
		part[j] = id&^markRest | markInside | mark(j+2)
	}
	return true
}
