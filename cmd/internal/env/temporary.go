package env

// This file makes the temporary folder of a run. A run that was killed leaves its folder behind; the next run
// removes it.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Folders of runs have this prefix in the folder for temporary files. Until they are locked they have another.
const (
	lockedPrefix   = "spectradiff-run-"
	unlockedPrefix = "spectradiff-new-"
)

// A Temporary is a folder that is locked until the process ends.
type Temporary struct {
	Path string
	lock *os.File
}

// NewTemporary makes a folder, and removes those of runs that have ended without doing so.
func NewTemporary() (*Temporary, error) {
	sweep(os.TempDir())
	made, err := os.MkdirTemp("", unlockedPrefix)
	if err != nil {
		return nil, fmt.Errorf("temporary folder: %w", err)
	}
	t := &Temporary{Path: filepath.Join(filepath.Dir(made), lockedPrefix+filepath.Base(made)[len(unlockedPrefix):])}
	// It gets the name that others look for only when it is locked.
	if t.lock, err = lockFolder(made); err == nil {
		err = os.Rename(made, t.Path)
	}
	if err != nil {
		return nil, fmt.Errorf("temporary folder: %w", errors.Join(err, os.RemoveAll(made)))
	}
	return t, nil
}

// Remove removes the folder, and lets go of its lock.
func (t *Temporary) Remove() {
	_ = os.RemoveAll(t.Path)
	_ = t.lock.Close()
}

// lockFolder locks a folder. It fails if another process has it.
func lockFolder(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// sweep removes the folders of runs that have ended. What it can't remove it leaves: it may be another user's.
func sweep(folder string) {
	entries, _ := filepath.Glob(filepath.Join(folder, lockedPrefix+"*"))
	for _, name := range entries {
		info, err := os.Lstat(name)
		if err != nil {
			continue
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Getuid() {
			continue
		}
		if lock, err := lockFolder(name); err == nil {
			_ = os.RemoveAll(name)
			_ = lock.Close()
		}
	}
}
