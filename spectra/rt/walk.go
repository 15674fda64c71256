package rt

// This file defines the walk: a state is linearised depth first (Xie, figure 3.2), first visits
// are numbered, later visits are by number. The walk keeps its own stack, so the target's stack
// neither grows nor moves while addresses in it are held as numbers.

import (
	"math"
	"unsafe"
)

// A task is what is left to do of a walk: count values of type node, from address p on.
type task struct {
	node  *node
	p     uintptr
	count int
	field int // index of the next field, for a struct that was begun; -1 for values
}

// walker linearises one state.
type walker struct {
	h         hash
	values    bool
	truncated bool
	count     int // nodes so far
	budget    int
	ids       int
	out       []byte // value tokens
	stack     []task
	seen      seenTable
	maps      mapWalker
}

// defaultNodes is the budget of one walk when the configuration has none.
const defaultNodes = 1 << 20

func (w *walker) reset(values bool) {
	w.h = hash{}
	w.values = values
	w.truncated = false
	w.count, w.ids = 0, 0
	w.budget = config.nodes
	if w.budget == 0 {
		w.budget = defaultNodes
	}
	w.out = w.out[:0]
	w.seen.reset()
	w.maps.free = 0
}

// slots walks the slots of a point that its mask keeps. The digest numbers those that are kept,
// so that a slot which only one version has does not shift the others.
func (w *walker) slots(p *Point, slots []eface) {
	kept := 0
	for i := range slots {
		if p.mask>>min(i, 63)&1 == 0 {
			continue
		}
		w.root(i, kept)
		kept++
		w.walk(nodeAt(slots[i].typ).elem, slots[i].data)
	}
}

// globals walks the package variables that the point's function may touch.
func (w *walker) globals(p *Point) {
	for _, v := range p.vars {
		e := (*eface)(unsafe.Pointer(&v.Ptr))
		w.slot(SlotGlobal+v.index, nodeAt(e.typ).elem, e.data)
	}
}

// slot walks one root of the state.
func (w *walker) slot(number int, n *node, p uintptr) {
	w.root(number, number)
	w.walk(n, p)
}

// root begins a root of the state: its number for display, and its number in the digest.
func (w *walker) root(number, digested int) {
	w.h.word(uint64(digested) | 1<<32)
	if w.values {
		w.out = appendUvarint(w.out, uint64(number))
	}
}

// walk linearises the value of type n at p.
func (w *walker) walk(n *node, p uintptr) {
	base := len(w.stack)
	w.value(n, p)
	for len(w.stack) > base {
		t := &w.stack[len(w.stack)-1]
		if t.field >= 0 {
			w.nextField(t)
			continue
		}
		n, p := t.node, t.p
		t.p += n.size
		if t.count--; t.count == 0 {
			w.stack = w.stack[:len(w.stack)-1]
		}
		w.value(n, p)
	}
}

// nextField goes on with a struct whose fields are walked one by one.
func (w *walker) nextField(t *task) {
	f := &t.node.fields[t.field]
	p := t.p + f.off
	if t.field++; t.field == len(t.node.fields) {
		w.stack = w.stack[:len(w.stack)-1]
	}
	w.h.word(f.hash)
	if w.values {
		w.out = appendString(w.out, f.name)
	}
	w.value(f.node, p)
}

// push adds count values to what is left to do; they come before what is left already.
func (w *walker) push(n *node, p uintptr, count int) {
	if count > 0 {
		w.stack = append(w.stack, task{n, p, count, -1})
	}
}

// value linearises one value, leaving what it contains on the stack.
func (w *walker) value(n *node, p uintptr) {
	w.count++
	if w.count > w.budget {
		w.truncated = true
		w.token(ValueTruncated)
		return
	}
	switch n.op {
	case opBool, opInt, opUint, opFloat, opComplex, opString, opFunc:
		w.scalar(n, p)
	case opPointer:
		w.pointer(n, *(*uintptr)(at(p)))
	case opSlice:
		w.slice(n, (*sliceHeader)(at(p)))
	case opArray:
		w.array(n, p)
	case opStruct:
		w.structure(n, p)
	case opMap:
		w.mapping(n, p)
	case opInterface:
		w.iface(n, p)
	case opChan:
		w.channel(n, *(*uintptr)(at(p)))
	case opType:
		w.typeValue(*(*uintptr)(at(p)))
	default:
		w.opaque(n)
	}
}

