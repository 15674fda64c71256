package rt

// This file defines the walk: a state is linearised depth first (Xie, figure 3.2), first visits
// are numbered, later visits are by number. The walk keeps its own stack, so the target's stack
// neither grows nor moves while addresses in it are held as numbers.
//
// What a type's values need is compiled once (types.go). Of a struct, fields that are one word
// come first, then the others, each by name; a list is followed by its last field without using
// the stack.

import (
	"unsafe"

	"github.com/spectradiff/spectradiff/spectra/rt/wire"
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
	rough     bool // only to order keys, see apart
	truncated bool
	count     int // nodes so far
	budget    int
	floor     int    // of the stack: what is below is left to do for a walk around this one
	out       []byte // value tokens
	stack     []task
	marks     marks
	maps      mapWalker
	apartFrom *walker // walks what observers give
}

const (
	defaultNodes = 1 << 20 // budget of one walk when the configuration has none
	maxValues    = 4 << 20 // bytes of value tokens of one state; then it is marked truncated
)

func (w *walker) reset(values bool) {
	w.h = seed
	w.values = values
	w.truncated = false
	w.count = 0
	w.budget = config.nodes
	w.out = w.out[:0]
	w.marks.reset()
}

// slots walks the slots of a point.
func (w *walker) slots(p *Point, slots []eface) {
	if p.order != nil {
		w.chosen(p.order, slots)
		return
	}
	key := uint64(rootKey)
	h := w.h
	for i := range slots {
		n := nodeAt(slots[i].typ).elem
		if n.load != loadNone && !w.values {
			h = h.pair(key, n.word(slots[i].data))
		} else {
			w.h = h
			w.root(i, key, n, slots[i].data)
			h = w.h
		}
		key++
	}
	w.h = h
	w.count += len(slots)
}

// globals walks the package variables that the point's function may touch.
func (w *walker) globals(p *Point) {
	for _, v := range p.vars {
		e := (*eface)(unsafe.Pointer(&v.Ptr))
		w.global(v, nodeAt(e.typ).elem, e.data)
	}
}

// global walks a package variable. It is a node like any that a pointer points to.
func (w *walker) global(v *Var, n *node, p uintptr) {
	key := rootKey + uint64(wire.SlotGlobal+v.index)
	if w.values {
		w.out = wire.AppendUint(w.out, uint64(wire.SlotGlobal+v.index))
	}
	if n.size > 0 {
		if w.visit(p, n, key) {
			return
		}
		if w.values {
			w.out = wire.AppendUint(append(w.out, wire.ValueNode), uint64(w.marks.ids))
		}
	}
	w.walk(n, p, key)
}

// rootKey is what the first root of a state has as its key.
const rootKey = 1 << 32

// slot walks one root of the state.
func (w *walker) slot(number int, n *node, p uintptr) {
	w.root(number, rootKey+uint64(number), n, p)
}

// root walks a root of the state: number is for display, key is its place in the digest.
func (w *walker) root(number int, key uint64, n *node, p uintptr) {
	if w.values {
		w.out = wire.AppendUint(w.out, uint64(number))
	}
	w.walk(n, p, key)
}

// walk linearises the value of type n at p. The key says what of its container a value is; it is
// mixed into the digest together with the value.
func (w *walker) walk(n *node, p uintptr, key uint64) {
	w.value(n, p, key)
	for len(w.stack) > w.floor {
		t := &w.stack[len(w.stack)-1]
		if t.field >= 0 {
			w.fields(t)
			continue
		}
		n, p := t.node, t.p
		t.p += n.size
		if t.count--; t.count == 0 {
			w.stack = w.stack[:len(w.stack)-1]
		}
		w.value(n, p, 0)
	}
}

// fields goes on with a struct: with all fields up to the first that is more than a word.
func (w *walker) fields(t *task) {
	n, p, i := t.node, t.p, t.field
	if i == 0 && !w.values {
		w.h = n.scalars(w.h, p)
		w.count += n.words
		i = n.words
	}
	if t.field = i + 1; t.field >= len(n.fields) {
		w.stack = w.stack[:len(w.stack)-1]
	}
	if i == len(n.fields) {
		return
	}
	f := &n.fields[i]
	if w.values {
		w.out = wire.AppendString(w.out, f.name)
	}
	w.value(f.node, p+f.off, f.hash)
}

// scalars mixes in the fields of a struct that are one word.
func (n *node) scalars(h hash, p uintptr) hash {
	return n.narrows(h.words(p, n.whole), p)
}

// words mixes in fields of eight bytes of the struct at p.
func (h hash) words(p uintptr, fields []word) hash {
	for i := range fields {
		h = h.pair(fields[i].hash, *(*uint64)(at(p + fields[i].off)))
	}
	return h
}

