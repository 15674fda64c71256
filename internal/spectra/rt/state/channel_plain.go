//go:build !zspectra_runtime

package state

import (
	"reflect"
	"unsafe"
)

// beingWritten is not known here.
func beingWritten(unsafe.Pointer) bool { return false }

// ChannelAt reads the channel of type t at p. In a Go release whose runtime we don't extend, its content is not known,
// nor whether it is closed.
func ChannelAt(t reflect.Type, p uintptr) Channel {
	v := reflect.NewAt(t, unsafe.Pointer(&p)).Elem()
	return Channel{Capacity: v.Cap(), Length: v.Len()}
}
