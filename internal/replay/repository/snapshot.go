package repository

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// A Snapshot reads single files of a version where they are, in the object store or in the working tree: nothing is
// written, not even to a cache. One goroutine may use it. Close it at the end.
type Snapshot struct {
	folder string // of the working tree; "": a commit
	read   *reader
	root   hash // the tree of the commit
}

// Snapshot opens a version by the hash of its commit, or the working tree by the word for it.
func (r *Repository) Snapshot(commit string) (*Snapshot, error) {
	if commit == worktree {
		return &Snapshot{folder: r.Root}, nil
	}
	if !plumbing.IsHash(commit) {
		return nil, fmt.Errorf("read commit %q: want 40 hex digits", commit)
	}
	read := r.objects.reader()
	head, err := read.commit(plumbing.NewHash(commit))
	if err != nil {
		read.close()
		return nil, fmt.Errorf("read commit %.12s: %w", commit, r.advise(commit, err))
	}
	return &Snapshot{read: read, root: head.tree}, nil
}

// Close closes the files of the object store.
func (s *Snapshot) Close() {
	if s.read != nil {
		s.read.close()
	}
}

// ReadFile returns the content of a regular file; name is slash-separated and relative to the root.
func (s *Snapshot) ReadFile(name string) ([]byte, error) {
	if !fs.ValidPath(name) || inVersionControl(name) {
		return nil, fmt.Errorf("read %q: no path of a file in a version", name)
	}
	if s.read == nil {
		return ReadFile(s.folder, filepath.FromSlash(name))
	}
	entries, err := s.entries(path.Dir(name))
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(entries, func(e treeEntry) bool { return e.name == path.Base(name) && regular(e.mode) })
	if i < 0 {
		return nil, fmt.Errorf("read %s: %w", name, fs.ErrNotExist)
	}
	obj, err := s.read.object(entries[i].hash)
	if err == nil && obj.Size() > maxGiven {
		err = fmt.Errorf("it has %d bytes, more than the %d that are read", obj.Size(), int64(maxGiven))
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	kind, data, err := s.read.content(entries[i].hash)
	if err == nil && kind != plumbing.BlobObject {
		err = fmt.Errorf("object %s is a %s, not a file", entries[i].hash, kind)
	}
	return data, err
}

// Files returns the names of the regular files of a folder, sorted; "." is the root.
func (s *Snapshot) Files(folder string) (names []string, err error) {
	if !fs.ValidPath(folder) || inVersionControl(folder) {
		return nil, fmt.Errorf("list %q: no path of a folder in a version", folder)
	}
	if s.read == nil {
		return diskFiles(s.folder, folder)
	}
	entries, err := s.entries(folder)
	for _, e := range entries {
		if regular(e.mode) && safeName(e.name) {
			names = append(names, e.name)
		}
	}
	slices.Sort(names)
	return names, err
}

// entries returns what is in a folder of a commit.
func (s *Snapshot) entries(folder string) ([]treeEntry, error) {
	entries, err := s.read.tree(s.root)
	if folder == "." {
		return entries, err
	}
	for part := range strings.SplitSeq(folder, "/") {
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(entries, func(e treeEntry) bool { return e.name == part && e.mode == modeFolder })
		if i < 0 {
			return nil, fmt.Errorf("list %s: %w", folder, fs.ErrNotExist)
		}
		entries, err = s.read.tree(entries[i].hash)
	}
	return entries, err
}

// regular reports whether a tree entry is a file that is no link.
func regular(mode uint32) bool {
	return mode != modeFolder && mode != modeSymlink && mode != modeSubmodule
}

// diskFiles is Files for the working tree. It follows no link out of it.
func diskFiles(root, folder string) (names []string, err error) {
	opened, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	dir, err := opened.Open(filepath.FromSlash(folder))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, err
}
