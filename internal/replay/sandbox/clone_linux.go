//go:build linux && (amd64 || arm64)

package sandbox

import "golang.org/x/sys/unix"

// aside lets a child run in the memory of its parent until it ends or executes a program; the calling thread waits.
// A copy would cost both of them a fault for every page that they write afterwards, and each fault an interrupt of all
// processors on which the warden runs.
const aside = unix.CLONE_VM | unix.CLONE_VFORK

// clone makes a child, in which it returns 0. The child of a call with aside must not return from the caller of clone.
// It is written in assembly since such a child, when it returns from here, writes over its parent's return address.
//
//go:noescape
func clone(flags uintptr) (pid, errno uintptr)
