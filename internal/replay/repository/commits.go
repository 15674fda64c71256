package repository

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// commit holds the part of a commit object that is needed.
type commit struct {
	hash    hash
	tree    hash
	parents []hash
	time    int64  // of the committer, in seconds
	author  string // "Name <mail> seconds zone"
	message string
}

// maxContent is the maximum size of a commit, tag or tree, in bytes.
const maxContent = 64 << 20

// content returns the bytes of an object and its type.
func (r *reader) content(h hash) (plumbing.ObjectType, []byte, error) {
	obj, err := r.object(h)
	if err != nil {
		return 0, nil, err
	}
	if obj.Size() > maxContent {
		return 0, nil, fmt.Errorf("object %s has %d bytes, more than the %d that are read", h, obj.Size(), maxContent)
	}
	in, err := obj.Reader()
	if err != nil {
		return 0, nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	return obj.Type(), data, err
}

func (r *reader) commit(h hash) (commit, error) {
	kind, data, err := r.content(h)
	if err != nil {
		return commit{}, err
	}
	if kind != plumbing.CommitObject {
		return commit{}, fmt.Errorf("%s is a %s, not a commit", h, kind)
	}
	c := commit{hash: h}
	head, message, _ := strings.Cut(string(data), "\n\n")
	c.message = message
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "tree":
			c.tree = plumbing.NewHash(value)
		case "parent":
			c.parents = append(c.parents, plumbing.NewHash(value))
		case "author":
			c.author = value
		case "committer":
			c.time = committerTime(value)
		}
	}
	return c, nil
}

// committerTime reads the seconds from "Name <mail> seconds zone".
func committerTime(line string) int64 {
	fields := strings.Fields(line[strings.LastIndex(line, ">")+1:])
	if len(fields) == 0 {
		return 0
	}
	seconds, _ := strconv.ParseInt(fields[0], 10, 64)
	return seconds
}

// tagTarget returns the target of an annotated tag.
func tagTarget(data []byte) (hash, error) {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	name, ok := strings.CutPrefix(string(line), "object ")
	if !ok || !plumbing.IsHash(name) {
		return hash{}, errors.New("damaged tag object; run `git fsck`")
	}
	return plumbing.NewHash(name), nil
}

// File modes of tree entries.
const (
	modeFolder     = 0o040000
	modeFile       = 0o100644
	modeExecutable = 0o100755
	modeSymlink    = 0o120000
	modeSubmodule  = 0o160000
)

type treeEntry struct {
	mode uint32
	name string
	hash hash
}

func (r *reader) tree(h hash) ([]treeEntry, error) {
	kind, data, err := r.content(h)
	if err != nil {
		return nil, err
	}
	if kind != plumbing.TreeObject {
		return nil, fmt.Errorf("%s is a %s, not a tree", h, kind)
	}
	var entries []treeEntry
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, spaced := strings.Cut(string(head), " ")
		bits, err := strconv.ParseUint(mode, 8, 32)
		if !ok || !spaced || err != nil || len(rest) < len(h) {
			return nil, fmt.Errorf("tree %s is damaged; run `git fsck`", h)
		}
		entries = append(entries, treeEntry{uint32(bits), name, hash(rest[:len(h)])})
		data = rest[len(h):]
	}
	return entries, nil
}
