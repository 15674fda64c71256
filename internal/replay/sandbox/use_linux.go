package sandbox

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// UseOf returns the use of a process. Shared memory counts for each process that has it.
func UseOf(pid int) ProcessUse {
	sizes := sizesOf("/proc/"+strconv.Itoa(pid)+"/status", "RssAnon", "RssShmem", "VmSwap", "Threads")
	return ProcessUse{Memory: sizes[0] + sizes[1] + sizes[2], Threads: int(sizes[3] / kilobyte)}
}

// SharedMemory returns the memory of processes in bytes. Memory shared by several of them counts once. A process that
// is about to execute another program still shares all memory with its parent.
func SharedMemory(pids []int) int64 {
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

// sizesOf reads lines "name:  12 kB" of a file in /proc, and returns bytes; 0 for a missing name.
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

// ProcessorTime returns the processor time of this process and of all that it started, including those that have ended.
func ProcessorTime() time.Duration {
	total := spentBy(os.Getpid())
	for _, pid := range ProcessesBelow(os.Getpid()) {
		total += spentBy(pid)
	}
	return total
}

// spentBy returns the processor time of a process and of its children that have ended.
func spentBy(pid int) time.Duration {
	const user, children = 11, 14 // fields behind the name
	fields := statFields("/proc/" + strconv.Itoa(pid) + "/stat")
	total := time.Duration(0)
	for i := user; i <= children && i < len(fields); i++ {
		n, _ := strconv.ParseInt(string(fields[i]), 10, 64)
		total += time.Duration(n) * clockTick
	}
	return total
}
