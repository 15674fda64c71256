package state

import (
	"reflect"
	"runtime"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
)

// Value returns the digest of the value that v points to, and the number of nodes it has. Of a value with more
// nodes than the budget that is the budget at least.
func (w *Walker) Value(v reflect.Value) (a, b uint64, nodes int) {
	w.Reset(false)
	w.walk(compile(v.Type().Elem()), v.Pointer(), 0)
	runtime.KeepAlive(v.UnsafePointer())
	nodes = w.count
	if w.truncated {
		nodes = max(nodes, w.budget)
	}
	a, b = w.h.Sum()
	return a, b, nodes
}

// Values returns the digest of the values that the pointers point to, as one state.
func (w *Walker) Values(pointers []reflect.Value) (a, b uint64) {
	w.Reset(false)
	for i, v := range pointers {
		w.slot(i, compile(v.Type().Elem()), v.Pointer())
		runtime.KeepAlive(v.UnsafePointer())
	}
	return w.h.Sum()
}

type symbol struct {
	name string
	hash uint64
}

// symbols caches the names of functions by their address.
var symbols map[uintptr]symbol

// symbolOf names the function that starts at pc.
func symbolOf(pc uintptr) symbol {
	if s, ok := symbols[pc]; ok {
		return s
	}
	name := names.Function(pc)
	s := symbol{name, digest.OfName(name)}
	symbols[pc] = s
	return s
}
