package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

var longAgo = time.Unix(1e9, 0)

// attributes tries to change a file without opening it for writing.
func attributes(args []string) {
	path := args[0]
	times := []unix.Timespec{{Sec: 1e9}, {Sec: 1e9}}
	report("chmod", os.Chmod(path, 0o777))
	report("chown", os.Lchown(path, os.Getuid(), os.Getgid()))
	report("utimes", os.Chtimes(path, longAgo, longAgo))
	report("setxattr", unix.Setxattr(path, "user.hostile", []byte("x"), 0))
	_, err := unix.Getxattr(path, "user.hostile", make([]byte, 8))
	report("getxattr", err)
	report("removexattr", unix.Removexattr(path, "user.canary"))
	fd, err := unix.Open(path, unix.O_PATH, 0)
	if err == nil {
		self := "/proc/self/fd/" + strconv.Itoa(fd)
		report("chmod by descriptor", unix.Fchmodat(fd, "", 0o777, unix.AT_EMPTY_PATH))
		report("utimes by descriptor", unix.UtimesNanoAt(fd, "", times, unix.AT_EMPTY_PATH))
		report("chmod by /proc", unix.Chmod(self, 0o777))
		report("setxattr by /proc", unix.Setxattr(self, "user.hostile", []byte("x"), 0))
	}
	attr := [6]uint64{}
	_, _, errno := unix.RawSyscall6(unix.SYS_FILE_SETATTR, at, address(path), uintptr(unsafe.Pointer(&attr)),
		unsafe.Sizeof(attr)/2, 0, 0)
	report("file_setattr", orNil(errno))
	watch, err := unix.InotifyInit1(0)
	if err == nil {
		_, err = unix.InotifyAddWatch(watch, path, unix.IN_ALL_EVENTS)
	}
	report("watch", err)
}

// ownAttributes changes files that the driver opened itself: its binary, and files in its working folder.
func ownAttributes([]string) {
	self, err := os.Open(again().Path)
	if err == nil {
		err = self.Chmod(0o777)
	}
	report("binary", err)
	report("create", os.WriteFile("f", nil, 0o600))
	report("own chmod", os.Chmod("f", 0o640))
	report("own times", os.Chtimes("f", longAgo, longAgo))
	entries, _ := filepath.Glob("*")
	fmt.Println("entries", entries)
}

const at = ^uintptr(99) // AT_FDCWD

func address(path string) uintptr {
	text, _ := unix.BytePtrFromString(path)
	return uintptr(unsafe.Pointer(text))
}

func orNil(errno syscall.Errno) error {
	if errno == 0 {
		return nil
	}
	return errno
}

// datagram sends to a Unix socket without connecting to it.
func datagram(args []string) {
	for name, kind := range map[string]int{"datagram": unix.SOCK_DGRAM, "raw": unix.SOCK_RAW} {
		pair, err := unix.Socketpair(unix.AF_UNIX, kind, 0)
		if err == nil {
			err = unix.Sendto(pair[0], []byte("x"), 0, &unix.SockaddrUnix{Name: args[0]})
		}
		report(name, err)
	}
}

// own makes the kernel send signals to another process.
func own(args []string) {
	pid, _ := strconv.Atoi(args[0])
	var pipe [2]int
	if err := unix.Pipe(pipe[:]); err != nil {
		fmt.Println(err)
		return
	}
	report("descriptor", sendBy(pipe[0], pipe[1], func(fd int) error {
		_, err := unix.FcntlInt(uintptr(fd), unix.F_SETOWN, pid)
		return err
	}))
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err == nil {
		err = sendBy(pair[0], pair[1], func(fd int) error { return unix.IoctlSetPointerInt(fd, 0x8901, pid) })
	}
	report("socket", err)
	fmt.Println("alive")
}

// sendBy makes a descriptor readable that sends a signal when it becomes readable.
func sendBy(reader, writer int, choose func(int) error) error {
	if err := choose(reader); err != nil {
		return err
	}
	if _, err := unix.FcntlInt(uintptr(reader), unix.F_SETSIG, int(unix.SIGKILL)); err != nil {
		return err
	}
	if _, err := unix.FcntlInt(uintptr(reader), unix.F_SETFL, unix.O_ASYNC); err != nil {
		return err
	}
	_, err := unix.Write(writer, []byte("x"))
	return err
}

// segment changes and removes System V memory with a given number.
func segment(args []string) {
	id, _ := strconv.Atoi(args[0])
	memory, err := unix.SysvShmAttach(id, 0, 0)
	if err == nil {
		memory[0] = 'y'
	}
	report("attach", err)
	_, err = unix.SysvShmCtl(id, unix.IPC_RMID, nil)
	report("remove", err)
}

// calls makes system calls that only the filter confines.
func calls([]string) {
	null, _ := os.Open("/dev/null")
	for _, c := range []struct {
		name   string
		number uintptr
		args   [3]uintptr
	}{
		{"memfd_create", unix.SYS_MEMFD_CREATE, [3]uintptr{address("x")}},
		{"syslog", unix.SYS_SYSLOG, [3]uintptr{10}},
		{"adjtimex", unix.SYS_ADJTIMEX, [3]uintptr{uintptr(unsafe.Pointer(&unix.Timex{}))}},
		{"socketpair", unix.SYS_SOCKETPAIR, [3]uintptr{unix.AF_UNIX, unix.SOCK_STREAM}},
		{"semop", unix.SYS_SEMOP, [3]uintptr{}},
		{"msgsnd", unix.SYS_MSGSND, [3]uintptr{}},
		{"mq_unlink", unix.SYS_MQ_UNLINK, [3]uintptr{address("x")}},
		{"F_SETOWN", unix.SYS_FCNTL, [3]uintptr{null.Fd(), unix.F_SETOWN, 1}},
		{"F_SETLEASE", unix.SYS_FCNTL, [3]uintptr{null.Fd(), unix.F_SETLEASE, unix.F_RDLCK}},
		{"TIOCSTI", unix.SYS_IOCTL, [3]uintptr{null.Fd(), unix.TIOCSTI, address("x")}},
		{"FS_IOC_SETFLAGS", unix.SYS_IOCTL, [3]uintptr{null.Fd(), unix.FS_IOC_SETFLAGS, address("12345678")}},
		{"setxattrat", unix.SYS_SETXATTRAT, [3]uintptr{}},
		{"the call after the last", 600, [3]uintptr{}},
	} {
		_, _, errno := unix.RawSyscall(c.number, c.args[0], c.args[1], c.args[2])
		fmt.Println(c.name, unix.ErrnoName(errno))
	}
}

// sibling makes a process whose parent is that of this one. This one does not know of it.
func sibling([]string) {
	pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, unix.CLONE_PARENT|uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if errno == 0 && pid == 0 {
		for {
			unix.RawSyscall6(unix.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
		}
	}
	report("sibling", orNil(errno))
}
