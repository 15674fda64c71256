package driver

// This file encodes and decodes what frames contain.

import (
	"encoding/binary"
	"errors"

	"github.com/spectradiff/spectradiff/spectra/rt"
)

var errFrame = errors.New("malformed frame")

type encoder struct{ b []byte }

// newFrame begins a frame: the room for its head comes first.
func newFrame() encoder { return encoder{make([]byte, rt.FrameHead, 256)} }

func (e *encoder) uint(x uint64) { e.b = binary.AppendUvarint(e.b, x) }
func (e *encoder) byte(x byte)   { e.b = append(e.b, x) }
func (e *encoder) string(s string) {
	e.uint(uint64(len(s)))
	e.b = append(e.b, s...)
}
func (e *encoder) digest(a, b uint64) {
	e.b = binary.LittleEndian.AppendUint64(e.b, a)
	e.b = binary.LittleEndian.AppendUint64(e.b, b)
}
func (e *encoder) bool(x bool) {
	if x {
		e.byte(1)
	} else {
		e.byte(0)
	}
}

// decoder reads a frame; after an error everything is zero.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) fail() {
	d.b = nil
	if d.err == nil {
		d.err = errFrame
	}
}

func (d *decoder) uint() uint64 {
	x, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return x
}

func (d *decoder) int() int64 {
	x, n := binary.Varint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return x
}

// count reads a number of things that follow, of at least one byte each.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) byte() byte {
	if len(d.b) == 0 {
		d.fail()
		return 0
	}
	x := d.b[0]
	d.b = d.b[1:]
	return x
}

func (d *decoder) bool() bool { return d.byte() != 0 }

func (d *decoder) bytes() []byte {
	n := d.count()
	x := d.b[:n:n]
	d.b = d.b[n:]
	return x
}

func (d *decoder) string() string { return string(d.bytes()) }

func (d *decoder) strings() []string {
	list := make([]string, d.count())
	for i := range list {
		list[i] = d.string()
	}
	return list
}

func (d *decoder) texts() map[string]string {
	m := map[string]string{}
	for range d.count() {
		key := d.string()
		m[key] = d.string()
	}
	return m
}

// slots reads what is compared of a function; nil: all its slots.
func (d *decoder) slots() []rt.SlotConfig {
	some := d.bool()
	list := make([]rt.SlotConfig, d.count())
	for i := range list {
		list[i] = rt.SlotConfig{Index: int(d.uint()), Pointee: d.bool()}
	}
	if !some {
		return nil
	}
	return list
}

func (d *decoder) word() uint64 {
	if len(d.b) < 8 {
		d.fail()
		return 0
	}
	x := binary.LittleEndian.Uint64(d.b)
	d.b = d.b[8:]
	return x
}
