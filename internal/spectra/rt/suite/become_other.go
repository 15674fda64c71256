//go:build !linux

package suite

import "syscall"

// become makes a descriptor one of another open file.
func become(of, descriptor int) error {
	err := syscall.Dup2(of, descriptor)
	syscall.CloseOnExec(descriptor)
	return err
}
