package sandbox

import (
	"fmt"
	"strings"
)

// Layers describes the ways in which a machine can confine drivers. A field is empty if the layer exists, else it has
// the reason why not.
type Layers struct {
	Landlock    string // files and TCP; from version 6 on also signals and abstract Unix sockets
	LandlockABI int    // version of Landlock in the kernel; 0: none
	Network     string // network namespace
	Pid         string // process namespace
	Mount       string // mount namespace with its own root
	Seccomp     string // system call filter
	Limits      string // resource limits
	User        string // a user other than root
}

// The first versions of Landlock with certain features.
const (
	landlockTruncates = 3 // earlier ones let a process truncate files that it may not write
	landlockSignals   = 6
)

// String returns the existing layers: "landlock+netns+pidns+mountns+seccomp+rlimits" if all exist, "none" if none does.
func (l Layers) String() string {
	var names []string
	for _, layer := range []struct{ missing, name string }{
		{l.Landlock, "landlock"},
		{l.Network, "netns"},
		{l.Pid, "pidns"},
		{l.Mount, "mountns"},
		{l.Seccomp, "seccomp"},
		{l.Limits, "rlimits"},
	} {
		if layer.missing == "" {
			names = append(names, layer.name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, "+")
}

// Missing returns sentences about unconfined files or network, with advice. It is empty if both are confined.
func (l Layers) Missing() []string {
	var missing []string
	if !l.filesConfined() {
		why := l.Landlock
		if why == "" {
			why = fmt.Sprintf("version %d lets files be truncated", l.LandlockABI)
		}
		missing = append(missing, fmt.Sprintf("Files outside the scratch folder are not protected: "+
			"no Landlock (%s) and no mount namespace (%s). "+
			"Use Linux 6.2 or later with Landlock, allow user namespaces, or pass --no-sandbox.", why, l.Mount))
	}
	if !l.networkConfined() {
		missing = append(missing, fmt.Sprintf("The network can be reached: "+
			"no system call filter (%s) and no network and mount namespaces (%s). "+
			"Allow user namespaces or seccomp, or pass --no-sandbox.", l.Seccomp, firstOf(l.Network, l.Mount)))
	}
	return missing
}

// Weak returns sentences about layers that confine only in part or differently, although nothing is Missing.
func (l Layers) Weak() []string {
	var weak []string
	say := func(format string, args ...any) { weak = append(weak, fmt.Sprintf(format, args...)) }
	if l.Pid != "" {
		l.withoutPid(say)
	}
	if l.Mount != "" {
		l.withoutMount(say)
	}
	if l.Seccomp != "" {
		say("There is no system call filter (%s): drivers can use all of the kernel, "+
			"and memory that no limit counts.", l.Seccomp)
	}
	if l.User != "" {
		say("Drivers of root stay root (%s): the number of their processes is measured, not limited.", l.User)
	}
	if l.Limits != "" {
		say("Memory, processor time and file sizes are not limited (%s).", l.Limits)
	}
	return weak
}

func (l Layers) withoutPid(say func(string, ...any)) {
	say("Processes of the driver share the host's process numbers (%s): they are killed one by one, survive the end "+
		"of their supervisor by force, and a limit on their number is approximate.", l.Pid)
	switch {
	case l.Landlock == "" && l.LandlockABI >= landlockSignals:
	case l.Seccomp == "":
		say("Code that sends signals gets an error, also if it sends them to itself or to what it started.")
	default:
		say("Signals to other processes of the user are not prevented.")
	}
}

func (l Layers) withoutMount(say func(string, ...any)) {
	say("The scratch folder has no fixed path (%s): paths that the driver prints differ from run to run.", l.Mount)
	say("Which files there are on the host can be seen, with their sizes, owners and times.")
	if l.Seccomp == "" {
		say("Code that changes permissions, owners, times or extended attributes of files, or watches files, " +
			"gets an error, in the scratch folder too.")
	} else {
		say("Permissions, times and extended attributes of the user's files can be changed.")
	}
	say("The size of the scratch folder is measured, not limited: for a moment it can be exceeded.")
}

func (l Layers) filesConfined() bool {
	return l.Mount == "" || l.Landlock == "" && l.LandlockABI >= landlockTruncates
}

// networkConfined reports whether a driver can't reach the network. A filter keeps it from making any socket. Without a
// filter the network namespace leads nowhere, but sockets in the host's file tree are reachable unless the tree is
// hidden.
func (l Layers) networkConfined() bool {
	return l.Seccomp == "" || l.Network == "" && l.Mount == ""
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
