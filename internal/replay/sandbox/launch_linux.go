package sandbox

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// nobody is the user and group of a driver inside a user namespace.
const nobody = 65534

const programName = "driver"

// reserve is the address space in bytes that a process may reserve beyond its limit on memory.
const reserve = 1 << 40

// A place holds the paths as a driver or a command sees them.
type place struct {
	binary    string
	scratch   string
	work      string   // initial working folder
	libraries []string // folders of shared libraries; none for a static binary
	zones     []string // folders with the time zones of the system, if there are any
	readable  []string
	shown     []Shown
	kept      []string
	copied    []string // folders of which it sees copies
	devices   []string

	disk      int64    // size of a scratch folder in memory, in bytes; 0: the host's folder
	givenAway bool     // the scratch folder belongs to the driver's user
	memory    *os.File // the scratch folder, if it lies in memory

	loopback bool // it has a network of its own

	command *commandRequest // nil: a driver
	env     []string        // of a command
}

// addressesNotRandom is the kernel's ADDR_NO_RANDOMIZE.
const addressesNotRandom = 0x0040000

// launch starts a driver from the calling thread, after moving the thread into new namespaces. The descriptors fds are
// standard output, standard error and the further files.
func (w *warden) launch(req request, fds []int) (*run, error) {
	where, err := w.placeOf(req)
	if err != nil {
		return nil, err
	}
	req.Limits = w.limitsHere(req)
	r := &run{}
	if err = w.enter(&where, r); err == nil {
		r.driver, err = w.startDriver(req, where, fds)
	}
	r.scratch = where.memory
	if err != nil {
		r.scratch.Close()
		if r.init != 0 {
			r.kill()
			_, _ = wait(r.init)
		}
		return nil, fmt.Errorf("start %s in the sandbox: %w", req.Binary, err)
	}
	return r, nil
}

// placeOf determines the place of a driver or a command. It gives a driver the ownership of its scratch folder.
func (w *warden) placeOf(req request) (place, error) {
	if req.Command != nil {
		return place{
			binary: req.Binary, work: req.Command.Dir, devices: devices, command: req.Command, env: req.Env,
		}, nil
	}
	where := place{
		binary: req.Binary, scratch: req.Scratch, work: filepath.Join(req.Scratch, "work"), devices: devices,
		readable: req.ReadOnly, kept: req.Kept,
		loopback: req.Loopback && w.layers.Network == "" && w.layers.Mount == "",
	}
	if !req.OwnZones {
		where.zones = []string{zoneinfo}
	}
	for _, folder := range req.Shown {
		switch {
		case folder.Folder == folder.At:
			where.readable = append(where.readable, folder.At)
		case w.layers.Mount != "":
			return where, fmt.Errorf("show %s as %s: no mount namespace: %s", folder.Folder, folder.At, w.layers.Mount)
		default:
			where.shown = append(where.shown, folder)
		}
	}
	dynamic, err := isDynamic(req.Binary)
	if err != nil {
		return where, err
	}
	switch {
	case req.Programs:
		where.libraries = append(SystemFolders(), req.Tools...)
	case dynamic:
		where.libraries = libraries
	}
	where.givenAway = w.changesUser()
	if w.layers.Mount == "" {
		where.disk = req.Limits.Disk
	}
	if where.copied = req.Copies; len(where.copied) > 0 && where.disk == 0 {
		return where, errors.New("copies of folders need a scratch folder in memory")
	}
	if where.givenAway && where.disk == 0 {
		err = giveAway(req.Scratch)
	}
	return where, err
}

