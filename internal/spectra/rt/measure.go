package rt

import (
	"reflect"
	"runtime"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// DigestOf returns the digest of the value that v points to, and the number of nodes it has. It uses the recorder's
// walker, so that the process has the memory of one walker only, and must not be called while recording.
func DigestOf(v reflect.Value) (a, b uint64, nodes int) {
	defer recorder.survive(faults(true))
	return recorder.walk.Value(v)
}

// DigestOfAll returns the digest of the values that the pointers point to, as one state.
func DigestOfAll(pointers []reflect.Value) (a, b uint64) {
	defer recorder.survive(faults(true))
	return recorder.walk.Values(pointers)
}

// VariableState returns the state of a package variable on its own: its digest, and its slot as in a recorded
// state.
func VariableState(v *Var) (a, b uint64, slot []byte, truncated bool) {
	w := &recorder.walk
	w.Reset(true)
	func() {
		defer recorder.survive(faults(true))
		w.Slot(wire.SlotGlobal+v.index, hidden(&v.Ptr))
	}()
	runtime.KeepAlive(v)
	a, b = w.Hash().Sum()
	return a, b, w.Tokens(), w.Truncated()
}
