package repository

import (
	"fmt"
	"slices"
	"strings"
)

// versionControl lists those folders and files, in lower case: file systems may not tell case. CVS is not among
// them: nothing looks for it, and a Go package can have that name.
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
