package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// between is the time between two checks of a run. Checking one process takes about a tenth of a millisecond.
const between = 50 * time.Millisecond

// The values of Exit.Exceeded.
const (
	totalExceeded     = "memory of all processes"
	diskExceeded      = "size of the scratch folder"
	processesExceeded = "number of processes"
	machineExceeded   = "memory of the machine" // the kernel killed it, because memory ran out
)

// A supervisor checks all processes of a run together, which the kernel's limits don't, and kills the run when they
// exceed a limit.
type supervisor struct {
	run       *run
	limits    Limits
	folder    string // the scratch folder to be measured; "" if the kernel limits it
	processes bool   // no other layer limits the number of processes
}

// watch checks the run from time to time until it is over.
func (v *supervisor) watch(over <-chan struct{}) {
	if v.limits.Total == 0 && v.folder == "" && !v.processes {
		return
	}
	ticker := time.NewTicker(between)
	defer ticker.Stop()
	for {
		select {
		case <-over:
			return
		case <-ticker.C:
		}
		if exceeded := v.look(); exceeded != "" {
			v.run.exceed(exceeded)
			return
		}
	}
}

func (v *supervisor) look() string {
	pids := v.run.processes()
	used, threads := v.run.memoryOfScratch(), 0
	for _, pid := range pids {
		u := UseOf(pid)
		used, threads = used+u.Memory, threads+u.Threads
	}
	switch {
	case v.limits.Total > 0 && used > v.limits.Total && v.run.memoryOfScratch()+SharedMemory(pids) > v.limits.Total:
		return totalExceeded
	case v.processes && threads > v.limits.Processes:
		return processesExceeded
	case v.folder != "" && v.limits.Disk > 0 && v.onDisk(pids) > v.limits.Disk:
		return diskExceeded
	}
	return ""
}

// processes lists the processes of a run. Without a process namespace, the warden has no other children.
func (r *run) processes() []int {
	if r.init != 0 {
		return append(ProcessesBelow(r.driver, r.init), r.driver)
	}
	return ProcessesBelow(os.Getpid())
}

// memoryOfScratch returns the size of the files in a scratch folder in memory, in bytes.
func (r *run) memoryOfScratch() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	var stat unix.Statfs_t
	if r.scratch == nil || r.over || unix.Fstatfs(int(r.scratch.Fd()), &stat) != nil {
		return 0
	}
	return int64(stat.Blocks-stat.Bfree) * int64(stat.Bsize)
}

// onDisk returns the size of the files in the scratch folder in bytes, including removed ones that are still open. It
// resolves names only below the folder.
func (v *supervisor) onDisk(pids []int) int64 {
	root, err := os.OpenRoot(v.folder)
	if err != nil {
		return 0
	}
	defer root.Close()
	used, device := int64(0), uint64(0)
	_ = fs.WalkDir(root.FS(), ".", func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // the driver changes the folder meanwhile
		}
		if info, err := entry.Info(); err == nil {
			if s, ok := info.Sys().(*syscall.Stat_t); ok {
				used, device = used+max(s.Blocks*512, smallestFile), uint64(s.Dev)
			}
		}
		if used > v.limits.Disk {
			return fs.SkipAll
		}
		return nil
	})
	for _, pid := range pids {
		files, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/fd/*")
		for _, name := range files {
			var s unix.Stat_t
			if unix.Stat(name, &s) == nil && uint64(s.Dev) == device && s.Nlink == 0 {
				used += s.Blocks * 512
			}
		}
	}
	return used
}

// smallestFile is the minimum size that an empty file or folder counts as, so that their number is limited too.
const smallestFile = 4096

// victims returns how many processes the kernel has killed so far because memory ran out; 0 if that is unknown.
func victims() int64 {
	text, err := os.ReadFile("/proc/vmstat")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if number, ok := strings.CutPrefix(line, "oom_kill "); ok {
			killed, _ := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
			return killed
		}
	}
	return 0
}

// blame finds out whether the kernel killed a driver because memory ran out, which the signal does not tell from what a
// driver does to itself. Before is what victims returned before the driver was started.
func (r *run) blame(status unix.WaitStatus, before int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.exceeded != "" || !status.Signaled() || status.Signal() != unix.SIGKILL {
		return
	}
	after := make(chan int64)
	go func() { after <- victims() }() // on another thread, because this one may not see the host's /proc
	if <-after > before {
		r.exceeded = machineExceeded
	}
}

// makeScratch mounts a scratch folder of limited size in memory.
func makeScratch(where *place) error {
	target := staging + inside
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	options := fmt.Sprintf("mode=0755,size=%d,nr_inodes=%d", where.disk, where.disk/smallestFile)
	if err := unix.Mount("tmpfs", target, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, options); err != nil {
		return fmt.Errorf("mount the scratch folder: %w", err)
	}
	for _, dir := range folders {
		if err := os.Mkdir(filepath.Join(target, dir), 0o755); err != nil {
			return err
		}
	}
	if where.givenAway {
		if err := giveAway(target); err != nil {
			return err
		}
	}
	var err error
	where.memory, err = os.Open(target)
	return err
}

// supervisor returns the supervisor of a run.
func (w *warden) supervisor(r *run, req request) *supervisor {
	v := &supervisor{run: r, limits: req.Limits, processes: w.layers.User != "" && req.Limits.Processes > 0}
	if w.layers.Mount != "" && req.Limits.Disk > 0 {
		v.folder = req.Scratch
	}
	return v
}
