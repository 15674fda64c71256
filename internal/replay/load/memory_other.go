//go:build !linux

package load

import "math"

// AllowedMemory returns the memory that this process may use, in bytes. No limit is known here.
func AllowedMemory() uint64 { return math.MaxUint64 }
