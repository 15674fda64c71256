package sandbox

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// passages are the capabilities with which a driver that is no longer root reaches its own files below folders of root,
// the weaker one first. Landlock still decides which files it may open.
var passages = []uint{unix.CAP_DAC_READ_SEARCH, unix.CAP_DAC_OVERRIDE}

// tryUser returns an error if drivers of root can't run as another user. Nobody may have no number here, or root may
// not be allowed to change its user.
func (w *warden) tryUser() error {
	if !w.ofRoot() {
		return nil
	}
	if err := w.choosePassage(); err != nil {
		return err
	}
	s := &script{}
	w.addCredentials(s, request{})
	pid, err := s.run(stays)
	if err != nil {
		return fmt.Errorf("run as another user: %w", err)
	}
	if err := unix.Kill(pid, unix.SIGKILL); err != nil {
		return fmt.Errorf("end a process of another user: %w", err)
	}
	_, err = wait(pid)
	return err
}

func (w *warden) choosePassage() error {
	header := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(header, &data[0]); err != nil {
		return fmt.Errorf("read capabilities: %w", err)
	}
	for _, c := range passages {
		if data[c/32].Permitted&(1<<(c%32)) != 0 {
			w.passage = c
			return nil
		}
	}
	if w.layers.Mount == "" {
		return nil // none is needed
	}
	return errors.New("no right to pass folders as another user")
}

// ofRoot reports whether drivers would be root if they didn't change their user.
func (w *warden) ofRoot() bool {
	return w.mapping == mapRoot || w.mapping == mapNone && unix.Geteuid() == 0
}

// changesUser reports whether drivers run as another user than the warden. Drivers of root must.
func (w *warden) changesUser() bool { return w.ofRoot() && w.layers.User == "" }

// addCredentials makes a driver nobody without any capability, permanently. Without its own root folder a driver of
// root keeps one capability, to reach its files. A command keeps its user.
func (w *warden) addCredentials(s *script, req request) {
	var kept [2]unix.CapUserData
	changes := w.changesUser() && req.Command == nil
	passes := changes && w.layers.Mount != ""
	if passes {
		bit := uint32(1) << (w.passage % 32)
		kept[w.passage/32] = unix.CapUserData{Effective: bit, Permitted: bit, Inheritable: bit}
		s.add("keep capabilities", unix.SYS_PRCTL, unix.PR_SET_KEEPCAPS, 1)
	}
	if changes {
		s.add("leave groups", unix.SYS_SETGROUPS, 0, 0)
		s.add("change group", unix.SYS_SETRESGID, nobody, nobody, nobody)
		s.add("change user", unix.SYS_SETRESUID, nobody, nobody, nobody)
	}
	s.add("renounce privileges", unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	s.try("clear ambient capabilities", unix.SYS_PRCTL, unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	if req.Command != nil {
		addCommandCredentials(s)
		return
	}
	header := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	s.add("drop capabilities", unix.SYS_CAPSET, hand(s, header), hand(s, &kept))
	if passes {
		s.add("keep a capability", unix.SYS_PRCTL, unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_RAISE,
			uintptr(w.passage), 0, 0)
	}
}

// Scores by which the kernel chooses a victim when memory runs out. Drivers have the highest.
const (
	victim        = "1000"
	victimCommand = "500"
)

// addVictim makes the child the kernel's first victim when memory runs out. Descriptors below free are the child's.
func (w *warden) addVictim(s *script, free int, command bool) {
	if w.procFD < 0 {
		return
	}
	score := victim
	if command {
		score = victimCommand
	}
	// All others are closed, so the opened file gets the first free number.
	s.add("close other files", unix.SYS_CLOSE_RANGE, uintptr(free), firstPrivateFD-1, 0)
	s.try("open the score", unix.SYS_OPENAT, uintptr(w.procFD), s.text("self/oom_score_adj"),
		unix.O_WRONLY|unix.O_CLOEXEC, 0)
	s.try("be killed first", unix.SYS_WRITE, uintptr(free), s.text(score), uintptr(len(score)))
	s.try("close the score", unix.SYS_CLOSE, uintptr(free))
}

// openProc opens the host's /proc, which a child can't see any more.
func openProc() int {
	low, err := unix.Open("/proc", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1
	}
	defer unix.Close(low)
	high, err := unix.FcntlInt(uintptr(low), unix.F_DUPFD_CLOEXEC, firstPrivateFD)
	if err != nil {
		return -1
	}
	return high
}
