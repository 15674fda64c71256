//go:build zspectra_runtime

package state

import (
	"reflect"
	"unsafe" // also for go:linkname

	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
)

//go:linkname runtimeChannel runtime.zspectra_channel
func runtimeChannel(c unsafe.Pointer) (capacity, length, next int, closed bool, buffer unsafe.Pointer)

// beingWritten reports whether another goroutine is in the middle of a write to the map at p.
//
//go:linkname beingWritten runtime.zspectra_writing
func beingWritten(m unsafe.Pointer) bool

// ChannelAt reads the channel of type t at p.
func ChannelAt(_ reflect.Type, p uintptr) Channel {
	capacity, length, next, closed, buffer := runtimeChannel(memory.At(p))
	return Channel{
		Capacity: capacity, Length: length, Closed: closed, Known: length, Next: next, Buffer: uintptr(buffer),
	}
}