// narrows mixes in those that have to be widened.
func (n *node) narrows(h hash, p uintptr) hash {
	for i := len(n.whole); i < n.words; i++ {
		f := &n.fields[i]
		h = h.pair(f.hash, f.node.narrow(p+f.off))
	}
	return h
}

// push adds count values to what is left to do; they come before what is left already.
func (w *walker) push(n *node, p uintptr, count int) {
	if count > 0 {
		w.stack = append(w.stack, task{n, p, count, -1})
	}
}

// value linearises one value, leaving what it contains on the stack.
func (w *walker) value(n *node, p uintptr, key uint64) {
	w.count++
	if w.count > w.budget || len(w.out) > maxValues {
		w.cut(key)
		return
	}
	if n.load != loadNone {
		w.scalar(n, key, n.word(p))
		return
	}
	switch n.op {
	case opString:
		w.text(*(*string)(at(p)), key)
	case opPointer:
		w.pointer(n, *(*uintptr)(at(p)), key)
	case opSlice:
		w.slice(n, (*sliceHeader)(at(p)), key)
	case opStruct:
		w.structure(n, p)
	case opInterface:
		w.iface(n, p, key)
	case opMap:
		w.mapping(n, *(*uintptr)(at(p)), key)
	case opArray:
		w.array(n, p, key)
	default:
		w.other(n, p, key)
	}
}

// other linearises the rare kinds of values.
func (w *walker) other(n *node, p uintptr, key uint64) {
	switch n.op {
	case opComplex:
		w.complex(n, p, key)
	case opFunc:
		w.function(*(*uintptr)(at(p)), key)
	case opChan:
		w.channel(n, *(*uintptr)(at(p)), key)
	case opType:
		w.typeValue(*(*uintptr)(at(p)), key)
	case opObserver:
		w.observer(n, p, key)
	case opSpecial:
		n.walk(w, n, p, key)
	default:
		w.mix(key, n.hash)
		if w.values {
			w.out = wire.AppendString(append(w.out, wire.ValueOpaque), n.name)
		}
	}
}

// mix puts a token into the digest.
func (w *walker) mix(key, x uint64) { w.h = w.h.pair(key, x) }

// token writes a bare token; the digest gets it too.
func (w *walker) token(key uint64, kind byte) {
	w.mix(key, uint64(kind)<<40)
	if w.values {
		w.out = append(w.out, kind)
	}
}

// cut stands in for a value that the budget has no room for. What is left of the walk need not be
// looked at: a digest needs nothing more, and displayed values end where they are far too many.
func (w *walker) cut(key uint64) {
	w.truncated = true
	w.token(key, wire.ValueTruncated)
	if !w.values || len(w.out) > maxValues+maxValues/4 {
		w.stack = w.stack[:w.floor]
	}
}

// fits says whether a value with that many nodes and bytes of tokens is within the budget.
func (w *walker) fits(nodes, bytes int) bool {
	return w.count+nodes <= w.budget && (!w.values || len(w.out)+bytes <= maxValues)
}

func (w *walker) typeValue(descriptor uintptr, key uint64) {
	if descriptor == 0 {
		w.token(key, wire.ValueNil)
		return
	}
	n := nodeAt(descriptor)
	w.mix(key, n.hash)
	if w.values {
		w.out = wire.AppendString(append(w.out, wire.ValueFunc), "type "+n.name)
	}
}

// structure begins a struct. The digest needs no token for it: the keys of its fields tell.
func (w *walker) structure(n *node, p uintptr) {
	if w.values {
		w.out = wire.AppendString(append(w.out, wire.ValueStruct), n.name)
		w.out = wire.AppendUint(w.out, uint64(len(n.fields)))
	}
	if len(n.fields) > 0 {
		w.stack = append(w.stack, task{node: n, p: p, field: 0})
	}
}

func (w *walker) iface(n *node, p uintptr, key uint64) {
	word := (*[2]uintptr)(at(p))
	typ := word[0]
	if typ == 0 {
		w.token(key, wire.ValueNil)
		return
	}
	if !n.eface {
		typ = *(*uintptr)(at(typ + unsafe.Sizeof(uintptr(0)))) // itab: inter, type
	}
	dynamic := nodeAt(typ)
	w.mix(key, dynamic.hash|1)
	if w.values {
		w.out = wire.AppendString(append(w.out, wire.ValueInterface), dynamic.name)
	}
	if dynamic.direct {
		w.value(dynamic, p+unsafe.Sizeof(uintptr(0)), 0)
		return
	}
	w.value(dynamic, word[1], 0) // never an interface again: no recursion
}

// function walks a function value: its symbol, a literal by the function that declares it.
func (w *walker) function(p uintptr, key uint64) {
	if p == 0 {
		w.token(key, wire.ValueNil)
		return
	}
	s := symbolOf(*(*uintptr)(at(p)))
	w.mix(key, s.hash)
	if w.values {
		w.out = wire.AppendString(append(w.out, wire.ValueFunc), s.name)
	}
}
