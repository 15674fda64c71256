package repository

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// findGitFolder returns the git folder of the working tree at dir, "" if dir isn't the root of one.
func findGitFolder(dir string) (string, error) {
	name := filepath.Join(dir, ".git")
	info, err := os.Stat(name)
	if err != nil {
		return "", nil
	}
	if info.IsDir() {
		if !isGitFolder(name) {
			return "", nil
		}
		return name, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(string(data), "gitdir:")
	if !ok {
		return "", fmt.Errorf("%s is not a git file: it has no \"gitdir:\" line", name)
	}
	target = relativeTo(dir, strings.TrimSpace(target))
	if !isGitFolder(target) {
		return "", fmt.Errorf("%s points to %s, which is not a git folder; "+
			"run `git worktree repair` in the main working tree", name, target)
	}
	return target, nil
}

// relativeTo returns name if it is absolute, else name below dir.
func relativeTo(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// isGitFolder reports whether dir looks like git's own folder.
func isGitFolder(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	common := commonFolder(dir)
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(common, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// commonFolder returns the git folder shared by all linked working trees.
func commonFolder(git string) string {
	data, err := os.ReadFile(filepath.Join(git, "commondir"))
	if err != nil {
		return git
	}
	return relativeTo(git, strings.TrimSpace(string(data)))
}
