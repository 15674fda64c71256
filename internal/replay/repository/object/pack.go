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

// maxBase is the maximum size of a delta's object and of its base, in bytes.
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
	limit  int64            // maximum size of a delta's object and of its base
	known  map[int64]stored // by the offset in the pack
}

// A stored is what the heads of an object say, and of the bases that it needs.
type stored struct {
	size  int64
	delta bool // it is kept as a difference to another one
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
	p := &Pack{index: index, limit: maxBase, known: map[int64]stored{}}
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
	of, err := p.stored(offset, 0)
	if err != nil {
		return nil, err
	}
	if of.size > Small && !of.delta { // of a delta it would read other bytes after a step back in the base
		obj, err := p.large.Get(h)
		if err != nil {
			return nil, err
		}
		return &packed{obj, h}, nil
	}
	obj, err := p.small.Get(h)
	if err == nil && obj.Hash() != h {
		err = errDamaged
	}
	return obj, err
}

// stored reads how the object at an offset is kept, and checks the bases that it needs.
func (p *Pack) stored(offset int64, depth int) (stored, error) {
	if of, known := p.known[offset]; known {
		return of, nil
	}
	if depth > maxDepth {
		return stored{}, errors.New("it is a difference to a difference, and so on without end")
	}
	head, err := p.heads.SeekObjectHeader(offset)
	if err != nil {
		return stored{}, err
	}
	of, base := stored{size: head.Length}, head.OffsetReference
	switch head.Type {
	case plumbing.REFDeltaObject:
		if base, err = p.index.FindOffset(head.Reference); err != nil {
			return stored{}, err
		}
		fallthrough
	case plumbing.OFSDeltaObject:
		of.delta = true
		if of.size, err = p.sizeOfDifference(); err != nil {
			return stored{}, err
		}
		below, err := p.stored(base, depth+1)
		if err != nil {
			return stored{}, err
		}
		if most := max(below.size, head.Length, of.size); most > p.limit {
			return stored{}, &LargeError{most, p.limit}
		}
	}
	p.known[offset] = of
	return of, nil
}

// A packed object is large: each reader reads it anew.
type packed struct {
	plumbing.EncodedObject
	hash plumbing.Hash
}

// Reader returns the content. It is checked at its end.
func (o *packed) Reader() (io.ReadCloser, error) {
	in, err := o.EncodedObject.Reader()
	if err != nil {
		return nil, err
	}
	sum := plumbing.NewHasher(o.Type(), o.Size())
	summed := struct {
		io.Reader
		io.Closer
	}{io.TeeReader(in, sum), in}
	return &checked{summed, sum.Sum, o.hash}, nil
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
