package sandbox

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Offsets in the data that a filter gets.
const (
	dataNumber = 0
	dataArch   = 4
	dataArg    = 16 // + 8 for each argument; its low half, on the little-endian machines below
)

// x32Bit marks the system calls of amd64's x32 interface, which a list of numbers would miss.
const x32Bit = 0x40000000

var auditArch = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// forbidden are system calls that no driver needs: ways to other processes, mounts, namespaces and keys,
// objects that outlive a run, and interfaces that bypass the filter or are large and seldom used.
var forbidden = []uint32{
	unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PTRACE, unix.SYS_KCMP,
	unix.SYS_PIDFD_GETFD, unix.SYS_PROCESS_MADVISE,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
	unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE,
	unix.SYS_FSOPEN, unix.SYS_FSMOUNT, unix.SYS_FSCONFIG, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	unix.SYS_SETNS, unix.SYS_UNSHARE,
	unix.SYS_ADD_KEY, unix.SYS_KEYCTL, unix.SYS_REQUEST_KEY,
	unix.SYS_SHMGET, unix.SYS_SEMGET, unix.SYS_MSGGET, unix.SYS_MQ_OPEN,
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT,
	unix.SYS_OPEN_BY_HANDLE_AT,
}

// outward are system calls that reach other processes of the same user if there is no process namespace.
var outward = []uint32{
	unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO,
	unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM,
	unix.SYS_SCHED_SETATTR, unix.SYS_SCHED_SETAFFINITY,
	unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES,
}

const newNamespace = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET |
	unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP | unix.CLONE_PTRACE

func trySeccomp() error {
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

// addFilter makes the child enforce the filter.
func (w *warden) addFilter(s *script) {
	f := &filter{}
	f.guardArch()
	f.add(load(dataNumber))
	for _, number := range forbidden {
		f.ifEqual(number, failWith(unix.EPERM))
	}
	f.ifEqual(unix.SYS_SOCKET, failWith(unix.EACCES))
	// The flags of clone3 lie in memory that a filter can't read. Its callers fall back to clone.
	f.ifEqual(unix.SYS_CLONE3, failWith(unix.ENOSYS))
	if w.layers.Pid != "" {
		f.keepSignalsIn(w.layers.Landlock == "" && w.layers.LandlockABI >= landlockSignals)
	}
	f.unlessEqual(unix.SYS_CLONE, allowCall)
	f.add(load(dataArg))
	f.add(jump(unix.BPF_JSET, newNamespace, 0, 1))
	f.add(ret(failWith(unix.EPERM)))
	f.add(ret(allowCall))
	program := &unix.SockFprog{Len: uint16(len(f.code)), Filter: &f.code[0]}
	s.add("filter system calls", unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, hand(s, program))
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

func (f *filter) unlessEqual(value, result uint32) {
	f.add(jump(unix.BPF_JEQ, value, 1, 0))
	f.add(ret(result))
}

func (f *filter) guardArch() {
	f.add(load(dataArch))
	f.unlessEqual(auditArch[runtime.GOARCH], unix.SECCOMP_RET_KILL_PROCESS)
	if runtime.GOARCH == "amd64" {
		f.add(load(dataNumber))
		f.add(jump(unix.BPF_JGE, x32Bit, 0, 1))
		f.add(ret(failWith(unix.ENOSYS)))
	}
}

// keepSignalsIn replaces a process namespace. Without Landlock only the signal by which Go preempts its
// threads is allowed. A driver that ends itself by a signal exits with status 2 then.
func (f *filter) keepSignalsIn(byLandlock bool) {
	for _, number := range outward {
		f.ifEqual(number, failWith(unix.EPERM))
	}
	f.add(jump(unix.BPF_JEQ, unix.SYS_PRLIMIT64, 0, 4))
	f.add(load(dataArg))
	f.ifEqual(0, allowCall)
	f.add(ret(failWith(unix.EPERM)))
	if byLandlock {
		return
	}
	f.ifEqual(unix.SYS_KILL, failWith(unix.EPERM))
	f.ifEqual(unix.SYS_TKILL, failWith(unix.EPERM))
	f.add(jump(unix.BPF_JEQ, unix.SYS_TGKILL, 0, 4))
	f.add(load(dataArg + 2*8))
	f.ifEqual(uint32(unix.SIGURG), allowCall)
	f.add(ret(failWith(unix.EPERM)))
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
