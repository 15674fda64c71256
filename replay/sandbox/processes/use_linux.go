package processes

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// A Use is what a process uses.
type Use struct {
	Memory  int64 // with what is swapped out; without files that memory only mirrors
	Threads int
}

// UseOf returns what a process uses. Memory that it shares with others counts for each of them.
func UseOf(pid int) Use {
	sizes := sizesOf("/proc/"+strconv.Itoa(pid)+"/status", "RssAnon", "RssShmem", "VmSwap", "Threads")
	return Use{Memory: sizes[0] + sizes[1] + sizes[2], Threads: int(sizes[3] / kilobyte)}
}

// Shared returns the memory of processes, where memory that several of them have counts once. A process that is about
// to execute another program still shares all of it with its parent.
func Shared(pids []int) int64 {
	total := int64(0)
	for i, pid := range pids {
		if known(pid, pids[:i]) {
			continue
		}
		sizes := sizesOf("/proc/"+strconv.Itoa(pid)+"/smaps_rollup", "Pss_Anon", "Pss_Shmem", "SwapPss")
		exact := sizes[0] + sizes[1] + sizes[2]
		if exact == 0 {
			exact = UseOf(pid).Memory // it has made itself unreadable, or has ended
		}
		total += exact
	}
	return total
}

// known reports whether one of the processes has the same memory as pid.
func known(pid int, among []int) bool {
	const memories = 1 // the kernel's KCMP_VM
	for _, other := range among {
		order, _, errno := unix.Syscall6(unix.SYS_KCMP, uintptr(pid), uintptr(other), memories, 0, 0, 0)
		if errno == 0 && order == 0 {
			return true
		}
	}
	return false
}

const kilobyte = 1024

// sizesOf reads lines "name:  12 kB" of a file in /proc, and returns bytes. What isn't there is 0.
func sizesOf(file string, names ...string) []int64 {
	sizes := make([]int64, len(names))
	text, err := os.ReadFile(file)
	if err != nil {
		return sizes
	}
	for line := range bytes.Lines(text) {
		for i, name := range names {
			rest, found := bytes.CutPrefix(line, []byte(name+":"))
			if fields := bytes.Fields(rest); found && len(fields) > 0 {
				n, _ := strconv.ParseInt(string(fields[0]), 10, 64)
				sizes[i] = n * kilobyte
			}
		}
	}
	return sizes
}
