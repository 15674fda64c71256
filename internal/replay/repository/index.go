package repository

import (
	"bytes"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/go-git/go-git/v5/plumbing/format/index"
)

// indexed holds the index's view of the working tree.
type indexed struct {
	tracked    map[string]bool
	folders    map[string]bool // with tracked files
	submodules map[string]bool
	sparse     map[string]file // tracked, left out of this sparse working tree
	entries    map[string]*index.Entry
	written    time.Time
	warnings   []string
}

func (r *Repository) readIndex(ctx context.Context) (indexed, error) {
	x := indexed{
		tracked: map[string]bool{}, folders: map[string]bool{}, submodules: map[string]bool{},
		sparse: map[string]file{}, entries: map[string]*index.Entry{},
	}
	list, written, err := decodeIndex(filepath.Join(r.git, "index"))
	if errors.Is(err, os.ErrNotExist) {
		return x, nil
	}
	if err != nil {
		return x, fmt.Errorf("read the index: %w", err)
	}
	x.written = written
	for _, e := range list {
		if uint32(e.Mode) == modeFolder {
			err = x.addFolder(ctx, r, e)
		} else {
			x.add(e)
		}
		if err != nil {
			return x, fmt.Errorf("read the index: %w", r.advise("HEAD", err))
		}
	}
	return x, nil
}

// add adds a file or a submodule.
func (x *indexed) add(e *index.Entry) {
	switch mode := uint32(e.Mode); {
	case mode == modeSubmodule:
		x.submodules[e.Name] = true
	case e.SkipWorktree:
		x.sparse[e.Name] = file{path: e.Name, mode: mode, hash: e.Hash}
	}
	if e.Stage == 0 && !e.IntentToAdd { // index.Merged is a stage of a conflict
		x.entries[e.Name] = e
	}
	x.track(e.Name)
}

// addFolder adds a folder of a sparse index, all of whose files are left out of the working tree.
func (x *indexed) addFolder(ctx context.Context, r *Repository, e *index.Entry) error {
	read := r.objects.reader()
	defer read.close()
	list := lister{ctx: ctx, read: read}
	if err := list.tree(e.Hash, e.Name); err != nil {
		return err
	}
	for _, f := range list.files {
		x.sparse[f.path] = f
		x.track(f.path)
	}
	x.warnings = append(x.warnings, list.warnings...)
	return nil
}

func (x *indexed) track(name string) {
	x.tracked[name] = true
	for dir := path.Dir(name); dir != "." && !x.folders[dir]; dir = path.Dir(dir) {
		x.folders[dir] = true
	}
}

// decodeIndex returns the entries of an index, and when it was written.
func decodeIndex(name string) (entries []*index.Entry, written time.Time, err error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, written, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, written, err
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, written, err
	}
	known := withoutSparse(data)
	addHash(known)
	var decoded index.Index
	err = index.NewDecoder(bytes.NewReader(known)).Decode(&decoded)
	switch {
	case errors.Is(err, index.ErrUnknownExtension) && bytes.Contains(data, []byte("link")):
		return nil, written, errors.New("it is split; run `git update-index --no-split-index`, " +
			"and before that `git config core.splitIndex false` where it is set")
	case err != nil:
		return nil, written, fmt.Errorf("%w; run `git update-index --index-version 2`", err)
	}
	return decoded.Entries, info.ModTime(), nil
}

// addHash gives an index that git wrote without its hash (index.skipHash) the one that decoding demands.
func addHash(data []byte) {
	if at := len(data) - sha1.Size; at >= 0 && [sha1.Size]byte(data[at:]) == [sha1.Size]byte{} {
		sum := sha1.Sum(data[:at])
		copy(data[at:], sum[:])
	}
}

// withoutSparse returns an index in which it is not said that it may have folders (sparse index). Decoding refuses what
// says so, though it reads folders. It is said last, but for where the entries end.
func withoutSparse(data []byte) []byte {
	const ended = 4 + 4 + 4 + sha1.Size
	sparse, at := []byte("sdir\x00\x00\x00\x00"), len(data)-sha1.Size
	if at >= ended && bytes.HasPrefix(data[at-ended:], []byte("EOIE")) {
		at -= ended
	}
	if at < len(sparse) || !bytes.HasSuffix(data[:at], sparse) {
		return data
	}
	sum := sha1.Sum(data[:len(data)-sha1.Size])
	if stored := [sha1.Size]byte(data[len(data)-sha1.Size:]); stored != sum && stored != [sha1.Size]byte{} {
		return data
	}
	known := bytes.Clone(data)
	known[at-len(sparse)] = 'S' // what need not be known
	clear(known[len(data)-sha1.Size:])
	return known
}
