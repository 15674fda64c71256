// Package sandbox runs untrusted driver binaries under limits, supervises them and kills them. Programs of the
// machine that read untrusted files, such as compilers, run confined too: see Command.
//
// In: a Config (binary, arguments, environment, scratch folder, open files, limits). Out: a
// Process and, when it has ended, its Exit. A Sandbox is a small helper process, the warden: the
// tool's own executable started once more, which then starts every driver; so main must begin with
//
//	if sandbox.Child() {
//		return
//	}
//
// What always holds, as far as the machine has the layers it needs (see Layers):
//   - A driver writes below its scratch folder only. With a mount namespace it sees nothing of the
//     host but its binary, the folders of Config.ReadOnly, the time zones, five devices and, if it
//     is linked dynamically, the system's library folders; the scratch folder is /scratch, the
//     binary /driver, the host's name "localhost", the user number 65534, in every run the same.
//     /etc holds a made passwd, group and hosts file and nothing else, so local time is UTC.
//   - It has no network: no socket of any family can be made, and its network namespace has no
//     device that is up.
//   - It can't signal, trace or see a process outside its own run, and has no capabilities. Without a mount namespace a
//     driver of root keeps one, by which it reaches its own files below folders of root.
//   - What all its processes use together is limited: files by the kernel where there is a mount namespace; else files,
//     and everywhere memory, by the supervisor, which looks from time to time. When memory runs out, the kernel kills
//     drivers first.
//   - It has the open files of its Config and no others; its standard input is empty.
//   - When it ends, is killed, or the tool dies, everything that it has started is gone. If the warden
//     is killed from outside, that requires a process namespace.
//   - Its exit status is the one it would have without the sandbox.
//
// It never runs a driver or a command without confining files and network, unless Options.Unconfined is set, and it
// never removes a scratch folder.
package sandbox

import (
	"os"
	"time"
)

// inside is the path of the scratch folder for a driver that has a mount namespace.
const inside = "/scratch"

// Options are the settings of a Sandbox.
type Options struct {
	Unconfined bool // go on with the layers that exist if files or network can't be confined

	without []string // layers to leave out, for tests
}

// Limits are the limits of one driver. A field that is 0 sets no limit.
type Limits struct {
	// Memory is how many bytes a process may allocate. It may reserve 4 GiB more, because Go's heap
	// reserves much more address space than it uses.
	Memory   int64
	FileSize int64         // bytes of the largest file written
	CPU      time.Duration // processor time of a process, rounded up to seconds
	// Processes limits the processes and threads of all drivers of the Sandbox that run at the same time.
	// A Go program has five to ten threads.
	Processes int
	OpenFiles int

	// Total is how many bytes all processes of the driver may use together, with a scratch folder that lies in
	// memory. The supervisor looks from time to time, and ends a driver that uses more.
	Total int64
	// Disk is how many bytes the files in the scratch folder may take. With a mount namespace the folder is an empty
	// one in memory, and nothing is left in Config.Scratch. Else the supervisor looks from time to time, and ends a
	// driver that uses more.
	Disk int64
}

// folders are made in a scratch folder.
var folders = []string{"work", "home", "tmp"}

// A Config is the program to run, with its arguments and surroundings.
type Config struct {
	Binary string
	Args   []string // after the program's name, which is always "driver"
	Env    []string // the whole environment; the sandbox sets HOME and TMPDIR

	// Scratch is the only folder in which the driver may write. Three folders are made in it: work, where
	// the driver starts, home (HOME) and tmp (TMPDIR).
	Scratch string

	// ReadOnly are further folders that the driver may read, at the same path as outside. A driver that
	// needs the time zones of a Go tree needs GOROOT/lib/time.
	ReadOnly []string

	// FixedAddresses asks the kernel for the same layout of memory in every run.
	FixedAddresses bool

	Files          []*os.File // become descriptors 3, 4, 5 …
	Stdout, Stderr *os.File   // nil: discarded
	Limits         Limits
}

// An Exit is how a driver ended.
type Exit struct {
	Code   int    // exit status; -1 if a signal ended it
	Signal string // such as "SIGSEGV"; empty if the driver exited
	Err    error  // the warden was lost, and the driver with it; nothing else is known

	// Exceeded is the limit for which the supervisor ended the driver: "memory of all processes", "size of the
	// scratch folder", "number of processes"; "" if it did not.
	Exceeded string
}

// Usage is what a driver has used up to now. Processes that it has started don't count.
type Usage struct {
	CPU  time.Duration // processor time, in steps of a hundredth of a second
	Busy bool          // one of its threads runs, or waits for a processor
}
