package sandbox

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// descendants finds all descendants of a process by examining every process.
func descendants(of int) []int {
	children := map[int][]int{}
	for _, pid := range all() {
		if parent := parentOf(pid); parent > 0 {
			children[parent] = append(children[parent], pid)
		}
	}
	var found []int
	for queue := children[of]; len(queue) > 0; {
		pid := queue[0]
		found = append(found, pid)
		queue = append(queue[1:], children[pid]...)
	}
	return found
}

func all() []int {
	names, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil
	}
	var pids []int
	for _, name := range names {
		if pid, err := strconv.Atoi(filepath.Base(name)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// parentOf returns the parent's number, or 0 if the process is gone.
func parentOf(pid int) int {
	fields := statFields("/proc/" + strconv.Itoa(pid) + "/stat")
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(string(fields[1]))
	return parent
}

// countProcesses counts the processes and threads of a user.
func countProcesses(uid int) int {
	n := 0
	for _, pid := range all() {
		dir := "/proc/" + strconv.Itoa(pid)
		info, err := os.Stat(dir)
		if err != nil {
			continue
		}
		if s, ok := info.Sys().(*syscall.Stat_t); ok && int(s.Uid) == uid {
			n += threads(pid)
		}
	}
	return n
}

// threads counts the threads of a process.
func threads(pid int) int {
	tasks, err := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
	if err != nil {
		return 0
	}
	return len(tasks)
}

// ProcessesBelow lists the descendants of processes. Its cost depends only on their number, if the kernel lists
// children.
func ProcessesBelow(roots ...int) []int {
	if _, err := os.Stat("/proc/thread-self/children"); err != nil {
		var all []int
		for _, root := range roots {
			all = append(all, descendants(root)...)
		}
		return all
	}
	var all []int
	for queue := roots; len(queue) > 0; queue = queue[1:] {
		threads, _ := os.ReadDir("/proc/" + strconv.Itoa(queue[0]) + "/task")
		for _, thread := range threads {
			list, _ := os.ReadFile("/proc/" + strconv.Itoa(queue[0]) + "/task/" + thread.Name() + "/children")
			for _, word := range bytes.Fields(list) {
				if pid, err := strconv.Atoi(string(word)); err == nil {
					all, queue = append(all, pid), append(queue, pid)
				}
			}
		}
	}
	return all
}
