//go:build !zspectra_runtime

package state

import (
	"reflect"
	"unsafe"
)

// ChannelAt reads the channel of type t at p.
func ChannelAt(t reflect.Type, p uintptr) Channel {
	v := reflect.NewAt(t, unsafe.Pointer(&p)).Elem()
	return Channel{Capacity: v.Cap(), Length: v.Len()}
}
