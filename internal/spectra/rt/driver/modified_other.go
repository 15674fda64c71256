//go:build !darwin

package driver

import "syscall"

// modified returns when a file was modified last.
func modified(s *syscall.Stat_t) syscall.Timespec { return s.Mtim }
