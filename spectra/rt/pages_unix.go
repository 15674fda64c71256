//go:build unix

package rt

import (
	"syscall"
	"unsafe"
)

// newChunk takes memory from the system and not from the heap: nobody pays for what no walk
// touches, and the target's heap stays as it is.
func newChunk() *chunk {
	size := int(unsafe.Sizeof(chunk{}))
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return new(chunk)
	}
	return (*chunk)(unsafe.Pointer(unsafe.SliceData(b)))
}
