package sandbox

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// killDescendants kills and reaps all descendants of this process. It is used where there is no process
// namespace. Orphans become children of this process, because the warden is a subreaper.
func killDescendants() {
	for {
		for _, pid := range descendants(os.Getpid()) {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		// Reap all that have ended, and go on as long as any child lives.
		for {
			pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
			if err == unix.ECHILD {
				return
			}
			if err == nil && pid == 0 {
				break
			}
		}
	}
}

func descendants(of int) []int {
	children := map[int][]int{}
	for _, pid := range processes() {
		if parent := parentOf(pid); parent > 0 {
			children[parent] = append(children[parent], pid)
		}
	}
	var all []int
	for queue := children[of]; len(queue) > 0; {
		pid := queue[0]
		all = append(all, pid)
		queue = append(queue[1:], children[pid]...)
	}
	return all
}

func processes() []int {
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
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The line is "pid (name) state parent …", and the name may contain anything.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(string(fields[1]))
	return parent
}

// countTasks counts the processes and threads of a user.
func countTasks(uid int) int {
	n := 0
	for _, pid := range processes() {
		dir := "/proc/" + strconv.Itoa(pid)
		info, err := os.Stat(dir)
		if err != nil {
			continue
		}
		if s, ok := info.Sys().(*syscall.Stat_t); ok && int(s.Uid) == uid {
			n += threadsOf(pid)
		}
	}
	return n
}

func threadsOf(pid int) int {
	tasks, err := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
	if err != nil {
		return 0
	}
	return len(tasks)
}
