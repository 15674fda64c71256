package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// SystemFolders lists the folders that every command may read: those for programs, libraries and headers of the system.
// They hold nothing of a user.
func SystemFolders() []string {
	return []string{
		"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
		"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
	}
}

// SearchPath is the PATH with which drivers find the programs of the system.
const SearchPath = "/usr/bin:/bin"

// Programs returns a hash of the names and sizes of the programs that drivers find with SearchPath. Where it is the
// same, tests that start programs most likely do the same.
var Programs = sync.OnceValue(func() string {
	sum := sha256.New()
	seen := map[string]bool{}
	for _, folder := range filepath.SplitList(SearchPath) {
		folder, err := filepath.EvalSymlinks(folder)
		if err != nil || seen[folder] { // /bin often leads to /usr/bin
			continue
		}
		seen[folder] = true
		entries, _ := os.ReadDir(folder)
		for _, e := range entries {
			if info, err := os.Stat(filepath.Join(folder, e.Name())); err == nil {
				fmt.Fprintln(sum, folder, e.Name(), info.Size())
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
})

// A Command is a program of the machine, such as a compiler, that runs confined at its own path. Unlike a driver it
// keeps its path, its environment and its user, so its files belong to the user of the tool.
//   - With a mount namespace it sees the system's programs and libraries, five devices, its own processes, the paths in
//     Read and Write, and nothing else. Without one, Landlock keeps it from reading other files.
//   - Without Network it has no network. With Network it has that of the user.
//   - Root keeps its number. Of its capabilities it keeps only the one to read and write files of others.
type Command struct {
	Path string   // absolute path of the program, readable even if it is not in Read
	Args []string // after the program's name
	Env  []string // the whole environment, as it is
	Dir  string   // the initial working folder

	// Read are files and folders to read and execute, Write those to change too. They have the same path as outside. A
	// path with symbolic links is also visible at its target. Missing paths are left out.
	Read, Write []string

	Network bool

	LowPriority bool // it leaves the processors to others

	Stdout, Stderr *os.File // nil: discarded
	Limits         Limits
}

// ConfinesFiles reports whether a command can only read and write its own files.
func (l Layers) ConfinesFiles() bool { return l.filesConfined() }
