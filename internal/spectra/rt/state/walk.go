// Package state computes the state of values in the target: a digest and, for display, the values as tokens.
//
// In: slots, which are pointers to the values in the form of numbers, the names of package names, and a budget of
// nodes. Out: digest and tokens of a Walker after a Reset and the slots of one state.
//
// Two states have the same digest if and only if their values are isomorphic: the same compared content, shared in the
// same way. A state contains no addresses or capacities, and does not depend on the order of maps. A state is walked
// completely or marked as truncated. Some types of the standard library are compared by their meaning: sync.Map by its
// entries, time.Time by its instant, a buffer by its unread content, a channel by its elements. Their memory is read
// only after a check of their layout; with an unknown layout they are opaque.
//
// A walk changes no reachable value; only the locks of an observed value are opened and restored (Locks). It calls no
// code of the target, except observers through a Host. It keeps no address after it returns. It allocates only when its
// tables grow, or for observers. The package knows nothing of calls, events or goroutines.
//
// The walk linearises a state depth first (Xie, figure 3.2): it numbers first visits and writes later visits as
// numbers. It uses a stack of its own, so the target's stack neither grows nor moves while the walk holds addresses as
// numbers.
//
// Terms: in the code, a node is a compiled type. In a state, a node is a value that counts in the budget and can be the
// target of a pointer. A root is the value of a slot. A key identifies a value in its container, as a slot or a field.
// A mark tells the node of eight bytes of memory. To claim memory is to mark it, if no node of this walk has it. A
// plain node has no nodes inside. A flat node is compared by its memory.
package state

