package repository

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"

	"github.com/spectradiff/spectradiff/internal/replay/repository/object"
)

type hash = plumbing.Hash

// objects is an object store: the repository's own objects and those of alternate folders, loose and packed. Its
// readers read them. go-git reads packs and indexes, but its object storage is not used: that opens every pack index of
// an alternate again for each object, and only one goroutine can read from it.
type objects struct {
	folders  []string // the repository's own first
	packs    packs
	whole    wholeness
	cache    cache.Object
	replaced map[hash]hash // objects replaced by git replace
}

// missingObject is the error for an object that is not in the store.
type missingObject struct{ hash hash }

func (e *missingObject) Error() string { return "object " + e.hash.String() + " is missing" }

func openObjects(dir string) (*objects, error) {
	o := &objects{cache: cache.NewObjectLRUDefault()}
	if err := o.addFolder(dir); err != nil {
		return nil, err
	}
	if err := o.packs.list(o.folders); err != nil {
		return nil, err
	}
	return o, nil
}

// addFolder adds an object folder and its alternates, depth first like git.
func (o *objects) addFolder(dir string) error {
	for _, known := range o.folders {
		if known == dir {
			return nil
		}
	}
	o.folders = append(o.folders, dir)
	data, err := os.ReadFile(filepath.Join(dir, "info", "alternates"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read alternates: %w", err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if err := o.addFolder(relativeTo(dir, line)); err != nil {
			return err
		}
	}
	return nil
}

// replacement returns what the name of all that is made of objects ends with: a hash of what git replace says of them,
// "" if nothing is replaced. An object that is replaced holds something else, and so does what refers to it.
func (o *objects) replacement() string {
	if len(o.replaced) == 0 {
		return ""
	}
	var lines []string
	for h, other := range o.replaced {
		lines = append(lines, h.String()+" "+other.String())
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return "-replaced-" + hex.EncodeToString(sum[:8])
}

// withPrefix returns the objects whose hash starts with the hex digits, sorted.
func (o *objects) withPrefix(digits string) []hash {
	found := map[hash]bool{}
	for _, folder := range o.folders {
		entries, _ := os.ReadDir(filepath.Join(folder, digits[:2]))
		for _, e := range entries {
			if name := digits[:2] + e.Name(); strings.HasPrefix(name, digits) && plumbing.IsHash(name) {
				found[plumbing.NewHash(name)] = true
			}
		}
	}
	low := plumbing.NewHash(digits + strings.Repeat("0", 40-len(digits)))
	packs, _ := o.packs.known()
	for _, p := range packs {
		at := p.index.FanoutMapping[low[0]]
		if at < 0 || at >= len(p.index.Names) {
			continue
		}
		names := p.index.Names[at]
		first := sort.Search(len(names)/len(low), func(i int) bool {
			return bytes.Compare(names[i*len(low):(i+1)*len(low)], low[:]) >= 0
		})
		for names = names[first*len(low):]; len(names) > 0; names = names[len(low):] {
			if !strings.HasPrefix(hex.EncodeToString(names[:len(low)]), digits) {
				break
			}
			found[hash(names[:len(low)])] = true
		}
	}
	hashes := make([]hash, 0, len(found))
	for h := range found {
		hashes = append(hashes, h)
	}
	plumbing.HashesSort(hashes)
	return hashes
}

// reader reads objects; each goroutine needs its own. It keeps packs open until it is closed.
type reader struct {
	objects *objects
	open    map[string]*object.Pack
}

func (o *objects) reader() *reader {
	return &reader{o, map[string]*object.Pack{}}
}

func (r *reader) close() {
	for _, p := range r.open {
		p.Close()
	}
}

// object returns an object. The error is a *missingObject if the store does not have it.
func (r *reader) object(h hash) (obj plumbing.EncodedObject, err error) {
	if other, ok := r.objects.replaced[h]; ok {
		h = other
	}
	err = r.objects.search(func(packs []pack) error {
		obj, err = r.find(packs, h)
		return err
	})
	if err == nil && obj.Size() > object.Small {
		obj = &lasting{obj, r}
	}
	return obj, err
}

// find looks for an object in some packs, and in loose files. What is gone from one place may be in another one.
func (r *reader) find(packs []pack, h hash) (plumbing.EncodedObject, error) {
	var missing error = &missingObject{h}
	for _, p := range packs {
		if found, _ := p.index.Contains(h); !found {
			continue
		}
		obj, err := r.packed(p, h)
		if err == nil {
			return obj, nil
		}
		err = fmt.Errorf("read object %s from %s: %w", h, filepath.Base(p.path), err)
		if !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		missing = err
	}
	for _, folder := range r.objects.folders {
		name := h.String()
		obj, err := object.Loose(filepath.Join(folder, name[:2], name[2:]), h)
		if err == nil {
			return obj, nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("read object %s: %w; run `git fsck`", h, err)
		}
	}
	return nil, missing
}

// A lasting object is read anew by each reader, also from where it has got since it was found.
type lasting struct {
	plumbing.EncodedObject
	read *reader
}

// Reader returns the content.
func (o *lasting) Reader() (io.ReadCloser, error) {
	in, err := o.EncodedObject.Reader()
	if !errors.Is(err, os.ErrNotExist) {
		return in, err
	}
	again, err := o.read.object(o.Hash())
	if err != nil {
		return nil, err
	}
	if moved, ok := again.(*lasting); ok {
		again = moved.EncodedObject
	}
	return again.Reader()
}

func (r *reader) packed(p pack, h hash) (plumbing.EncodedObject, error) {
	file := r.open[p.path]
	if file == nil {
		var err error
		if file, err = object.OpenPack(p.path, p.index, r.objects.cache); err != nil {
			return nil, err
		}
		r.open[p.path] = file
	}
	return file.Get(h)
}
