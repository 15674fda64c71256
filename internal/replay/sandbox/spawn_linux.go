package sandbox

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// firstPrivateFD is the first descriptor of the warden in a child that is about to become a driver. Lower ones are the
// driver's.
const firstPrivateFD = 300

const noLimit = 1<<32 - 1 // largest descriptor for close_range

// A step is one system call that a child makes between fork and exec.
type step struct {
	name     string
	nr       uintptr
	args     [6]uintptr
	optional bool // continue if it fails
}

// A script is the list of system calls that a forked child makes. Limits, credentials, Landlock and the filter must
// bind the driver and not the warden's threads, but no Go code can run safely in a forked child. So all calls and their
// arguments are prepared in advance, and the child only makes the calls.
type script struct {
	steps  []step
	alive  []any    // keeps the targets of arguments alive
	report []uint32 // index of the failed step, errno
}

func (s *script) add(name string, nr uintptr, args ...uintptr) {
	st := step{name: name, nr: nr}
	copy(st.args[:], args)
	s.steps = append(s.steps, st)
}

func (s *script) try(name string, nr uintptr, args ...uintptr) {
	s.add(name, nr, args...)
	s.steps[len(s.steps)-1].optional = true
}

// text returns the address of a string with a terminating zero.
func (s *script) text(t string) uintptr {
	b := append([]byte(t), 0)
	s.alive = append(s.alive, b)
	return uintptr(unsafe.Pointer(&b[0]))
}

// texts returns the address of a list of strings with a terminating nil.
func (s *script) texts(list []string) uintptr {
	v := make([]uintptr, len(list)+1)
	for i, t := range list {
		v[i] = s.text(t)
	}
	s.alive = append(s.alive, v)
	return uintptr(unsafe.Pointer(&v[0]))
}

// hand returns the address of a value and keeps the value alive.
func hand[T any](s *script, v *T) uintptr {
	s.alive = append(s.alive, v)
	return uintptr(unsafe.Pointer(v))
}

// run makes a child that runs the script, and returns when the script has ended. A script ends with an exec, or with
// stay, which leaves a child that sleeps until it is killed. run returns the error of a failed step.
func (s *script) run(end ending) (int, error) {
	reader, writer, err := os.Pipe()
	if err != nil {
		return 0, fmt.Errorf("make a pipe: %w", err)
	}
	defer reader.Close()
	high, err := unix.FcntlInt(writer.Fd(), unix.F_DUPFD_CLOEXEC, firstPrivateFD)
	writer.Close()
	if err != nil {
		return 0, fmt.Errorf("duplicate a pipe: %w", err)
	}
	if end == stays {
		s.add("close files", unix.SYS_CLOSE_RANGE, 0, uintptr(high-1), 0)
		s.add("close files", unix.SYS_CLOSE_RANGE, uintptr(high), noLimit, 0)
	}
	s.report = make([]uint32, 2)
	pid, errno := fork(s.steps, &s.report[0], uintptr(high), end)
	unix.Close(high)
	runtime.KeepAlive(s)
	if errno != 0 {
		return 0, fmt.Errorf("fork: %w", errno)
	}
	var failed [8]byte
	if n, _ := reader.Read(failed[:]); n == len(failed) {
		at, errno := *(*uint32)(unsafe.Pointer(&failed[0])), *(*uint32)(unsafe.Pointer(&failed[4]))
		_, _ = wait(int(pid))
		return 0, fmt.Errorf("%s: %w", s.steps[at].name, syscall.Errno(errno))
	}
	return int(pid), nil
}

// An ending is how a script ends.
type ending bool

const (
	executes ending = false // its last step executes a program
	stays    ending = true
)

// fork makes the child. It runs in two processes. The child has one thread and no Go runtime: no stack growth, no
// allocation, and no signal handlers of Go (all signals are blocked until they have none). A child that executes a
// program lives in the memory of its parent until then.
//
//go:norace
//go:nosplit
//go:noinline
func fork(steps []step, report *uint32, reportFD uintptr, end ending) (uintptr, syscall.Errno) {
	var all, before uint64 = ^uint64(0), 0
	syscall.RawSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK,
		uintptr(unsafe.Pointer(&all)), uintptr(unsafe.Pointer(&before)), 8, 0, 0)
	flags := uintptr(unix.SIGCHLD)
	if end == executes {
		flags |= aside
	}
	pid, failed := clone(flags)
	if pid != 0 || failed != 0 {
		syscall.RawSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&before)), 0, 8, 0, 0)
		return pid, syscall.Errno(failed)
	}
	for i := range steps {
		st := &steps[i]
		a := &st.args
		_, _, errno := syscall.RawSyscall6(st.nr, a[0], a[1], a[2], a[3], a[4], a[5])
		if errno != 0 && !st.optional {
			failed := (*[2]uint32)(unsafe.Pointer(report))
			failed[0], failed[1] = uint32(i), uint32(errno)
			syscall.RawSyscall6(unix.SYS_WRITE, reportFD, uintptr(unsafe.Pointer(report)), 8, 0, 0, 0)
			syscall.RawSyscall6(unix.SYS_EXIT_GROUP, 127, 0, 0, 0, 0, 0)
		}
	}
	for end == stays {
		syscall.RawSyscall6(unix.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
	}
	for {
		syscall.RawSyscall6(unix.SYS_EXIT_GROUP, 127, 0, 0, 0, 0, 0)
	}
}

// reap reaps all children of this thread, possibly more than it has made. Process 1 of a namespace ends only after all
// others, so those with a parent outside must be reaped too.
func reap() {
	for {
		if _, err := unix.Wait4(-1, nil, unix.WNOTHREAD, nil); err != nil && err != unix.EINTR {
			return
		}
	}
}

// wait reaps one child and returns its status.
func wait(pid int) (unix.WaitStatus, error) {
	for {
		var status unix.WaitStatus
		_, err := unix.Wait4(pid, &status, 0, nil)
		if err != unix.EINTR {
			return status, err
		}
	}
}

// killDescendants kills and reaps all descendants of this process, for machines without process namespaces. Orphans
// become children of this process, because the warden is a subreaper.
func killDescendants() {
	for {
		for _, pid := range ProcessesBelow(os.Getpid()) {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		// Reap all that have ended, and repeat while any child lives.
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
