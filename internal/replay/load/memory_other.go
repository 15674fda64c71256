//go:build !linux

package load

import "math"

// allowedMemory returns how many bytes of memory this process may use at most, as far as that is known.
func allowedMemory() uint64 { return math.MaxUint64 }
