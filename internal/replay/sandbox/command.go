package sandbox

import "os"

// SystemFolders lists what every command may read: where systems keep programs, libraries and headers, and
// nothing of a user.
func SystemFolders() []string {
	return []string{
		"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
		"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
	}
}

// A Command is a program of the machine, such as a compiler, that runs confined where it lies. Unlike a driver
// it keeps its path, its environment and its user: what it writes belongs to who runs the tool.
//
//   - With a mount namespace it sees the system's programs and libraries, five devices, its own processes, what
//     Read and Write name, and nothing else. Without one, Landlock keeps all other files from being read.
//   - Without Network it has none. With it the command has that of the user.
//   - Root keeps its number, and of its capabilities the one to read and write files of others.
type Command struct {
	Path string   // the program's absolute path; it is readable without being named in Read
	Args []string // after the program's name
	Env  []string // the whole environment, as it is
	Dir  string   // where it starts

	// Read are files and folders that may be read and executed, Write those that may be changed too. They are at
	// the same path as outside; where a path has symbolic links, also at the one that they lead to. What does not
	// exist is left out.
	Read, Write []string

	Network bool

	Stdout, Stderr *os.File // nil: discarded
	Limits         Limits
}

// ConfinesFiles reports whether a command reads and writes only what it may.
func (l Layers) ConfinesFiles() bool { return l.filesConfined() }
