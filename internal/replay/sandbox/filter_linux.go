package sandbox

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Offsets in the input of a filter.
const (
	dataNumber = 0
	dataArch   = 4
	dataArgs   = 16 // + 8 for each argument; its low half, on the little-endian machines below
)

// filterRules describe the confinement by other layers, and so the calls that the filter must deny. The filter is a
// list of denied calls, so ordinary programs do not notice it. System calls newer than the list do not exist. It always
// denies sockets, except for processes that may connect, and namespaces, tracing, and objects that outlive the driver
// or that no limit counts. The same rules give the same filter.
type filterRules struct {
	Connects        bool // it may make sockets of the usual families, to fetch modules or connect to itself
	HostFiles       bool // the host's files are visible, so their attributes must be protected
	HostProcesses   bool // the host's processes are visible by number
	SignalsConfined bool // another layer denies signals to them
}

var auditArch = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// tryFilter returns an error if this machine has no filters, or this package no list for it.
func tryFilter() error {
	if auditArch[runtime.GOARCH] == 0 {
		return fmt.Errorf("no list of system calls for %s", runtime.GOARCH)
	}
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	if errno != 0 {
		return fmt.Errorf("ask for seccomp: %w", errors.Join(errno))
	}
	return nil
}

// filterProgram returns the filter for some rules, a program for the kernel's seccomp. It reads only the low halves of
// arguments: the kernel uses no more of those that are tested.
func filterProgram(r filterRules) []unix.SockFilter {
	f := &filter{}
	f.guardArch()
	f.add(load(dataNumber))
	// The calls of amd64's x32 interface have large numbers, so they end here too.
	f.add(jump(unix.BPF_JGT, youngestCall, 0, 1))
	f.add(ret(failWith(unix.ENOSYS)))
	f.deny(forbidden)
	f.deny(forbiddenHere)
	if r.Connects {
		f.on(unix.SYS_SOCKET, 0, func(f *filter) {
			for _, family := range families {
				f.ifEqual(family, allowCall)
			}
			f.add(ret(failWith(unix.EACCES)))
		})
	} else {
		f.ifEqual(unix.SYS_SOCKET, failWith(unix.EACCES))
		f.ifEqual(unix.SYS_SOCKETPAIR, failWith(unix.EACCES))
	}
	// The flags of clone3 lie in memory that a filter can't read. Its callers fall back to clone.
	f.ifEqual(unix.SYS_CLONE3, failWith(unix.ENOSYS))
	if r.HostFiles {
		f.deny(attributes)
		f.deny(attributesHere)
	}
	if r.HostProcesses {
		f.keepSignalsIn(r.SignalsConfined)
	}
	f.on(unix.SYS_FCNTL, 1, func(f *filter) {
		f.deny(outside)
		f.add(ret(allowCall))
	})
	f.on(unix.SYS_IOCTL, 1, func(f *filter) {
		for _, command := range harmless {
			f.ifEqual(command, allowCall)
		}
		f.add(ret(failWith(unix.ENOTTY)))
	})
	f.on(unix.SYS_CLONE, 0, func(f *filter) {
		f.add(jump(unix.BPF_JSET, newNamespace, 0, 1))
		f.add(ret(failWith(unix.EPERM)))
		f.add(ret(allowCall))
	})
	f.add(ret(allowCall))
	return f.code
}

const allowCall = unix.SECCOMP_RET_ALLOW

func failWith(e unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(e) }

// A filter is a program for the kernel's packet filter machine.
type filter struct{ code []unix.SockFilter }

func (f *filter) add(i unix.SockFilter) { f.code = append(f.code, i) }

func (f *filter) ifEqual(value, result uint32) {
	f.add(jump(unix.BPF_JEQ, value, 0, 1))
	f.add(ret(result))
}

// deny makes some system calls fail.
func (f *filter) deny(values []uint32) {
	for _, value := range values {
		f.ifEqual(value, failWith(unix.EPERM))
	}
}

// on decides one system call by one of its arguments.
func (f *filter) on(number uint32, argument int, decide func(*filter)) {
	inner := &filter{}
	inner.add(load(dataArgs + uint32(argument)*8))
	decide(inner)
	f.add(jump(unix.BPF_JEQ, number, 0, uint8(len(inner.code))))
	f.code = append(f.code, inner.code...)
}

func (f *filter) guardArch() {
	f.add(load(dataArch))
	f.add(jump(unix.BPF_JEQ, auditArch[runtime.GOARCH], 1, 0))
	f.add(ret(unix.SECCOMP_RET_KILL_PROCESS))
}

// keepSignalsIn replaces a process namespace. Without Landlock it allows only the signal with which Go preempts its
// threads. Then a driver that ends itself by a signal exits with status 2.
func (f *filter) keepSignalsIn(byLandlock bool) {
	f.deny(outward)
	f.on(unix.SYS_PRLIMIT64, 0, onlyFor(0))
	if byLandlock {
		return
	}
	f.ifEqual(unix.SYS_KILL, failWith(unix.EPERM))
	f.ifEqual(unix.SYS_TKILL, failWith(unix.EPERM))
	f.on(unix.SYS_TGKILL, 2, onlyFor(uint32(unix.SIGURG)))
}

func onlyFor(value uint32) func(*filter) {
	return func(f *filter) {
		f.ifEqual(value, allowCall)
		f.add(ret(failWith(unix.EPERM)))
	}
}

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

func jump(test uint16, value uint32, yes, no uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_K | test, K: value, Jt: yes, Jf: no}
}

func ret(result uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: result}
}
