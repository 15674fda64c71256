package rt

// This file gives the driver digests of its own: of results and of texts.

import (
	"reflect"
	"runtime"
	"unsafe"

	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// Sum is the digest of a text.
func Sum(s []byte) (a, b uint64) {
	return seed.memory(0, uintptr(unsafe.Pointer(unsafe.SliceData(s))), uintptr(len(s))).sum()
}

// DigestOf is the digest of the value that v points to, and the number of nodes it has. It must
// not be called while recording.
func DigestOf(v reflect.Value) (a, b uint64, nodes int) {
	w := &recorder.walk
	w.reset(false)
	w.walk(compile(v.Type().Elem()), v.Pointer(), 0)
	runtime.KeepAlive(v.UnsafePointer())
	nodes = w.count
	if w.truncated {
		nodes = max(nodes, w.budget)
	}
	a, b = w.h.sum()
	return a, b, nodes
}

// VariableState is the state of a package variable on its own: its digest, and its slot as in a
// recorded state. It must not be called while recording.
func VariableState(v *Var) (a, b uint64, slot []byte, truncated bool) {
	w := &recorder.walk
	w.reset(true)
	e := (*eface)(unsafe.Pointer(&v.Ptr))
	w.slot(wire.SlotGlobal+v.index, nodeAt(e.typ).elem, e.data)
	runtime.KeepAlive(v)
	a, b = w.h.sum()
	return a, b, w.out, w.truncated
}

// DigestOfAll is the digest of the values that the pointers point to, as one state.
func DigestOfAll(pointers []reflect.Value) (a, b uint64) {
	w := &recorder.walk
	w.reset(false)
	for i, v := range pointers {
		w.slot(i, compile(v.Type().Elem()), v.Pointer())
		runtime.KeepAlive(v.UnsafePointer())
	}
	return w.h.sum()
}

// FieldCompared says whether a field of the struct type with that canonical name is part of states.
func FieldCompared(structName, field string) bool { return compared(structName, field) }
