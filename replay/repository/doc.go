// Package repository reads a git repository and writes versions of it as trees on disk.
//
// In: a folder in a repository, revisions as git writes them, a cache. Out: commits, the
// range of two to compare, and trees: the files of a commit or of the working tree in a folder below
// the cache, or a copy of them with one file more.
//
// Always: a tree in the cache is whole or absent, whatever ends the program; the same commit gives
// the same folder; every list is sorted; concurrent runs may share a cache. Files keep their bytes
// (no filters, no export-ignore), symlinks and executable bits.
//
// Never: writes to the checkout, index, refs or object store; runs git or any other program; uses
// the network; knows what a Go module is. What can't be read becomes an error that names the
// command to run.
package repository

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
	kept  string       // its name there
}
