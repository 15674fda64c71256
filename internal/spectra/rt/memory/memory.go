// Package memory converts addresses that are held as numbers to pointers and types. It is the one place where the
// runtime leaves Go's types.
//
// In: addresses of memory that the caller keeps alive. Out: pointers to it, types of the values in interfaces, and
// memory from the system for tables of our own.
//
// What always holds: nothing here reads or writes the memory that an address is of, or keeps an address. It never
// allocates on the target's heap where the system has pages to give.
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
