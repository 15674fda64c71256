package load

import (
	"math"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// allowedMemory returns how many bytes of memory this process may use at most: all of the machine's, or as many as its
// limits and those of its container leave.
func allowedMemory() uint64 {
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
	text, err := os.ReadFile("/sys/fs/cgroup/memory.max") // what a container sees of its own
	if err != nil {
		return allowed
	}
	if most, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
		allowed = min(allowed, most)
	}
	return allowed
}