// enter moves the thread into the driver's namespaces and root.
func (w *warden) enter(where *place, r *run) error {
	if where.loopback {
		if err := ownNetwork(); err != nil {
			return err
		}
	} else if w.layers.Network == "" && !where.mayConnect() {
		if err := unix.Setns(w.netFD, unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("enter the network namespace: %w", err)
		}
	}
	proc := ""
	if w.layers.Mount == "" {
		if err := unshareMounts(); err != nil {
			return err
		}
		if where.command == nil {
			unix.Umask(0o022) // modes of a driver's files are the same on every machine
		}
		if err := prepareRoot(where); err != nil {
			return err
		}
		proc = staging + "/proc"
	}
	if w.layers.Pid == "" {
		if err := unix.Unshare(unix.CLONE_NEWPID); err != nil {
			return fmt.Errorf("make a process namespace: %w", err)
		}
		var err error
		if r.init, err = w.startInit(proc); err != nil {
			return fmt.Errorf("start process 1: %w", err)
		}
	}
	if w.layers.Mount == "" {
		return switchRoot()
	}
	return nil
}

// mayConnect reports whether the process keeps the network of the user.
func (p *place) mayConnect() bool { return p.command != nil && p.command.Network }

// ownNetwork moves the thread into a new network namespace whose loopback device is up.
func ownNetwork() error {
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("make a network namespace: %w", err)
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("make a socket: %w", err)
	}
	defer unix.Close(fd)
	device, err := unix.NewIfreq("lo")
	if err == nil {
		device.SetUint16(unix.IFF_UP)
		err = unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, device)
	}
	if err != nil {
		return fmt.Errorf("turn on the loopback device: %w", err)
	}
	return nil
}

// startDriver starts the driver or command.
func (w *warden) startDriver(req request, where place, fds []int) (int, error) {
	s := &script{}
	private, err := w.addFiles(s, fds)
	defer func() { closeAll(private) }()
	if err != nil {
		return 0, err
	}
	w.addVictim(s, len(fds)+1, req.Command != nil)
	s.add("make a session", unix.SYS_SETSID)
	s.add("enter the working folder", unix.SYS_CHDIR, s.text(where.work))
	addLimits(s, req.Limits)
	w.addCredentials(s, req)
	s.add("follow the sandbox's end", unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL))
	if w.layers.Landlock == "" {
		fd, err := w.ruleset(where)
		if err != nil {
			return 0, err
		}
		private = append(private, fd)
		s.add("restrict by Landlock", unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(fd), 0)
	}
	if w.layers.Seccomp == "" {
		w.addFilter(s, where)
	}
	addExec(s, where, req)
	return s.run(executes)
}

// addFilter makes the child enforce the filter.
func (w *warden) addFilter(s *script, where place) {
	code := filterProgram(filterRules{
		Connects: where.mayConnect() || where.loopback,
		// Compilers and the go command set modes and times. Landlock restricts what they can read.
		HostFiles:       w.layers.Mount != "" && where.command == nil,
		HostProcesses:   w.layers.Pid != "",
		SignalsConfined: w.layers.Landlock == "" && w.layers.LandlockABI >= landlockSignals,
	})
	program := &unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	s.add("filter system calls", unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, hand(s, program))
}

// addFiles sets the driver's descriptors 0, 1, 2 …; exec closes all others.
func (w *warden) addFiles(s *script, fds []int) ([]int, error) {
	null, err := unix.Open("/dev/null", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open /dev/null: %w", err)
	}
	defer unix.Close(null)
	var private []int
	for i, fd := range append([]int{null}, fds...) {
		high, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, firstPrivateFD)
		if err != nil {
			return private, fmt.Errorf("duplicate a file: %w", err)
		}
		private = append(private, high)
		s.add("hand over a file", unix.SYS_DUP3, uintptr(high), uintptr(i), 0)
	}
	// Exec already closes all private descriptors. This makes sure of it.
	s.try("close other files", unix.SYS_CLOSE_RANGE, uintptr(len(fds)+1), noLimit, unix.CLOSE_RANGE_CLOEXEC)
	return private, nil
}

// limitsHere raises the limit on processes by the number of other tasks that the kernel counts.
func (w *warden) limitsHere(req request) Limits {
	l := req.Limits
	switch {
	case l.Processes == 0 || w.mapping == mapRoot:
	case w.mapping == mapSelf:
		l.Processes += threads(unix.Getpid())
	case w.changesUser() && req.Command == nil:
		l.Processes += countProcesses(nobody)
	default:
		l.Processes += countProcesses(unix.Getuid())
	}
	return l
}

