package object

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// An entry is an object of a pack made by a test.
type entry struct {
	hash    plumbing.Hash
	base    plumbing.Hash // base of the delta, if that is not zero
	content []byte        // the object or the delta
}

// opened writes a pack and opens it.
func opened(t *testing.T, entries ...entry) *Pack {
	t.Helper()
	data := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(entries)))
	w := new(idxfile.Writer)
	must(t, w.OnHeader(uint32(len(entries))))
	for _, e := range entries {
		w.Add(e.hash, uint64(len(data)), 0)
		kind := plumbing.BlobObject
		if !e.base.IsZero() {
			kind = plumbing.REFDeltaObject
		}
		length := uint64(len(e.content))
		first := byte(kind)<<4 | byte(length&0xf)
		if length >>= 4; length > 0 {
			first |= 0x80
		}
		data = append(data, first)
		if length > 0 {
			data = binary.AppendUvarint(data, length)
		}
		if !e.base.IsZero() {
			data = append(data, e.base[:]...)
		}
		var zip bytes.Buffer
		z := zlib.NewWriter(&zip)
		_, err := z.Write(e.content)
		must(t, errors.Join(err, z.Close()))
		data = append(data, zip.Bytes()...)
	}
	must(t, w.OnFooter(plumbing.Hash{}))
	index, err := w.Index()
	must(t, err)
	name := filepath.Join(t.TempDir(), "pack-1.pack")
	must(t, os.WriteFile(name, append(data, make([]byte, 20)...), 0o666))
	p, err := OpenPack(name, index, cache.NewObjectLRUDefault())
	must(t, err)
	t.Cleanup(func() { must(t, p.Close()) })
	return p
}

// copied returns a delta that copies so many bytes of a base so many times.
func copied(size, bytes, times int) []byte {
	d := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(size)), uint64(bytes*times))
	for range times {
		d = append(d, 0x80|0x70, byte(bytes), byte(bytes>>8), byte(bytes>>16))
	}
	return d
}

func read(t *testing.T, p *Pack, h plumbing.Hash) ([]byte, error) {
	t.Helper()
	obj, err := p.Get(h)
	if err != nil {
		return nil, err
	}
	in, err := obj.Reader()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	if err == nil && int64(len(data)) != obj.Size() {
		t.Errorf("%d bytes of an object of %d", len(data), obj.Size())
	}
	return data, err
}

// joined returns a delta that copies pieces of a base, all of a length, by their numbers, and the object that it makes.
func joined(base []byte, length int, pieces ...int) (delta, object []byte) {
	delta = binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(base))), uint64(length*len(pieces)))
	for _, piece := range pieces {
		at := piece * length
		delta = append(delta, 0x80|0x70|0xf, byte(at), byte(at>>8), byte(at>>16), byte(at>>24),
			byte(length), byte(length>>8), byte(length>>16))
		object = append(object, base[at:at+length]...)
	}
	return delta, object
}

func named(content []byte) plumbing.Hash { return plumbing.ComputeHash(plumbing.BlobObject, content) }

// TestPack reads objects of all kinds: small and large ones, with and without deltas.
func TestPack(t *testing.T) {
	small, large := bytes.Repeat([]byte("ab"), 1000), bytes.Repeat([]byte("cd"), Small)
	longer, less := bytes.Repeat(small, Small/1000), bytes.Repeat(large[:500], 3)
	pieces := make([]byte, 4*Small)
	for i := range pieces {
		pieces[i] = byte(i / Small)
	}
	back, other := joined(pieces, Small, 1, 0, 3)
	p := opened(t, entry{hash: named(small), content: small}, entry{hash: named(large), content: large},
		entry{named(longer), named(small), copied(len(small), len(small), Small/1000)},
		entry{named(less), named(large), copied(len(large), 500, 3)},
		entry{hash: named(pieces), content: pieces}, entry{named(other), named(pieces), back})
	for name, want := range map[string][]byte{
		"small": small, "large": large, "a large one of a small one": longer, "a small one of a large one": less,
		"pieces in another order": other,
	} {
		if got, err := read(t, p, named(want)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v; want %d", name, len(got), err, len(want))
		}
	}
}

// TestDamaged: what is not the object of its name is no object.
func TestDamaged(t *testing.T) {
	for _, size := range []int{10, 2 * Small} {
		p := opened(t, entry{hash: plumbing.Hash{1}, content: make([]byte, size)})
		if _, err := read(t, p, plumbing.Hash{1}); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%d bytes that another object has: %v", size, err)
		}
	}
}

// TestRefused checks that a delta that needs too much memory, or an endless chain, is refused in advance.
func TestRefused(t *testing.T) {
	one, two, three := plumbing.Hash{1}, plumbing.Hash{2}, plumbing.Hash{3}
	content := make([]byte, 5000)
	for _, c := range []struct {
		reason  string
		entries []entry
		want    string
	}{
		{"a large object below", []entry{{hash: one, content: content}, {two, one, copied(5000, 10, 1)}},
			"difference to another one, of 5000 bytes, more than the 4000"},
		{"one that becomes large on the way", []entry{{hash: one, content: content[:100]},
			{three, one, copied(100, 100, 50)}, {two, three, copied(5000, 10, 1)}}, "of 5000 bytes"},
		{"a large difference", []entry{{hash: one, content: content[:100]}, {two, one, copied(100, 1, 2000)}},
			"of 8003 bytes"},
		{"differences in a circle", []entry{{three, two, copied(100, 100, 1)}, {two, three, copied(100, 100, 1)}},
			"without end"},
		{"a difference to nothing", []entry{{two, one, copied(100, 100, 1)}}, "not found"},
		{"a difference that is none", []entry{{hash: one, content: content[:100]}, {two, one, []byte{0x80}}}, "delta"},
	} {
		p := opened(t, c.entries...)
		p.limit = 4000
		if _, err := read(t, p, two); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.reason, err, c.want)
		}
	}
}
