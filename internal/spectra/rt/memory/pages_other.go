//go:build !unix

package memory

import "unsafe"

// Pages returns memory of that many bytes, all zero and without pointers.
func Pages(size uintptr) unsafe.Pointer { return fromHeap(size) }
