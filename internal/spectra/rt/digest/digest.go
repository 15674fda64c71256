// Package digest computes the 128-bit digest of a state.
//
// In: words, memory and texts, each with a key that identifies its place in the container (a slot or a field). Out: a
// Hash. A Hash is a value: mixing something in returns a new one.
//
// The same input in the same order has the same digest, in every process and on every machine of one byte order. States
// with different content have different digests, except with negligible probability. Nothing is allocated. A digest
// does not resist an attacker.
package digest

import (
	"math/bits"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
)

// A Hash is a digest under construction: two lanes of 64 bits. Each is a chain of rotations, additions or
// exclusive ors, and multiplications by odd constants, so that a step maps different lanes and different
// words to different lanes.
type Hash struct{ A, B uint64 }

const (
	mix1 = 0x87c37b91114253d5
	mix2 = 0x4cf5ad432745937f
)

// Seed is where every digest starts. It is not zero, which words that are zero would not move.
var Seed = Hash{0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f}

// Pair mixes a value in with its key, which says which part of its container it is.
func (h Hash) Pair(key, x uint64) Hash {
	x ^= key
	return Hash{
		(bits.RotateLeft64(h.A, 27) ^ x) * mix1,
		(bits.RotateLeft64(h.B, 31) + x) * mix2,
	}
}

// Sum returns the finished digest: every bit of both lanes depends on all that went in.
func (h Hash) Sum() (a, b uint64) {
	a, b = scramble(h.A), scramble(h.B)
	a += b
	return a, b + a
}

// scramble is the end of MurmurHash3 (64 bit).
func scramble(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// Memory mixes n bytes in, their number included.
func (h Hash) Memory(key uint64, p uintptr, n uintptr) Hash {
	h = h.Pair(key, uint64(n)^0x9e3779b97f4a7c15)
	if n >= 64 {
		h, p, n = h.stripes(p, n)
	}
	for ; n > 8; n -= 8 {
		h = h.Pair(0, *(*uint64)(memory.At(p)))
		p += 8
	}
	switch { // the last bytes: two reads may overlap, the length tells how
	case n == 8:
		return h.Pair(0, *(*uint64)(memory.At(p)))
	case n >= 4:
		return h.Pair(0, uint64(*(*uint32)(memory.At(p)))<<32|uint64(*(*uint32)(memory.At(p + n - 4))))
	case n > 0:
		first, middle, last := *(*byte)(memory.At(p)), *(*byte)(memory.At(p + n/2)), *(*byte)(memory.At(p + n - 1))
		return h.Pair(0, uint64(first)|uint64(middle)<<8|uint64(last)<<16)
	}
	return h
}

// stripes mixes long memory in, 32 bytes a step, and returns the rest.
func (h Hash) stripes(p, n uintptr) (Hash, uintptr, uintptr) {
	one, two := h, Hash{h.B, h.A}
	for ; n >= 32; n -= 32 {
		w := (*[4]uint64)(memory.At(p))
		one.A = (bits.RotateLeft64(one.A, 27) ^ w[0]) * mix1
		one.B = (bits.RotateLeft64(one.B, 31) + w[1]) * mix2
		two.A = (bits.RotateLeft64(two.A, 29) ^ w[2]) * mix1
		two.B = (bits.RotateLeft64(two.B, 33) + w[3]) * mix2
		p += 32
	}
	h = h.Pair(0, one.A).Pair(0, one.B).Pair(0, two.A).Pair(0, two.B)
	return h, p, n
}

// Text mixes a string in.
func (h Hash) Text(key uint64, s string) Hash {
	return h.Memory(key, uintptr(unsafe.Pointer(unsafe.StringData(s))), uintptr(len(s)))
}

// Add puts finished digests together in no order.
func (h Hash) Add(other Hash) Hash {
	a, b := other.Sum()
	return Hash{h.A + a, h.B + b}
}

// Of returns the digest of a text.
func Of(s []byte) (a, b uint64) {
	return Seed.Memory(0, uintptr(unsafe.Pointer(unsafe.SliceData(s))), uintptr(len(s))).Sum()
}

// OfName returns the half of a name's digest that all of it goes into.
func OfName(s string) uint64 {
	_, b := Seed.Text(0, s).Sum()
	return b
}