// token writes a bare token; the digest gets it too.
func (w *walker) token(kind byte) {
	w.h.word(uint64(kind) << 40)
	if w.values {
		w.out = append(w.out, kind)
	}
}

func (w *walker) opaque(n *node) {
	w.h.word(n.hash)
	if w.values {
		w.out = appendString(append(w.out, ValueOpaque), n.name)
	}
}

func (w *walker) typeValue(descriptor uintptr) {
	if descriptor == 0 {
		w.token(ValueNil)
		return
	}
	n := nodeAt(descriptor)
	w.h.word(n.hash)
	if w.values {
		w.out = appendString(append(w.out, ValueFunc), "type "+n.name)
	}
}

func (w *walker) scalar(n *node, p uintptr) {
	switch n.op {
	case opBool:
		w.bits(ValueBool, uint64(*(*byte)(at(p))))
	case opInt:
		w.bits(ValueInt, uint64(loadInt(p, n.size)))
	case opUint:
		w.bits(ValueUint, loadUint(p, n.size))
	case opFloat:
		w.bits(ValueFloat, loadFloat(p, n.size))
	case opComplex:
		w.bits(ValueComplex, loadFloat(p, n.size/2))
		w.bits(0, loadFloat(p+n.size/2, n.size/2))
	case opString:
		s := *(*string)(at(p))
		w.h.text(s)
		if w.values {
			w.out = appendString(append(w.out, ValueString), s)
		}
	case opFunc:
		w.function(*(*uintptr)(at(p)))
	}
}

// bits writes a scalar; kind 0 goes on with the one before.
func (w *walker) bits(kind byte, x uint64) {
	w.h.word(x)
	if !w.values {
		return
	}
	if kind != 0 {
		w.out = append(w.out, kind)
	}
	switch kind {
	case ValueBool:
		w.out = append(w.out, byte(x))
	case ValueInt:
		w.out = appendVarint(w.out, int64(x))
	case ValueUint:
		w.out = appendUvarint(w.out, x)
	default:
		w.out = appendUint64(w.out, x)
	}
}

func loadUint(p, size uintptr) uint64 {
	switch size {
	case 1:
		return uint64(*(*uint8)(at(p)))
	case 2:
		return uint64(*(*uint16)(at(p)))
	case 4:
		return uint64(*(*uint32)(at(p)))
	}
	return *(*uint64)(at(p))
}

func loadInt(p, size uintptr) int64 {
	switch size {
	case 1:
		return int64(*(*int8)(at(p)))
	case 2:
		return int64(*(*int16)(at(p)))
	case 4:
		return int64(*(*int32)(at(p)))
	}
	return *(*int64)(at(p))
}

// loadFloat gives the bits as a float64, the same ones for every NaN.
func loadFloat(p, size uintptr) uint64 {
	f := *(*float64)(at(p))
	if size == 4 {
		f = float64(*(*float32)(at(p)))
	}
	if f != f {
		f = math.NaN()
	}
	return math.Float64bits(f)
}

// visit numbers a node, or says which number it has.
func (w *walker) visit(p uintptr, n *node, length int) (seen bool) {
	id, found := w.seen.find(p, n, length, w.ids+1)
	if found {
		w.h.word(uint64(id) | ValueRef<<40)
		if w.values {
			w.out = appendUvarint(append(w.out, ValueRef), uint64(id))
		}
		return true
	}
	w.ids++
	return false
}

func (w *walker) pointer(n *node, p uintptr) {
	if p == 0 {
		w.token(ValueNil)
		return
	}
	if n.elem.size == 0 {
		w.ids++ // pointers to zero-size values have no identity
	} else if w.visit(p, n.elem, 1) {
		return
	}
	w.h.word(ValuePointer << 40)
	if w.values {
		w.out = appendUvarint(append(w.out, ValuePointer), uint64(w.ids))
	}
	w.push(n.elem, p, 1)
}

