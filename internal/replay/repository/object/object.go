// Package object reads git's objects from where they lie: a file of their own, or a pack. Large ones are read
// piece by piece.
//
// In: the path of a loose object, or of a pack with its index, and a hash. Out: an object whose content is held
// in memory, or read anew by each of its readers if it has more than Small bytes. What is put together from
// differences, as packs hold them, needs the object that they are differences to in memory; one with more than
// maxBase bytes is refused with an error that says what to do. A loose object that is not what its name says is
// an error, of a large one at its end. Nothing is written.
package object

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
)

// Small is the size up to which objects are held in memory.
const Small = 1 << 20

// Loose returns the object of a file of its own. The error wraps os.ErrNotExist if there is no such file.
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

// A large object is read from its file whenever somebody asks for its content. It has no content itself.
type large struct {
	*plumbing.MemoryObject
	name string
	hash plumbing.Hash
}

// Hash returns the name of the object.
func (o *large) Hash() plumbing.Hash { return o.hash }

// Reader returns the content, which is checked when it ends.
func (o *large) Reader() (io.ReadCloser, error) {
	in, err := openLoose(o.name)
	if err != nil {
		return nil, err
	}
	return &checked{in, o.hash}, nil
}

// loose is an open file with an object.
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

// A checked reader ends with an error if what was read is not the object.
type checked struct {
	*loose
	hash plumbing.Hash
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.loose.Read(p)
	if err == io.EOF && c.loose.Hash() != c.hash {
		err = fmt.Errorf("read object %s: %w; run `git fsck`", c.hash, errDamaged)
	}
	return n, err
}
