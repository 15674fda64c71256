package sandbox

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// sleeperAt is the address of the sleeper in its process.
const sleeperAt = 0x400000

// openSleeper returns a file with the program of process 1: it hides from tracers and sleeps. So process 1 needs no
// copy of the warden's memory. It returns -1 where there is no such program.
func openSleeper() int {
	if len(sleeperCode) == 0 {
		return -1
	}
	low, err := unix.MemfdCreate("init", unix.MFD_CLOEXEC|unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) { // kernels before 6.3
		low, err = unix.MemfdCreate("init", unix.MFD_CLOEXEC)
	}
	if err != nil {
		return -1
	}
	defer unix.Close(low)
	program := sleeperProgram()
	if n, err := unix.Write(low, program); err != nil || n != len(program) {
		return -1
	}
	high, err := unix.FcntlInt(uintptr(low), unix.F_DUPFD_CLOEXEC, firstPrivateFD)
	if err != nil {
		return -1
	}
	return high
}

// sleeperProgram returns an executable file with sleeperCode as its only segment.
func sleeperProgram() []byte {
	var header elf.Header64
	var segment elf.Prog64
	start := uint64(binary.Size(header) + binary.Size(segment))
	size := start + uint64(binary.Size(sleeperCode))
	copy(header.Ident[:], elf.ELFMAG)
	header.Ident[elf.EI_CLASS] = byte(elf.ELFCLASS64)
	header.Ident[elf.EI_DATA] = byte(elf.ELFDATA2LSB)
	header.Ident[elf.EI_VERSION] = byte(elf.EV_CURRENT)
	header.Type, header.Version = uint16(elf.ET_EXEC), uint32(elf.EV_CURRENT)
	header.Machine = uint16(sleeperMachine)
	header.Entry, header.Phoff, header.Phnum = sleeperAt+start, uint64(binary.Size(header)), 1
	header.Ehsize, header.Phentsize = uint16(binary.Size(header)), uint16(binary.Size(segment))
	segment = elf.Prog64{
		Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_X),
		Vaddr: sleeperAt, Paddr: sleeperAt, Filesz: size, Memsz: size, Align: 0x10000,
	}
	var file bytes.Buffer
	for _, part := range []any{header, segment, sleeperCode} {
		_ = binary.Write(&file, binary.LittleEndian, part) // all parts have a fixed size, and a buffer takes all
	}
	return file.Bytes()
}

// startInit starts process 1 of a new process namespace, which only sleeps. The driver is process 2, because the kernel
// treats process 1 specially: signals don't end it. The /proc of the namespace is mounted at proc, unless that is
// empty.
func (w *warden) startInit(proc string) (int, error) {
	s := &script{}
	s.add("follow the sandbox's end", unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL))
	if w.sleeperFD < 0 {
		s.add("hide from tracers", unix.SYS_PRCTL, unix.PR_SET_DUMPABLE, 0)
	}
	ignore := &sigaction{ignoreSignal}
	// Children of a process that ignores their end leave no zombies, so no further reaping is needed.
	s.add("ignore children", unix.SYS_RT_SIGACTION, uintptr(unix.SIGCHLD), hand(s, ignore), 0, 8)
	if proc != "" {
		// Optional: in a container that hides parts of /proc, the kernel allows no new one. Go programs don't need it.
		s.try("mount /proc", unix.SYS_MOUNT, s.text("proc"), s.text(proc), s.text("proc"),
			unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, 0)
	}
	if w.sleeperFD < 0 {
		return s.run(stays)
	}
	s.add("close files", unix.SYS_CLOSE_RANGE, 0, noLimit, unix.CLOSE_RANGE_CLOEXEC)
	s.add("execute process 1", unix.SYS_EXECVEAT, uintptr(w.sleeperFD), s.text(""),
		s.texts([]string{"init"}), s.texts(nil), unix.AT_EMPTY_PATH)
	return s.run(executes)
}

// tryPid also finds out whether process 1 can be a program of its own. Where programs in memory are forbidden, it is a
// copy of the warden. A thread makes one process namespace and no other, so each try has its own.
func (w *warden) tryPid() error {
	w.sleeperFD = openSleeper()
	err := onThread(w.tryInit)
	if err != nil && w.sleeperFD >= 0 {
		unix.Close(w.sleeperFD)
		w.sleeperFD = -1
		err = onThread(w.tryInit)
	}
	return err
}

func (w *warden) tryInit() error {
	if err := unix.Unshare(unix.CLONE_NEWPID); err != nil {
		return fmt.Errorf("make a process namespace: %w", err)
	}
	pid, err := w.startInit("")
	if err != nil {
		return fmt.Errorf("use a process namespace: %w", err)
	}
	if err := unix.Kill(pid, unix.SIGKILL); err != nil {
		return fmt.Errorf("leave a process namespace: %w", err)
	}
	_, err = wait(pid)
	return err
}
