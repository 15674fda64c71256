package spectra

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// This file defines the reader that both decoders share: it keeps the first error, after which
// everything it returns is zero.

var errShort = errors.New("data ends too early")

type reader struct {
	rest []byte
	size int // of all the data, to name the place of an error
	err  error
	// names holds type and field names once, however often they occur; readers may share it.
	names map[string]string
}

func newReader(b []byte) *reader {
	return &reader{rest: b, size: len(b), names: map[string]string{}}
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = fmt.Errorf("at byte %d: %w", r.size-len(r.rest), err)
		r.rest = nil
	}
}

func (r *reader) byte() byte {
	if len(r.rest) == 0 {
		r.fail(errShort)
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail(errShort)
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) uvarint() uint64 {
	u, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.fail(errShort)
		return 0
	}
	r.rest = r.rest[n:]
	return u
}

func (r *reader) varint() int64 {
	i, n := binary.Varint(r.rest)
	if n <= 0 {
		r.fail(errShort)
		return 0
	}
	r.rest = r.rest[n:]
	return i
}

// number reads a uvarint that must fit a positive int32: ids, lines, indexes.
func (r *reader) number() int {
	u := r.uvarint()
	if u > 1<<31-1 {
		r.fail(fmt.Errorf("number %d is too large", u))
		return 0
	}
	return int(u)
}

func (r *reader) word() uint64 {
	b := r.bytes(8)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

func (r *reader) string() string { return string(r.bytes(r.uvarint())) }

// name reads a string of which there are few different ones.
func (r *reader) name() string {
	b := r.bytes(r.uvarint())
	if s, ok := r.names[string(b)]; ok {
		return s
	}
	s := string(b)
	r.names[s] = s
	return s
}
