package repository

import (
	"fmt"
	"slices"
	"strings"
)

// versionControl lists the folders and files of version control systems, in lower case because file systems may ignore
// case. The go command and other programs that find them would start those systems, and they can name programs to run.
// CVS is not among them: nothing looks for it, and a Go package may have that name.
const versionControl = ".git .hg .svn .bzr .jj .sl .pijul .fslckout _fossil_ _darcs"

// isVersionControl reports whether a file or folder of that name is left out of trees.
func isVersionControl(name string) bool {
	return slices.Contains(strings.Fields(versionControl), strings.ToLower(name))
}

// inVersionControl reports whether a slash-separated path is left out of trees.
func inVersionControl(path string) bool {
	return slices.ContainsFunc(strings.Split(path, "/"), isVersionControl)
}

func versionControlWarning(path string) string {
	return fmt.Sprintf("%s belongs to a version control system and is left out", path)
}
