package sandbox

import (
	"errors"
	"fmt"

	landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// The library's own Restrict binds all threads of the calling process. Here only the driver must be bound. So the rule
// set is made with the library's system calls, and the child enforces it.

const (
	mayRead    = landlock.AccessFSReadFile | landlock.AccessFSReadDir
	mayExecute = landlock.AccessFSReadFile | landlock.AccessFSExecute
	mayUse     = landlock.AccessFSReadFile | landlock.AccessFSWriteFile | landlock.AccessFSTruncate // of a device
	mayWrite   = mayRead | landlock.AccessFSWriteFile | landlock.AccessFSTruncate | landlock.AccessFSRefer |
		landlock.AccessFSRemoveDir | landlock.AccessFSRemoveFile | landlock.AccessFSMakeDir | landlock.AccessFSMakeReg |
		landlock.AccessFSMakeSym | landlock.AccessFSMakeFifo | landlock.AccessFSMakeSock

	ofFile = landlock.AccessFSExecute | landlock.AccessFSWriteFile |
		landlock.AccessFSReadFile | landlock.AccessFSTruncate | landlock.AccessFSResolveUnix
)

func (w *warden) tryLandlock() error {
	version, err := landlock.LandlockGetABIVersion()
	if err != nil {
		return fmt.Errorf("ask for Landlock: %w", err)
	}
	w.layers.LandlockABI = version
	return nil
}

// handled returns all accesses that a version of Landlock can restrict.
func handled(version int) *landlock.RulesetAttr {
	attr := &landlock.RulesetAttr{HandledAccessFS: landlock.AccessFSRefer - 1}
	for _, right := range []struct {
		since int
		right uint64
	}{
		{2, landlock.AccessFSRefer},
		{3, landlock.AccessFSTruncate},
		{5, landlock.AccessFSIoctlDev},
		{9, landlock.AccessFSResolveUnix},
	} {
		if version >= right.since {
			attr.HandledAccessFS |= right.right
		}
	}
	if version >= 4 {
		attr.HandledAccessNet = landlock.AccessNetBindTCP | landlock.AccessNetConnectTCP
	}
	if version >= landlockSignals {
		attr.Scoped = landlock.ScopeAbstractUnixSocket | landlock.ScopeSignal
	}
	if version >= 10 {
		attr.HandledAccessNet |= landlock.AccessNetBindUDP | landlock.AccessNetConnectSendUDP
	}
	return attr
}

// ruleset makes the driver's rule set and returns its descriptor, one of the private ones.
func (w *warden) ruleset(where place) (int, error) {
	attr := handled(w.layers.LandlockABI)
	if where.mayConnect() || where.loopback {
		attr.HandledAccessNet = 0
	}
	low, err := landlock.LandlockCreateRuleset(attr, 0)
	if err != nil {
		return 0, fmt.Errorf("make a Landlock rule set: %w", err)
	}
	defer unix.Close(low)
	allow := func(path string, rights uint64, mayBeMissing bool) {
		if err != nil {
			return
		}
		err = addRule(low, path, rights&attr.HandledAccessFS)
		if mayBeMissing && errors.Is(err, unix.ENOENT) {
			err = nil
		}
	}
	if where.command != nil {
		commandRules(where.command, allow)
	} else {
		allow(where.scratch, mayWrite, false)
		allow(where.binary, mayExecute, false)
	}
	for _, device := range where.devices {
		allow(device, mayUse, true)
	}
	for _, library := range where.libraries {
		allow(library, mayExecute|mayRead, true)
	}
	for _, path := range where.zones {
		allow(path, mayRead, true)
	}
	for _, path := range where.readable {
		allow(path, mayRead, false)
	}
	for _, folder := range where.shown {
		allow(folder.At, mayRead, false)
	}
	for _, folder := range where.copied {
		allow(folder, mayWrite, false)
	}
	if w.layers.Mount == "" {
		allow("/", mayRead, false) // the whole root is the driver's
	}
	if err != nil {
		return 0, err
	}
	high, err := unix.FcntlInt(uintptr(low), unix.F_DUPFD_CLOEXEC, firstPrivateFD)
	if err != nil {
		return 0, fmt.Errorf("duplicate a Landlock rule set: %w", err)
	}
	return high, nil
}

func addRule(ruleset int, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open %s for a Landlock rule: %w", path, err)
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return fmt.Errorf("look at %s for a Landlock rule: %w", path, err)
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= ofFile
	}
	rule := &landlock.PathBeneathAttr{AllowedAccess: rights, ParentFd: fd}
	if err := landlock.LandlockAddPathBeneathRule(ruleset, rule, 0); err != nil {
		return fmt.Errorf("add a Landlock rule for %s: %w", path, err)
	}
	return nil
}
