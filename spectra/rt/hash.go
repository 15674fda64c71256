package rt

// This file defines the digest: two lanes of 64 bits, each a chain of rotations, additions or
// exclusive ors, and multiplications by odd constants, so that a step maps different lanes and
// different words to different lanes. It need not resist an attacker.

import (
	"math/bits"
	"unsafe"
)

type hash struct{ a, b uint64 }

const (
	mix1 = 0x87c37b91114253d5
	mix2 = 0x4cf5ad432745937f
)

// seed is where every digest starts: not at zero, which words that are zero would not move.
var seed = hash{0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f}

// pair mixes a value in, and its key: what of its container it is.
func (h hash) pair(key, x uint64) hash {
	x ^= key
	return hash{
		(bits.RotateLeft64(h.a, 27) ^ x) * mix1,
		(bits.RotateLeft64(h.b, 31) + x) * mix2,
	}
}

// sum is the finished digest: every bit of both lanes depends on all that went in.
func (h hash) sum() (a, b uint64) {
	a, b = scramble(h.a), scramble(h.b)
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

// memory mixes n bytes in, their number included.
func (h hash) memory(key uint64, p uintptr, n uintptr) hash {
	h = h.pair(key, uint64(n)^0x9e3779b97f4a7c15)
	if n >= 64 {
		h, p, n = h.stripes(p, n)
	}
	for ; n > 8; n -= 8 {
		h = h.pair(0, *(*uint64)(at(p)))
		p += 8
	}
	switch { // the last bytes: two reads may overlap, the length tells how
	case n == 8:
		return h.pair(0, *(*uint64)(at(p)))
	case n >= 4:
		return h.pair(0, uint64(*(*uint32)(at(p)))<<32|uint64(*(*uint32)(at(p + n - 4))))
	case n > 0:
		first, middle, last := *(*byte)(at(p)), *(*byte)(at(p + n/2)), *(*byte)(at(p + n - 1))
		return h.pair(0, uint64(first)|uint64(middle)<<8|uint64(last)<<16)
	}
	return h
}

// stripes mixes long memory in, 32 bytes a step, and returns what is left.
func (h hash) stripes(p, n uintptr) (hash, uintptr, uintptr) {
	one, two := h, hash{h.b, h.a}
	for ; n >= 32; n -= 32 {
		w := (*[4]uint64)(at(p))
		one.a = (bits.RotateLeft64(one.a, 27) ^ w[0]) * mix1
		one.b = (bits.RotateLeft64(one.b, 31) + w[1]) * mix2
		two.a = (bits.RotateLeft64(two.a, 29) ^ w[2]) * mix1
		two.b = (bits.RotateLeft64(two.b, 33) + w[3]) * mix2
		p += 32
	}
	h = h.pair(0, one.a).pair(0, one.b).pair(0, two.a).pair(0, two.b)
	return h, p, n
}

// text mixes a string in.
func (h hash) text(key uint64, s string) hash {
	return h.memory(key, uintptr(unsafe.Pointer(unsafe.StringData(s))), uintptr(len(s)))
}

// at turns an address that the target keeps alive into a pointer.
//
//go:nosplit
func at(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

// textHash is the half of a string's digest that all of it goes into.
func textHash(s string) uint64 {
	_, b := seed.text(0, s).sum()
	return b
}
