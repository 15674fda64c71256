package cache

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// The kinds of locks.
const (
	shared    = syscall.LOCK_SH                   // waits while one process removes the entry
	exclusive = syscall.LOCK_EX | syscall.LOCK_NB // fails while another process has a lock
	alone     = syscall.LOCK_EX                   // waits while another process has one
)

// lock locks an open file until it is closed. The kernel releases the locks of a process that ends.
func lock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// inUse reports whether an error of lock means that another process holds one.
func inUse(err error) bool { return errors.Is(err, syscall.EWOULDBLOCK) }

// lockFile opens a file, creating it if need be, and locks it. If the file was removed or replaced while this process
// waited, the lock protects nothing, so the new file of that name is locked instead.
func lockFile(name string, how int) (*os.File, error) {
	for repaired := false; ; {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		switch {
		case errors.Is(err, os.ErrNotExist):
			if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
				return nil, err
			}
			continue
		case err != nil && !repaired && damaged(name):
			if err := os.RemoveAll(name); err != nil {
				return nil, err
			}
			repaired = true
			continue
		case err != nil:
			return nil, err
		}
		if err := lock(f, how); err != nil {
			f.Close()
			return nil, err
		}
		mine, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		if now, err := os.Stat(name); err == nil && os.SameFile(mine, now) {
			return f, nil
		}
		f.Close()
	}
}

// damaged reports whether the name belongs to something that this program never locks.
func damaged(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && !info.Mode().IsRegular()
}
