package suite

import "syscall"

// become makes a descriptor one of another open file.
func become(of, descriptor int) error { return syscall.Dup3(of, descriptor, syscall.O_CLOEXEC) }
