//go:build unix

package memory

import (
	"syscall"
	"unsafe"
)

// Pages returns memory of that many bytes, all zero and without pointers. It comes from the system and not
// from the heap: nobody pays for what is never touched, and the target's heap stays as it is.
func Pages(size uintptr) unsafe.Pointer {
	b, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return fromHeap(size)
	}
	return unsafe.Pointer(unsafe.SliceData(b))
}
