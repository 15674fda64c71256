// Package memory converts addresses to pointers and types for the runtime, and gets zeroed pages from the operating
// system.
//
// In: addresses of memory that the caller keeps alive. Out: pointers, reflect types, and pages for the runtime's
// tables. Walks convert addresses only here.
//
// The package never reads or writes the memory at an address, and keeps no address. It never allocates on the target's
// heap, except on systems where it can't get pages.
package memory

import (
	"reflect"
	"unsafe"
)

// At turns an address that the target keeps alive into a pointer.
//
//go:nosplit
func At(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

// An Interface is the layout of an empty interface. What a probe is given as a slot is one that holds a
// pointer to the variable; as numbers, it keeps nothing alive and does not escape.
type Interface struct {
	Type uintptr // address of the descriptor of the type it holds
	Data uintptr // the pointer it holds, or the address of the value
}

// A Slice is the layout of a slice.
type Slice struct {
	Data uintptr
	Len  int
	Cap  int
}

// Descriptor returns the address of a type's descriptor.
func Descriptor(t reflect.Type) uintptr {
	return (*[2]uintptr)(unsafe.Pointer(&t))[1]
}

// TypeAt returns the type whose descriptor is at that address.
func TypeAt(p uintptr) reflect.Type {
	var x any
	(*Interface)(unsafe.Pointer(&x)).Type = p
	return reflect.TypeOf(x)
}

// fromHeap stands in where the system has no pages to give.
func fromHeap(size uintptr) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(make([]uint64, (size+7)/8)))
}
