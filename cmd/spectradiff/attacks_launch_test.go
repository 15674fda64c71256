//go:build linux

package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Names of the programs that this test binary is beside itself.
const (
	launcherName = "attack-launch" // starts the command and waits for all that it leaves
	enterName    = "attack-enter"  // becomes the user and turns into the command
)

func init() {
	programs[launcherName] = func() { os.Exit(launch(os.Args[1:])) }
	programs[enterName] = func() { os.Exit(enter(os.Args[1:])) }
}

// toolMemory is how much memory the tool may take.
const toolMemory = 2 << 30

// dying is how long processes that were killed may take to be gone, in attacks.
const dying = time.Minute

// stillRan is what the notes say of a program that took too long.
const stillRan = "it still ran after"

// launch runs a program and writes to a file what is wrong with how it ends. Arguments: the flags, then what
// attack-enter takes.
func launch(args []string) int {
	flags := flag.NewFlagSet(launcherName, flag.ExitOnError)
	limit := flags.Duration("limit", 0, "how long the program may run")
	notes := flags.String("notes", "", "file for what is wrong")
	patience := flags.Duration("dying", dying, "how long processes may take to be gone")
	_ = flags.Parse(args)
	file, err := os.Create(*notes)
	if err != nil {
		fmt.Fprintln(os.Stderr, launcherName, err)
		return 125
	}
	defer file.Close()
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		fmt.Fprintln(file, "become the parent of orphans:", err)
		return 125
	}
	cmd := exec.Command("/proc/self/exe", flags.Args()...)
	cmd.Args[0] = enterName
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(file, "start:", err)
		return 125
	}
	late := time.AfterFunc(*limit, func() {
		fmt.Fprintf(file, "%s %s\n", stillRan, *limit)
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	})
	_ = cmd.Wait()
	late.Stop()
	for _, left := range leftRunning(*patience) {
		fmt.Fprintln(file, "a process is left:", left)
	}
	return cmd.ProcessState.ExitCode()
}

// leftRunning waits for all that was started, and kills and returns what does not end by itself.
func leftRunning(patience time.Duration) (left []string) {
	gone := make(chan bool)
	go func() {
		for {
			if _, err := unix.Wait4(-1, nil, 0, nil); err != nil && err != unix.EINTR {
				close(gone)
				return
			}
		}
	}()
	for ; ; patience = time.Second {
		select {
		case <-gone:
			return left
		case <-time.After(patience):
		}
		for _, pid := range childrenOf(os.Getpid()) {
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			left = append(left, strings.ReplaceAll(string(line), "\x00", " "))
			_ = unix.Kill(pid, unix.SIGKILL)
		}
	}
}

func childrenOf(parent int) (children []int) {
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		text, _ := os.ReadFile("/proc/" + entry.Name() + "/stat")
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			children = append(children, pid)
		}
	}
	return children
}

// enter becomes a user with the rights that a machine leaves him, and then a program. Arguments: flags, the
// program's path and its arguments.
func enter(args []string) int {
	runtime.LockOSThread() // rights belong to threads; the one that calls exec stays
	flags := flag.NewFlagSet(enterName, flag.ExitOnError)
	uid := flags.Int("uid", os.Geteuid(), "user to become")
	container := flags.Bool("container", false, "allow no namespaces")
	bare := flags.Bool("bare", false, "have no Landlock")
	_ = flags.Parse(args)
	memory := unix.Rlimit{Cur: toolMemory, Max: unix.RLIM_INFINITY}
	err := unix.Setrlimit(unix.RLIMIT_DATA, &memory)
	if err == nil && *uid != os.Geteuid() {
		err = errors.Join(syscall.Setgroups(nil), syscall.Setgid(*uid), syscall.Setuid(*uid))
	}
	if err == nil && *container {
		err = errors.Join(forbidNamespaces(), keepContainerRights())
	}
	if err == nil && *bare {
		err = forbid(unix.SYS_LANDLOCK_CREATE_RULESET)
	}
	path := ""
	if err == nil {
		path, err = exec.LookPath(flags.Arg(0))
	}
	if err == nil {
		err = syscall.Exec(path, append([]string{"spectradiff"}, flags.Args()[1:]...), os.Environ())
	}
	fmt.Fprintln(os.Stderr, enterName, err)
	return 125
}

// Parts of filters.
const (
	absent = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	fetch  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	equal  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	result = unix.BPF_RET | unix.BPF_K
)

// forbid lets the thread and what it becomes not make a system call, as a kernel that does not know it.
func forbid(call uint32) error {
	return filter([]unix.SockFilter{
		{Code: fetch, K: 0}, // the call
		{Code: equal, K: call, Jf: 1},
		{Code: result, K: absent},
		{Code: result, K: unix.SECCOMP_RET_ALLOW},
	})
}

// forbidNamespaces lets the thread and what it becomes make no namespaces.
func forbidNamespaces() error {
	arch := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	if arch == 0 {
		return errors.New("no list of system calls for " + runtime.GOARCH)
	}
	const (
		namespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET |
			unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP
		refuse = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
		some   = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
	)
	return filter([]unix.SockFilter{
		{Code: fetch, K: 4}, // the machine
		{Code: equal, K: arch, Jt: 1},
		{Code: result, K: unix.SECCOMP_RET_KILL_PROCESS},
		{Code: fetch, K: 0}, // the call
		{Code: equal, K: unix.SYS_UNSHARE, Jf: 1},
		{Code: result, K: refuse},
		{Code: equal, K: unix.SYS_CLONE3, Jf: 1}, // its flags can't be seen; callers use clone then
		{Code: result, K: absent},
		{Code: equal, K: unix.SYS_CLONE, Jt: 1},
		{Code: result, K: unix.SECCOMP_RET_ALLOW},
		{Code: fetch, K: 16}, // its flags
		{Code: some, K: namespaces, Jf: 1},
		{Code: result, K: refuse},
		{Code: result, K: unix.SECCOMP_RET_ALLOW},
	})
}

func filter(program []unix.SockFilter) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	of := &unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(of)))
	if errno != 0 {
		return fmt.Errorf("filter system calls: %w", errno)
	}
	return nil
}

// containerRights are the capabilities that root has in a container that is not asked for others.
var containerRights = []uintptr{
	unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FSETID, unix.CAP_FOWNER, unix.CAP_MKNOD, unix.CAP_NET_RAW,
	unix.CAP_SETGID, unix.CAP_SETUID, unix.CAP_SETFCAP, unix.CAP_SETPCAP, unix.CAP_NET_BIND_SERVICE,
	unix.CAP_SYS_CHROOT, unix.CAP_KILL, unix.CAP_AUDIT_WRITE,
}

// keepContainerRights takes from root what containers take.
func keepContainerRights() error {
	if os.Geteuid() != 0 {
		return nil
	}
	var keep [2]uint32
	for right := uintptr(0); right <= unix.CAP_LAST_CAP; right++ {
		if slices.Contains(containerRights, right) {
			keep[right/32] |= 1 << (right % 32)
			continue
		}
		// The kernel may not know the last ones.
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, right, 0, 0, 0); err != nil && err != unix.EINVAL {
			return fmt.Errorf("give up a right: %w", err)
		}
	}
	header := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	for i := range data {
		data[i] = unix.CapUserData{Effective: keep[i], Permitted: keep[i]}
	}
	if err := unix.Capset(header, &data[0]); err != nil {
		return fmt.Errorf("give up rights: %w", err)
	}
	return nil
}
