//go:build zspectra_runtime

package state

// This file looks into channels by a hook that a file of ours adds to the runtime (replay/driver/runtime).

import (
	"unsafe" // also for go:linkname

	"github.com/spectradiff/spectradiff/spectra/rt/memory"
)

//go:linkname runtimeChannel runtime.zspectra_channel
func runtimeChannel(c unsafe.Pointer) (capacity, length, next int, closed bool, buffer unsafe.Pointer)

func inspectChannel(n *node, p uintptr) channelInfo {
	capacity, length, next, closed, buffer := runtimeChannel(memory.At(p))
	c := channelInfo{capacity: capacity, length: length, known: length, next: next, buffer: uintptr(buffer)}
	if closed {
		c.closed = 1
	}
	return c
}
