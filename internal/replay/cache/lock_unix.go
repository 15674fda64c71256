//go:build unix

package cache

import (
	"errors"
	"os"
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