type sliceHeader struct {
	p   uintptr
	len int
	cap int
}

func (w *walker) slice(n *node, s *sliceHeader) {
	if s.p == 0 {
		w.token(ValueNil)
		return
	}
	if s.len == 0 || n.elem.size == 0 {
		w.ids++
	} else if w.visit(s.p, n.elem, s.len) {
		w.h.word(uint64(s.len))
		return
	}
	w.h.word(uint64(s.len) | ValueSlice<<40)
	if n.elem.flat && (!w.values || n.elem.op == opUint && n.elem.size == 1) {
		w.flat(n, s)
		return
	}
	if w.values {
		w.out = appendUvarint(append(w.out, ValueSlice), uint64(w.ids))
		w.out = appendUvarint(w.out, uint64(s.len))
	}
	w.push(n.elem, s.p, s.len)
}

// flat digests the memory of a slice at once.
func (w *walker) flat(n *node, s *sliceHeader) {
	size := uintptr(s.len) * n.elem.size
	w.count += int(size >> 6)
	w.h.memory(s.p, size)
	if w.values {
		w.out = appendUvarint(append(w.out, ValueBytes), uint64(w.ids))
		w.out = appendString(w.out, unsafe.String((*byte)(at(s.p)), s.len))
	}
}

func (w *walker) array(n *node, p uintptr) {
	w.h.word(uint64(n.len) | ValueArray<<40)
	if n.flat && !w.values {
		w.count += int(n.size >> 6)
		w.h.memory(p, n.size)
		return
	}
	if w.values {
		w.out = appendUvarint(append(w.out, ValueArray), uint64(n.len))
	}
	w.push(n.elem, p, n.len)
}

func (w *walker) structure(n *node, p uintptr) {
	w.h.word(uint64(len(n.fields)) | ValueStruct<<40)
	if w.values {
		w.out = appendString(append(w.out, ValueStruct), n.name)
		w.out = appendUvarint(w.out, uint64(len(n.fields)))
	}
	if len(n.fields) > 0 {
		w.stack = append(w.stack, task{node: n, p: p, field: 0})
	}
}

func (w *walker) iface(n *node, p uintptr) {
	word := *(*[2]uintptr)(at(p))
	if word[0] == 0 {
		w.token(ValueNil)
		return
	}
	typ := word[0]
	if !n.eface {
		typ = *(*uintptr)(at(typ + unsafe.Sizeof(uintptr(0)))) // itab: inter, type
	}
	dynamic := nodeAt(typ)
	w.h.word(dynamic.hash | 1)
	if w.values {
		w.out = appendString(append(w.out, ValueInterface), dynamic.name)
	}
	if !dynamic.direct {
		w.push(dynamic, word[1], 1)
		return
	}
	w.push(dynamic, p+unsafe.Sizeof(uintptr(0)), 1)
}

func (w *walker) channel(n *node, p uintptr) {
	if p == 0 {
		w.token(ValueNil)
		return
	}
	if w.visit(p, n, 1) {
		return
	}
	c := inspectChannel(n, p)
	w.h.word(uint64(c.capacity) | ValueChan<<40)
	w.h.word(uint64(c.length)<<1 | uint64(c.closed))
	if w.values {
		w.out = appendUvarint(append(w.out, ValueChan), uint64(w.ids))
		w.out = appendUvarint(w.out, uint64(c.capacity))
		w.out = appendUvarint(w.out, uint64(c.known))
	}
	// The ring is walked from its oldest element on: what wraps around comes second.
	first := min(c.known, c.capacity-c.next)
	w.push(n.elem, c.buffer, c.known-first)
	w.push(n.elem, c.buffer+uintptr(c.next)*n.elem.size, first)
}

// function walks a function value: its symbol, a literal by the function that declares it.
func (w *walker) function(p uintptr) {
	if p == 0 {
		w.token(ValueNil)
		return
	}
	s := symbolOf(*(*uintptr)(at(p)))
	w.h.word(s.hash)
	if w.values {
		w.out = appendString(append(w.out, ValueFunc), s.name)
	}
}
