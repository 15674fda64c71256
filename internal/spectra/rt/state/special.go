package state

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A specialWalk linearises the value at p.
type specialWalk func(w *Walker, n *node, p uintptr, key uint64)

// special makes the node of a type that is compared by its meaning. It reports whether the type is one. Where a Go
// release lays such a type out differently than the ones we know, it is opaque.
func (n *node) special(t reflect.Type) bool {
	if t.Kind() != reflect.Struct && t.Kind() != reflect.Slice || t.PkgPath() == "" {
		return false
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	switch t.PkgPath() + "." + name {
	case "sync/atomic.Pointer":
		n.atomicPointer(t)
	case "sync.Map":
		n.walk = walkSyncMap
		n.opaqueUnless(SyncMapIsKnown)
	case "reflect.Value":
		n.walk = walkReflected
		n.opaqueUnless(ReflectedIsKnown)
	case "time.Time":
		n.walk = walkTime
		n.opaqueUnless(TimeIsKnown(t))
	case "math/big.nat", "fmt.buffer":
		n.elem = compile(t.Elem())
		n.walk = walkWithoutNil
		n.opaqueUnless(true)
	default:
		return n.buffer(t)
	}
	return true
}

func (n *node) opaqueUnless(known bool) {
	n.op = opOpaque
	if known {
		n.op = opSpecial
	}
}

// atomicPointer makes n a pointer.
func (n *node) atomicPointer(t reflect.Type) {
	pointer, known := AtomicPointer(t)
	if !known {
		n.op = opOpaque
		return
	}
	n.op, n.typ = opPointer, pointer // before its element, which may hold such pointers
	n.elem = compile(n.typ.Elem())
}

// walkWithoutNil walks a slice type of which nil and empty mean the same.
func walkWithoutNil(w *Walker, n *node, p uintptr, key uint64) {
	s := (*memory.Slice)(memory.At(p))
	if s.Len == 0 {
		w.token(key, wire.ValueNil)
		return
	}
	w.slice(n, s, key)
}

var anyMap = &node{op: opMap}

// walkSyncMap walks a sync.Map as the map[any]any that it is.
func walkSyncMap(w *Walker, n *node, p uintptr, key uint64) {
	found := SyncMap(n.typ, p)
	if !w.fits(len(found), 2*len(found)) {
		w.cut(key)
		return
	}
	w.mix(key, uint64(len(found))|wire.ValueMap<<40)
	if w.rough {
		return
	}
	w.marks.ids++
	if w.values {
		w.out = wire.AppendUint(append(w.out, wire.ValueMap), uint64(w.marks.ids))
		w.out = wire.AppendUint(w.out, uint64(len(found)))
	}
	anyMap.key, anyMap.elem = interfaceNode, interfaceNode
	entries := make([]mapEntry, len(found))
	for i, e := range found {
		entries[i] = w.order(anyMap, e.Key, e.Elem)
	}
	slices.SortFunc(entries, compareEntries)
	w.separate(anyMap, entries)
	w.pairs(anyMap, entries)
}

// walkReflected walks the value that a reflect.Value stands for, as an interface would.
func walkReflected(w *Walker, n *node, p uintptr, key uint64) {
	r := ReflectedAt(p)
	if r.Type == 0 {
		w.token(key, wire.ValueNil)
		return
	}
	dynamic := nodeAt(r.Type)
	name := dynamic.name
	w.mix(key, dynamic.hash|1)
	if r.IsMethod {
		w.mix(key, uint64(r.Method))
		name += " method " + strconv.Itoa(r.Method)
	}
	if w.values {
		w.out = wire.AppendString(append(w.out, wire.ValueInterface), name)
	}
	if r.Variable && dynamic.size > 0 {
		if w.visit(r.Value, dynamic, 0) {
			return
		}
		if w.values {
			w.out = wire.AppendUint(append(w.out, wire.ValuePointer), uint64(w.marks.ids))
		}
	}
	w.push(dynamic, r.Value, 1) // on the stack: it may stand for another such value
}

// walkTime walks an instant and the name of its location.
func walkTime(w *Walker, n *node, p uintptr, key uint64) {
	seconds, nanoseconds, location := Time(p)
	w.mix(key, uint64(seconds))
	w.mix(0, uint64(nanoseconds))
	w.h = w.h.Text(0, location)
	if w.values {
		w.out = wire.AppendUint(wire.AppendString(append(w.out, wire.ValueStruct), n.name), 3)
		w.out = wire.AppendInt(append(wire.AppendString(w.out, "unix"), wire.ValueInt), seconds)
		w.out = wire.AppendInt(append(wire.AppendString(w.out, "nanoseconds"), wire.ValueInt), nanoseconds)
		w.out = wire.AppendString(append(wire.AppendString(w.out, "location"), wire.ValueString), location)
	}
}

// buffer makes n a buffer, if t is one. The other fields are compiled as those of a struct.
func (n *node) buffer(t reflect.Type) bool {
	known, ok := BufferOf(t)
	if !ok {
		return false
	}
	if known == nil {
		n.op = opOpaque
		return true
	}
	rest := &node{size: n.size}
	for _, name := range known.Others {
		if f, ok := t.FieldByName(name); ok {
			e := compile(f.Type)
			rest.fields = append(rest.fields, field{f.Offset, e, name, n.fieldKey(t, name, e)})
		}
	}
	n.op = opSpecial
	n.walk = func(w *Walker, n *node, p uintptr, key uint64) {
		w.buffer(n, p, key, known.Content(p), rest)
	}
	return true
}

// buffer walks a buffer's content as a text, and then the fields beside it.
func (w *Walker) buffer(n *node, p uintptr, key uint64, content string, rest *node) {
	if w.values {
		w.out = wire.AppendUint(wire.AppendString(append(w.out, wire.ValueStruct), n.name), uint64(1+len(rest.fields)))
		w.out = wire.AppendString(w.out, "content")
	}
	w.text(content, key)
	if len(rest.fields) > 0 {
		w.stack = append(w.stack, task{node: rest, p: p, field: 0})
	}
}