func addLimits(s *script, l Limits) {
	set := func(name string, resource int, soft, hard uint64) {
		s.add("limit "+name, unix.SYS_PRLIMIT64, 0, uintptr(resource), hand(s, &unix.Rlimit{Cur: soft, Max: hard}), 0)
	}
	set("core dumps", unix.RLIMIT_CORE, 0, 0)
	// C threads take the size of their stack from here, so it is the same on every machine.
	stack := hand(s, &unix.Rlimit{Cur: 8 << 20, Max: 8 << 20})
	s.try("limit stacks", unix.SYS_PRLIMIT64, 0, unix.RLIMIT_STACK, stack, 0)
	if l.Memory > 0 {
		set("memory", unix.RLIMIT_DATA, uint64(l.Memory), uint64(l.Memory))
		set("address space", unix.RLIMIT_AS, uint64(l.Memory)+reserve, uint64(l.Memory)+reserve)
	}
	if l.FileSize > 0 {
		set("file sizes", unix.RLIMIT_FSIZE, uint64(l.FileSize), uint64(l.FileSize))
	}
	if l.CPU > 0 {
		// The first signal lets Go print its stack. The second can't be caught.
		seconds := uint64((l.CPU + time.Second - 1) / time.Second)
		set("processor time", unix.RLIMIT_CPU, seconds, seconds+1)
	}
	if l.Processes > 0 {
		set("processes", unix.RLIMIT_NPROC, uint64(l.Processes), uint64(l.Processes))
	}
	if l.OpenFiles > 0 {
		set("open files", unix.RLIMIT_NOFILE, uint64(l.OpenFiles), uint64(l.OpenFiles))
	}
}

// A sigaction is the kernel's structure: handler, flags, restorer, mask. All zero is the default action.
type sigaction [4]uint64

const ignoreSignal = 1

// lowPriority is the nice value of commands that leave the processors to others: a ninth of their share.
const lowPriority = 10

func addExec(s *script, where place, req request) {
	byDefault := hand(s, &sigaction{})
	for signal := uintptr(1); signal <= 64; signal++ {
		s.try("reset a signal", unix.SYS_RT_SIGACTION, signal, byDefault, 0, 8)
	}
	if req.FixedAddresses {
		s.try("fix addresses", unix.SYS_PERSONALITY, addressesNotRandom)
	}
	s.add("unblock signals", unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, hand(s, new(uint64)), 0, 8)
	if req.Command != nil {
		if req.Command.LowPriority {
			s.try("lower the priority", unix.SYS_SETPRIORITY, unix.PRIO_PROCESS, 0, lowPriority)
		}
		args := append([]string{filepath.Base(req.Binary)}, req.Args...)
		s.add("execute the command", unix.SYS_EXECVE, s.text(where.binary), s.texts(args), s.texts(req.Env))
		return
	}
	env := []string{"HOME=" + filepath.Join(where.scratch, "home"), "TMPDIR=" + filepath.Join(where.scratch, "tmp")}
	for _, e := range req.Env {
		if !strings.HasPrefix(e, "HOME=") && !strings.HasPrefix(e, "TMPDIR=") {
			env = append(env, e)
		}
	}
	name := programName
	if req.Programs && where.binary == insideBinary {
		name = where.binary // so that it can start itself
	}
	args := append([]string{name}, req.Args...)
	s.add("execute the driver", unix.SYS_EXECVE, s.text(where.binary), s.texts(args), s.texts(env))
}

// isDynamic reports whether a binary needs the system's shared libraries.
func isDynamic(binary string) (bool, error) {
	f, err := elf.Open(binary)
	if err != nil {
		return false, fmt.Errorf("read the driver's binary: %w", err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return true, nil
		}
	}
	return false, nil
}

// Supported returns why nothing can be compared on this system: here it can.
func Supported() error { return nil }
