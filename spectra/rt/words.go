package rt

// This file records functions whose slots are numbers, short texts or nil, as those of most are,
// without a walk: the same digests as the walk gives.

import (
	"unsafe"

	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// planned is what a slot of a point held when it was met last. Instances of a generic function
// share a point, so that is checked each time.
type planned struct {
	typ  uintptr // of the pointer to the slot
	load load
	kind op // what it is without a load: a text, or something that may be nil
	node *node
}

// learn notes the types of the slots.
func (p *Point) learn(slots []eface) {
	if len(p.plan) >= len(slots) && p.size > 0 {
		return
	}
	for i := len(p.plan); i < len(slots); i++ {
		n := nodeAt(slots[i].typ).elem
		known := planned{typ: slots[i].typ, load: n.load, node: n}
		switch n.op {
		case opString:
			known.kind = opString
		case opPointer, opSlice, opMap, opInterface, opChan, opFunc:
			known.kind = opPointer // nil if its first word is 0
		}
		p.plan = append(p.plan, known)
	}
	head := append(wire.AppendUint([]byte{wire.EventEnter}, uint64(p.id)), 0) // no flags
	p.head, p.size = 0, len(head)
	for i, b := range head {
		p.head |= uint64(b) << (8 * i)
	}
}

// short is the longest text that needs no look at the budget.
const short = 1 << 12

// words digests slots that are all words, short texts or nil; false means that they are not.
func (r *record) words(p *Point, slots []eface) (hash, bool) {
	if p.size == 0 || len(p.plan) < len(slots) || len(p.vars) > 0 || p.order != nil || r.values {
		return hash{}, false
	}
	h, key, plan := seed, uint64(rootKey), p.plan[:len(slots)]
	for i := range slots {
		s, known := &slots[i], &plan[i]
		switch p := at(s.data); {
		case known.typ != s.typ:
			return hash{}, false
		case known.load == loadWord:
			h = h.pair(key, *(*uint64)(p))
		case known.load != loadNone:
			h = h.pair(key, known.node.narrow(s.data))
		case known.kind == opString && len(*(*string)(p)) < short:
			h = h.text(key, *(*string)(p))
		case known.kind == opPointer && *(*uintptr)(p) == 0:
			h = h.pair(key, wire.ValueNil<<40)
		default:
			return hash{}, false
		}
		key++
	}
	r.nodes -= int64(len(slots))
	r.tally.States++
	return h, true
}

func (r *record) enterWords(p *Point, slots []eface) bool {
	h, ok := r.words(p, slots)
	if ok {
		r.put(p.head, p.size, h)
	}
	return ok
}

func (r *record) exitWords(p *Point, slots []eface) bool {
	h, ok := r.words(p, slots)
	if ok {
		r.put(wire.EventExit|wire.ExitReturn<<8, 3, h)
	}
	return ok
}

// put writes an event: the n bytes that are in head, the digest.
func (r *record) put(head uint64, n int, h hash) {
	from := len(r.buf)
	if !littleEndian || cap(r.buf)-from < 8+16 {
		r.buf = wire.AppendWord(wire.AppendWord(wire.AppendWord(r.buf, head)[:from+n], h.a), h.b)
		return
	}
	p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(r.buf)), from)
	*(*uint64)(p) = head
	*(*[2]uint64)(unsafe.Add(p, n)) = [2]uint64{h.a, h.b}
	r.buf = r.buf[:from+n+16]
}

// littleEndian says that words lie in memory as the format has them.
var littleEndian = func() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}()
