package object

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// maxBase is the maximum size of the base of a delta, in bytes.
const maxBase = 256 << 20

// A LargeError is the error for an object whose delta needs too much memory.
type LargeError struct{ size, limit int64 }

func (e *LargeError) Error() string {
	return fmt.Sprintf("it is kept as a difference to another one, of %d bytes, more than the %d that are held in "+
		"memory; run `git -c core.bigFileThreshold=64m repack -a -d -F`", e.size, e.limit)
}

// maxDepth is the maximum length of a chain of deltas. Git itself makes at most 4095.
const maxDepth = 1 << 12

// A Pack is an open pack. Only one goroutine may use it at a time.
type Pack struct {
	index  idxfile.Index
	small  *packfile.Packfile
	large  *packfile.Packfile
	heads  *packfile.Scanner
	closes []io.Closer
	limit  int64           // maximum size of the base of a delta
	sizes  map[int64]int64 // offset in the pack → size of a checked object
}

// ReadIndex reads the index of a pack.
func ReadIndex(name string) (*idxfile.MemoryIndex, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	index := idxfile.NewMemoryIndex()
	return index, idxfile.NewDecoder(bufio.NewReaderSize(f, 1<<20)).Decode(index)
}

// OpenPack opens the pack with that name and index. Packs may share a cache.
func OpenPack(name string, index idxfile.Index, objects cache.Object) (*Pack, error) {
	fs := osfs.New(filepath.Dir(name))
	p := &Pack{index: index, limit: maxBase, sizes: map[int64]int64{}}
	var files [3]billy.File
	for i := range files {
		f, err := fs.Open(filepath.Base(name))
		if err != nil {
			return nil, errors.Join(err, p.Close())
		}
		files[i], p.closes = f, append(p.closes, f)
	}
	p.small = packfile.NewPackfileWithCache(index, nil, files[0], objects, 0)
	p.large = packfile.NewPackfileWithCache(index, fs, files[1], objects, Small)
	p.heads = packfile.NewScanner(files[2])
	return p, nil
}

// Close closes the pack.
func (p *Pack) Close() error {
	var errs []error
	for _, c := range p.closes {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// Get returns the object with that hash, which must be in the index. Errors say what to do.
func (p *Pack) Get(h plumbing.Hash) (plumbing.EncodedObject, error) {
	obj, err := p.get(h)
	if _, large := errors.AsType[*LargeError](err); err != nil && !large {
		err = fmt.Errorf("%w; run `git fsck`", err)
	}
	return obj, err
}

func (p *Pack) get(h plumbing.Hash) (plumbing.EncodedObject, error) {
	offset, err := p.index.FindOffset(h)
	if err != nil {
		return nil, err
	}
	size, err := p.size(offset, 0)
	if err != nil {
		return nil, err
	}
	if size > Small {
		return p.large.Get(h)
	}
	return p.small.Get(h)
}

// size returns the size of the object at an offset, and checks the bases that it needs.
func (p *Pack) size(offset int64, depth int) (int64, error) {
	if size, known := p.sizes[offset]; known {
		return size, nil
	}
	if depth > maxDepth {
		return 0, errors.New("it is a difference to a difference, and so on without end")
	}
	head, err := p.heads.SeekObjectHeader(offset)
	if err != nil {
		return 0, err
	}
	size, base := head.Length, head.OffsetReference
	switch head.Type {
	case plumbing.REFDeltaObject:
		if base, err = p.index.FindOffset(head.Reference); err != nil {
			return 0, err
		}
		fallthrough
	case plumbing.OFSDeltaObject:
		if size, err = p.sizeOfDifference(); err != nil {
			return 0, err
		}
		below, err := p.size(base, depth+1)
		if err != nil {
			return 0, err
		}
		if most := max(below, head.Length); most > p.limit {
			return 0, &LargeError{most, p.limit}
		}
	}
	p.sizes[offset] = size
	return size, nil
}

// sizeOfDifference reads the size of the object behind a delta's header: the second number of the delta. It reads no
// further.
func (p *Pack) sizeOfDifference() (int64, error) {
	in, err := p.heads.ReadObject()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	start := make([]byte, 2*binary.MaxVarintLen64)
	length, err := io.ReadFull(in, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, err
	}
	_, n := binary.Uvarint(start[:length])
	size, m := binary.Uvarint(start[max(n, 0):length])
	if n <= 0 || m <= 0 || size > math.MaxInt64 {
		return 0, packfile.ErrInvalidDelta
	}
	return int64(size), nil
}
