package state

import (
	"reflect"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
)

// Locks are where the mutexes of a value lie. They are opened while the value is observed. Nobody else runs meanwhile,
// so nothing needs them. A mutex that is held, perhaps by a goroutine that waits for the state to be walked, must not
// stop the observer.
type Locks []lock

type lock struct{ off, size uintptr }

// LocksOf returns the mutexes that are part of a type's own memory.
func LocksOf(t reflect.Type) Locks { return appendLocks(nil, t, 0) }

func appendLocks(list Locks, t reflect.Type, off uintptr) Locks {
	if t.Kind() != reflect.Struct {
		return list
	}
	if t.PkgPath() == "sync" && (t.Name() == "Mutex" || t.Name() == "RWMutex") {
		return append(list, lock{off, t.Size()})
	}
	for i := range t.NumField() {
		f := t.Field(i)
		list = appendLocks(list, f.Type, off+f.Offset)
	}
	return list
}

// bytes returns the memory of the lock in the value at p.
func (l lock) bytes(p uintptr) []byte { return unsafe.Slice((*byte)(memory.At(p+l.off)), l.size) }

// Open opens the locks of the value at p. It returns the memory that Close is to put back.
func (l Locks) Open(p uintptr) (kept []byte) {
	for _, lock := range l {
		kept = append(kept, lock.bytes(p)...)
		clear(lock.bytes(p))
	}
	return kept
}

// Close has the locks of the value at p as they were.
func (l Locks) Close(p uintptr, kept []byte) {
	for _, lock := range l {
		kept = kept[copy(lock.bytes(p), kept):]
	}
}
