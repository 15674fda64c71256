package repository

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing/format/idxfile"

	"github.com/spectradiff/spectradiff/internal/replay/repository/object"
)

type pack struct {
	path  string
	index *idxfile.MemoryIndex
}

// packs are the packs as they were last listed. Git may put others in their place at any time (gc, fetch), so nothing
// is missing before they were listed again.
type packs struct {
	lock    sync.Mutex
	all     []pack
	changes int // how often others were found
}

// known returns the packs, and the number of changes so far.
func (p *packs) known() ([]pack, int) {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.all, p.changes
}

// list lists the packs of folders.
func (p *packs) list(folders []string) error {
	p.lock.Lock()
	defer p.lock.Unlock()
	for range maxAttempts {
		vanished, err := p.read(folders)
		if err != nil || !vanished {
			return err
		}
	}
	return errors.New("list packs: they keep changing; wait for git to end")
}

// read lists the packs once. It reports whether one vanished meanwhile: others then have its objects.
func (p *packs) read(folders []string) (vanished bool, err error) {
	before := map[string]pack{}
	for _, known := range p.all {
		before[known.path] = known
	}
	var all []pack
	for _, folder := range folders {
		folder := filepath.Join(folder, "pack")
		names, err := fs.Glob(os.DirFS(folder), "pack-*.idx")
		if err != nil {
			return false, fmt.Errorf("list packs: %w", err)
		}
		for _, name := range names {
			name = filepath.Join(folder, name)
			path := strings.TrimSuffix(name, ".idx") + ".pack"
			if known, ok := before[path]; ok {
				all = append(all, known)
				continue
			}
			index, err := object.ReadIndex(name)
			switch {
			case errors.Is(err, os.ErrNotExist):
				vanished = true
			case err != nil:
				return false, fmt.Errorf("read pack index %s: %w; run `git fsck`", name, err)
			default:
				all = append(all, pack{path, index})
			}
		}
	}
	if !slices.Equal(all, p.all) {
		p.all, p.changes = all, p.changes+1
	}
	return vanished, nil
}

// search calls a function with the packs, and again with others as long as something is missing and there are others.
func (o *objects) search(find func([]pack) error) error {
	for {
		all, changes := o.packs.known()
		err := find(all)
		var missing *missingObject
		if !errors.As(err, &missing) && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err := o.packs.list(o.folders); err != nil {
			return err
		}
		if _, now := o.packs.known(); now == changes {
			return err
		}
	}
}
