//go:build !zspectra_runtime

package state

// This file stands in for the runtime's hook where the Go release is not one whose runtime we extend. What a
// channel holds, and whether it is closed, is not known then.

import (
	"reflect"
	"unsafe"
)

// ChannelAt reads the channel of type t at p.
func ChannelAt(t reflect.Type, p uintptr) Channel {
	v := reflect.NewAt(t, unsafe.Pointer(&p)).Elem()
	return Channel{Capacity: v.Cap(), Length: v.Len()}
}
