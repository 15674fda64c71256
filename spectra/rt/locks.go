package rt

// This file puts the locks of a value aside while it is observed. Nobody else runs meanwhile, so
// nothing needs them, and one that is held, perhaps by who waits for the state to be walked, must not
// stop the observer.

import (
	"reflect"
	"unsafe"
)

// A lock is where a mutex lies in a value.
type lock struct{ off, size uintptr }

// locksOf finds the mutexes that are part of a type's own memory.
func locksOf(t reflect.Type, off uintptr) []lock {
	if t.Kind() != reflect.Struct {
		return nil
	}
	if t.PkgPath() == "sync" && (t.Name() == "Mutex" || t.Name() == "RWMutex") {
		return []lock{{off, t.Size()}}
	}
	var list []lock
	for i := range t.NumField() {
		f := t.Field(i)
		list = append(list, locksOf(f.Type, off+f.Offset)...)
	}
	return list
}

// bytes is the memory of the lock in the value at p.
func (l lock) bytes(p uintptr) []byte { return unsafe.Slice((*byte)(at(p+l.off)), l.size) }

// openLocks opens the locks of the value at p, and gives what is to be put back.
func openLocks(locks []lock, p uintptr, kept []byte) []byte {
	for _, l := range locks {
		kept = append(kept, l.bytes(p)...)
		clear(l.bytes(p))
	}
	return kept
}

// putBack has the locks as they were.
func putBack(locks []lock, p uintptr, kept []byte) {
	for _, l := range locks {
		kept = kept[copy(l.bytes(p), kept):]
	}
}
