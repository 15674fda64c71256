//go:build !linux

package gocommand

import "os/exec"

// together does nothing: there is no portable way to end the processes that a command starts.
func together(*exec.Cmd) {}
