// Package object reads git objects from loose files and from packs, large ones piece by piece.
//
// Input: the path of a loose object, or of a pack with its index, and a hash. Output: an object. Its content is in
// memory, or, above Small bytes, each reader reads it anew. An object stored as a delta is in memory with its base;
// one with more than maxBase bytes is an error that says what to do. An object whose hash is not its name is an error,
// reported at the end of a large one. Nothing is written.
package object

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
)

// Small is the maximum size of objects in memory, in bytes.
const Small = 1 << 20

// Loose returns the object of a loose file. The error wraps os.ErrNotExist if there is no such file.
func Loose(name string, h plumbing.Hash) (plumbing.EncodedObject, error) {
	in, err := openLoose(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	obj := &plumbing.MemoryObject{}
	obj.SetType(in.kind)
	if in.size > Small {
		obj.SetSize(in.size)
		return &large{obj, name, h}, nil
	}
	if _, err := io.Copy(obj, io.LimitReader(in, Small+1)); err != nil {
		return nil, err
	}
	if obj.Hash() != h {
		return nil, errDamaged
	}
	return obj, nil
}

var errDamaged = errors.New("the object is damaged")

// A large object holds no content: each reader reads it from its file.
type large struct {
	*plumbing.MemoryObject
	name string
	hash plumbing.Hash
}

// Hash returns the name of the object.
func (o *large) Hash() plumbing.Hash { return o.hash }

// Reader returns the content. It is checked at its end.
func (o *large) Reader() (io.ReadCloser, error) {
	in, err := openLoose(o.name)
	if err != nil {
		return nil, err
	}
	return &checked{in, in.Hash, o.hash}, nil
}

// loose is an open loose object.
type loose struct {
	*objfile.Reader
	file *os.File
	kind plumbing.ObjectType
	size int64
}

func openLoose(name string) (*loose, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	in, err := objfile.NewReader(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	o := &loose{Reader: in, file: f}
	if o.kind, o.size, err = in.Header(); err != nil {
		o.Close()
		return nil, err
	}
	return o, nil
}

func (o *loose) Close() error { return errors.Join(o.Reader.Close(), o.file.Close()) }

// A checked reader ends with an error if the content is not that of the object.
type checked struct {
	io.ReadCloser
	read func() plumbing.Hash // of what was read
	hash plumbing.Hash
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if err == io.EOF && c.read() != c.hash {
		err = fmt.Errorf("read object %s: %w; run `git fsck`", c.hash, errDamaged)
	}
	return n, err
}