import (
	"reflect"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A task is a part of the walk that is left to do: count values of type node, from address p on.
type task struct {
	node  *node
	p     uintptr
	count int
	field int // index of the next field, for a struct that was begun; -1 for values
}

// A Walker linearises one state after the other: Reset, then its slots. The zero value is ready for Reset. A state is
// linearised depth first (Xie, figure 3.2): first visits are numbered, later visits are by number. The walk keeps its
// own stack, so the target's stack neither grows nor moves while addresses in it are held as numbers. Of a struct,
// fields that are one word come first, then the others, each by name. A list is followed by its last field without
// using the stack.
type Walker struct {
	h         digest.Hash
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
	apartFrom *Walker // walks what observers return
}

const (
	defaultNodes = 1 << 20 // budget of one walk when the configuration has none
	maxValues    = 4 << 20 // bytes of value tokens of one state; then it is marked truncated
)

// Reset begins a state. With values, the walk keeps tokens to display; else there is only the digest.
func (w *Walker) Reset(values bool) {
	w.h = digest.Seed
	w.values = values
	w.truncated = false
	w.count = 0
	w.budget = limits.Nodes
	w.out = w.out[:0]
	w.marks.reset()
}

// Truncate marks the state as one that was not walked completely.
func (w *Walker) Truncate() { w.truncated = true }

// Abandon ends a state whose walk failed: it says nothing but that it is not complete.
func (w *Walker) Abandon() {
	count := w.count
	w.stack, w.floor = w.stack[:0], 0
	w.maps.iter.Reset(reflect.Value{})
	w.Reset(w.values)
	w.count, w.truncated = count, true
	for _, inner := range []*Walker{w.maps.sub, w.apartFrom} {
		if inner != nil {
			inner.Abandon()
		}
	}
}

// Truncated reports whether anything of the state was left out.
func (w *Walker) Truncated() bool { return w.truncated }

// Hash returns the digest of everything that was walked. It is not finished: see digest.Hash.Sum.
func (w *Walker) Hash() digest.Hash { return w.h }

// Tokens returns the values of the state as tokens, in the encoding of package wire. The next Reset takes
// their memory again.
func (w *Walker) Tokens() []byte { return w.out }

// Nodes returns how many nodes the walk has visited.
func (w *Walker) Nodes() int { return w.count }

// Slots walks the values that the slots point to: all of them, or those that order has.
func (w *Walker) Slots(order []Choice, slots []memory.Interface) {
	if order != nil {
		w.chosen(order, slots)
		return
	}
	key := uint64(rootKey)
	h := w.h
	for i := range slots {
		n := nodeAt(slots[i].Type).elem
		if n.load != loadNone && !w.values {
			h = h.Pair(key, n.word(slots[i].Data))
		} else {
			w.h = h
			w.root(i, key, n, slots[i].Data)
			h = w.h
		}
		key++
	}
	w.h = h
	w.count += len(slots)
}

// Global walks the package variable to which the slot points. It is a node like any that a pointer points to.
func (w *Walker) Global(index int, slot memory.Interface) {
	n, p := nodeAt(slot.Type).elem, slot.Data
	key := rootKey + uint64(wire.SlotGlobal+index)
	if w.values {
		w.out = wire.AppendUint(w.out, uint64(wire.SlotGlobal+index))
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

// Slot walks the value to which a slot with that number points.
func (w *Walker) Slot(number int, slot memory.Interface) {
	w.slot(number, nodeAt(slot.Type).elem, slot.Data)
}

// rootKey is the key of the first root of a state. Those that follow count up.
const rootKey = 1 << 32

// slot walks one root of the state.
func (w *Walker) slot(number int, n *node, p uintptr) {
	w.root(number, rootKey+uint64(number), n, p)
}

// root walks a root of the state: number is for display, key is its place in the digest.
func (w *Walker) root(number int, key uint64, n *node, p uintptr) {
	if w.values {
		w.out = wire.AppendUint(w.out, uint64(number))
	}
	w.walk(n, p, key)
}

// walk linearises the value of type n at p. The key says which part of its container the value is; it is mixed into the
// digest together with the value.
func (w *Walker) walk(n *node, p uintptr, key uint64) {
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
func (w *Walker) fields(t *task) {
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
func (n *node) scalars(h digest.Hash, p uintptr) digest.Hash {
	return n.narrows(words(h, p, n.whole), p)
}

// words mixes in fields of eight bytes of the struct at p.
func words(h digest.Hash, p uintptr, fields []word) digest.Hash {
	for i := range fields {
		h = h.Pair(fields[i].hash, *(*uint64)(memory.At(p + fields[i].off)))
	}
	return h
}

// narrows mixes in those that have to be widened.
func (n *node) narrows(h digest.Hash, p uintptr) digest.Hash {
	for i := len(n.whole); i < n.words; i++ {
		f := &n.fields[i]
		h = h.Pair(f.hash, f.node.narrow(p+f.off))
	}
	return h
}

// push adds count values to the tasks that are left; they come before the others.
func (w *Walker) push(n *node, p uintptr, count int) {
	if count > 0 {
		w.stack = append(w.stack, task{n, p, count, -1})
	}
}

// value linearises one value, and leaves its parts on the stack.
func (w *Walker) value(n *node, p uintptr, key uint64) {
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
		w.text(*(*string)(memory.At(p)), key)
	case opPointer:
		w.pointer(n, *(*uintptr)(memory.At(p)), key)
	case opSlice:
		w.slice(n, (*memory.Slice)(memory.At(p)), key)
	case opStruct:
		w.structure(n, p)
	case opInterface:
		w.iface(n, p, key)
	case opMap:
		w.mapping(n, *(*uintptr)(memory.At(p)), key)
	case opArray:
		w.array(n, p, key)
	default:
		w.other(n, p, key)
	}
}

// other linearises the rare kinds of values.
func (w *Walker) other(n *node, p uintptr, key uint64) {
	switch n.op {
	case opComplex:
		w.complex(n, p, key)
	case opFunc:
		w.function(*(*uintptr)(memory.At(p)), key)
	case opChan:
		w.channel(n, *(*uintptr)(memory.At(p)), key)
	case opType:
		w.typeValue(*(*uintptr)(memory.At(p)), key)
	case opObserver:
		w.observer(n, p, key)
	case opSpecial:
		n.walk(w, n, p, key)
	default:
		w.opaque(n, key)
	}
}

// mix puts a token into the digest.
func (w *Walker) mix(key, x uint64) { w.h = w.h.Pair(key, x) }

// token writes a token that is its kind alone, into the digest too.
func (w *Walker) token(key uint64, kind byte) {
	w.mix(key, uint64(kind)<<40)
	if w.values {
		w.out = append(w.out, kind)
	}
}

// cut stands in for a value that the budget has no room for. What is left of the walk need not be
// looked at: a digest needs nothing more, and displayed values end where they are far too many.
func (w *Walker) cut(key uint64) {
	w.truncated = true
	w.token(key, wire.ValueTruncated)
	if !w.values || len(w.out) > maxValues+maxValues/4 {
		w.stack = w.stack[:w.floor]
	}
}

// fits reports whether a value with that many nodes and bytes of tokens is within the budget.
func (w *Walker) fits(nodes, bytes int) bool {
	return w.count+nodes <= w.budget && (!w.values || len(w.out)+bytes <= maxValues)
}

// opaque writes a value of which only the type is known.
func (w *Walker) opaque(n *node, key uint64) {
	w.mix(key, n.hash)
	if w.values {
		w.out = wire.AppendString(append(w.out, wire.ValueOpaque), n.name)
	}
}

func (w *Walker) typeValue(descriptor uintptr, key uint64) {
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
func (w *Walker) structure(n *node, p uintptr) {
	if w.values {
		w.out = wire.AppendString(append(w.out, wire.ValueStruct), n.name)
		w.out = wire.AppendUint(w.out, uint64(len(n.fields)))
	}
	if len(n.fields) > 0 {
		w.stack = append(w.stack, task{node: n, p: p, field: 0})
	}
}

func (w *Walker) iface(n *node, p uintptr, key uint64) {
	word := (*[2]uintptr)(memory.At(p))
	typ := word[0]
	if typ == 0 {
		w.token(key, wire.ValueNil)
		return
	}
	if !n.eface {
		typ = *(*uintptr)(memory.At(typ + unsafe.Sizeof(uintptr(0)))) // itab: inter, type
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
func (w *Walker) function(p uintptr, key uint64) {
	if p == 0 {
		w.token(key, wire.ValueNil)
		return
	}
	s := symbolOf(*(*uintptr)(memory.At(p)))
	w.mix(key, s.hash)
	if w.values {
		w.out = wire.AppendString(append(w.out, wire.ValueFunc), s.name)
	}
}
