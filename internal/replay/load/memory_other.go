//go:build !linux

package load

import "math"

// allowedMemory returns the memory that this process may use, in bytes. No limit is known here.
func allowedMemory() uint64 { return math.MaxUint64 }
