// Package repository reads a git repository and writes versions of it as trees on disk.
//
// Input: a folder in a repository, revisions in git's syntax, and a cache. Output: commits, the range of two commits to
// compare, the way from one to the other, the files that differ, and trees. A tree is a folder in the cache with the
// files of a commit or of the working tree, or a copy of such a folder with additions.
//
// A tree in the cache is complete or absent, whatever ends the program. The same commit has the same folder. Every list
// is sorted, and concurrent runs may share a cache. Files of commits keep their bytes, because no filters and no
// export-ignore are applied. Those of the working tree are what git would commit of them, so that a clean one is as its
// commit; a warning names those of which only a program knows that. Symlinks and executable bits are kept too. A tree
// never contains the folders of version control systems (.git, .hg, .svn and the like, at any depth). Such a folder
// holds no package of a module: names that begin with a dot or an underscore match no pattern.
//
// The package never writes to the checkout, index, references or object store. It never runs git or any other program,
// and never uses the network. It does not know what a Go module is. Errors about unreadable data name the command to
// run.
package repository

import (
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
)

// A Commit is a resolved revision, or the working tree.
type Commit struct {
	Revision string // as the user wrote it; "worktree" for the working tree
	Hash     string // 40 hex digits; "worktree" for the working tree
	Time     int64  // when it was committed, in seconds since 1970; 0: not known
	Worktree bool
}

// id returns the hash of a commit; c must not be the working tree.
func (c Commit) id() hash { return plumbing.NewHash(c.Hash) }

// check refuses what is no commit of a repository. Its hash names folders, and may come from another machine.
func (c Commit) check() error {
	if c.Worktree || !plumbing.IsHash(c.Hash) {
		return fmt.Errorf("%.80q is no hash of a commit", c.Hash)
	}
	return nil
}

// worktree is printed for the working tree, in place of a revision or hash.
const worktree = "worktree"

// A Range is the two versions to compare.
type Range struct {
	Old, New Commit
	Warnings []string
}

// A Tree is a version's files on disk. Dir must not be written to.
type Tree struct {
	Dir      string // absolute
	Commit   Commit
	Origin   string // URL of the repository's origin, "" = none
	Name     string // of the repository's root folder
	Warnings []string

	cache *cache.Cache // the cache that holds it
	kept  string       // its name there
}
