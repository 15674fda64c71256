package load

import (
	"math"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// AllowedMemory returns the memory that this process may use, in bytes: that of the machine, or less if its limits or
// those of its container say so.
func AllowedMemory() uint64 {
	allowed := uint64(math.MaxUint64)
	var machine unix.Sysinfo_t
	if err := unix.Sysinfo(&machine); err == nil {
		allowed = uint64(machine.Totalram) * uint64(machine.Unit)
	}
	for _, kind := range []int{unix.RLIMIT_AS, unix.RLIMIT_DATA} {
		var limit unix.Rlimit
		if err := unix.Getrlimit(kind, &limit); err == nil {
			allowed = min(allowed, limit.Cur)
		}
	}
	text, err := os.ReadFile("/sys/fs/cgroup/memory.max") // the container's own limit, as seen from inside
	if err != nil {
		return allowed
	}
	if most, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
		allowed = min(allowed, most)
	}
	return allowed
}
