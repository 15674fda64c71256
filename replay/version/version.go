// Package version turns revisions of a git repository into trees on disk and says what changed
// between two of them.
//
// In: a folder in a repository, revisions as git writes them, a cache. Out: commits,
// source trees in the cache, the Go module in a tree, and the Changes between two modules: files,
// lines, declarations, required modules.
//
// Always: a tree in the cache is whole or absent, whatever ends the program; the same commit gives
// the same folder; every list is sorted; concurrent runs may share a cache. Files keep their bytes
// (no filters, no export-ignore), symlinks and executable bits.
//
// Never: writes to the checkout, index, refs or object store; runs git or any other program; uses
// the network. What can't be read becomes an error that names the command to run.
package version

import (
	"github.com/go-git/go-git/v5/plumbing"

	"github.com/spectradiff/spectradiff/replay/cache"
)

// A Commit is a resolved revision, or the working tree.
type Commit struct {
	Revision string // as the user wrote it; "worktree" for the working tree
	Hash     string // 40 hex digits; "worktree" for the working tree
	Worktree bool
}

// id is the hash of a commit that is not the working tree.
func (c Commit) id() hash { return plumbing.NewHash(c.Hash) }

// worktree names the working tree where a revision or hash is printed.
const worktree = "worktree"

// A Range is the two versions to compare.
type Range struct {
	Old, New Commit
	Warnings []string
}

// A Tree is a version's files on disk. Nobody writes into Dir.
type Tree struct {
	Dir      string // absolute
	Commit   Commit
	Origin   string // URL of the repository's origin, "" = none
	Name     string // of the repository's root folder
	Warnings []string

	cache *cache.Cache // that holds it
}

// A Module is a Go module in a tree.
type Module struct {
	Dir       string // absolute, inside a tree
	Path      string // module path
	Rel       string // folder from the repository's root, slash-separated, "." = root
	Made      bool   // the version has no go.mod; one was made in a copy of the tree
	Workspace string // absolute path of the go.work that uses the module, "" = none
	Vendor    bool   // has a vendor folder that the go command takes
	Tree      string // absolute root of the tree
	Warnings  []string
}
