// Package sandbox runs untrusted programs confined: drivers, and commands of the machine that read untrusted files,
// such as compilers (see Command). It supervises them, limits them and kills them.
//
// Input: a Config with binary, arguments, environment, scratch folder, open files and limits. Output: a Process and,
// when it has ended, its Exit. A Sandbox is a small helper process, the warden, which starts every driver. It is the
// tool's own executable, so main must begin with
//
//	if sandbox.Child() {
//		return
//	}
//
// As far as the machine has the needed layers (see Layers), this always holds:
//
//   - A driver writes only below its scratch folder, where copies of Config.Copies lie too. With a mount namespace it
//     sees nothing of the host but its binary, the folders of Config.ReadOnly, those copies, the time zones unless it
//     has its own, five devices and, if it is linked dynamically, the system's library folders, or with Config.Programs
//     all of SystemFolders and Config.Tools, whose programs it may start. The scratch folder is /scratch, the binary
//     /driver, the host's name "localhost" and the user number 65534, the same in every run. /etc contains only a
//     generated passwd, group and hosts file, so local time is UTC.
//   - It has no network. It can't make sockets of any family, and no device of its network namespace is up. With
//     Config.Loopback it can connect to itself alone.
//   - It can't signal, trace or see a process outside its own run, and has no capabilities. Without a mount namespace a
//     driver of root keeps one, to reach its own files below folders of root.
//   - All its processes together have limits. With a mount namespace the kernel limits files. The supervisor limits
//     memory, and otherwise files, by looking from time to time. When memory runs out, the kernel kills drivers first.
//   - Its open files are those of its Config; its standard input is empty.
//   - When it ends or is killed, or the tool dies, everything that it started ends. If the warden is killed from
//     outside, this needs a process namespace.
//   - Its exit status is the same as without the sandbox.
//
// The package never runs a driver or a command without confining files and network, unless Options.Unconfined is set.
// It never removes a scratch folder. Questions about processes (UseOf, ProcessesBelow, ProcessorTime) never change a
// process; one that has ended counts for nothing.
package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// inside is the path of the scratch folder for a driver that has a mount namespace.
const inside = "/scratch"

// Inside returns the path of a scratch folder as a driver sees it.
func (s *Sandbox) Inside(scratch string) string {
	if s.Layers().Mount == "" {
		return inside
	}
	return scratch
}

// A ProcessUse is the current use of a process.
type ProcessUse struct {
	Memory  int64 // bytes, including swapped out memory, without memory that only mirrors files
	Threads int
}

// Options are the settings of a Sandbox.
type Options struct {
	Unconfined bool // continue with the existing layers if files or network can't be confined

	without []string // layers to leave out, for tests
}

// Limits are the limits of one driver. A field that is 0 sets no limit.
type Limits struct {
	// Memory is the number of bytes that a process may allocate. It may reserve 1 TiB more, because Go's heap reserves
	// much more address space than it uses, and databases map their files with room to grow, many of them if sequences
	// don't close them.
	Memory   int64
	FileSize int64         // bytes of the largest written file
	CPU      time.Duration // processor time of a process, rounded up to seconds
	// Processes limits the processes and threads of all drivers of the Sandbox that run at the same time. A Go program
	// has five to ten threads.
	Processes int
	OpenFiles int

	// Total is the number of bytes that all processes of the driver may use together, including a scratch folder in
	// memory. The supervisor checks it from time to time and kills a driver that exceeds it.
	Total int64
	// Disk is the number of bytes of all files in the scratch folder. With a mount namespace the folder is an empty one
	// in memory, and Config.Scratch stays empty. Otherwise the supervisor checks the size from time to time and kills a
	// driver that exceeds it.
	Disk int64
}

// folders are made in a scratch folder.
var folders = []string{"work", "home", "tmp"}

// Shown is a folder of this machine that a driver sees at some path.
type Shown struct{ Folder, At string }

// Copyable returns why a folder can't be one of Config.Copies; nil if it can. Each start of a driver copies it, so it
// must be small.
func (s *Sandbox) Copyable(folder string) error {
	if reason := s.Layers().Mount; reason != "" {
		return errors.New(reason)
	}
	size, entries := int64(0), 0
	return filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		size, entries = size+info.Size(), entries+1
		if size > maxCopied || entries > maxCopies {
			return fmt.Errorf("%s has more than %d bytes or %d files", folder, int64(maxCopied), maxCopies)
		}
		return nil
	})
}

// maxCopied is the size of a folder in bytes that is copied for each driver, maxCopies the number of its files and
// folders, each of which takes some 30 µs.
const (
	maxCopied = 64 << 20
	maxCopies = 5_000
)

// A Config is the program to run, with its arguments and surroundings.
type Config struct {
	Binary string
	Args   []string // after the program's name: "driver", or with Programs its path where that is always the same
	Env    []string // the whole environment; the sandbox sets HOME and TMPDIR

	// Scratch is the only folder to which the driver may write. It gets three folders: work, where the driver starts,
	// home (HOME) and tmp (TMPDIR).
	Scratch string

	// ReadOnly are further folders that the driver may read, at the same path as outside.
	ReadOnly []string

	// OwnZones keeps the time zones of the system out of sight, but where Programs shows them, because the driver has
	// others: those of the system differ from machine to machine.
	OwnZones bool

	// Shown are folders that the driver may read at other paths than outside, which takes a mount namespace. None of
	// these paths leads through a link that the driver sees.
	Shown []Shown

	// Kept are files that the driver reads at the same path as outside, although a folder of Shown lies over them. The
	// folder has files of their names.
	Kept []string

	// Copies are folders that the driver sees at the same path as outside and may change, as it sees copies of them,
	// which end with it. They must be Copyable, and count as parts of the scratch folder.
	Copies []string

	// Loopback gives the driver a network of its own that has only its loopback device. It is ignored where network or
	// files are not in namespaces.
	Loopback bool

	// Programs lets the driver start the programs of the system: it may read and execute SystemFolders, and Tools.
	Programs bool
	Tools    []string // further files and folders, at the same paths as outside

	// FixedAddresses asks the kernel for the same layout of memory in every run.
	FixedAddresses bool

	Files          []*os.File // become descriptors 3, 4, 5 …
	Stdout, Stderr *os.File   // nil: discarded
	Limits         Limits
}

// An Exit describes the end of a driver.
type Exit struct {
	Code   int    // exit status; -1 if a signal ended it
	Signal string // such as "SIGSEGV"; empty if the driver exited
	Err    error  // the warden was lost, and the driver with it; the other fields are unknown

	// Exceeded is the limit for which the supervisor killed the driver: "memory of all processes", "size of the scratch
	// folder", "number of processes"; or "memory of the machine", if the kernel killed a process because that ran out
	// while the driver was killed; "" for any other end.
	Exceeded string
}

// Usage is what a driver has used so far, without other processes that it started.
type Usage struct {
	CPU  time.Duration // processor time, in steps of a hundredth of a second
	Busy bool          // one of its threads runs, or waits for a processor
}
