package rt

// This file defines the digest: a 128-bit hash in the manner of MurmurHash3 (x64, 128 bit), two
// words a round. It need not resist an attacker.

import (
	"math/bits"
	"unsafe"
)

type hash struct{ a, b uint64 }

const (
	mix1 = 0x87c37b91114253d5
	mix2 = 0x4cf5ad432745937f
)

// pair mixes two words in, in one round: what a value is (its place, a kind) and the value.
func (h hash) pair(x, y uint64) hash {
	a := bits.RotateLeft64(h.a^bits.RotateLeft64(x*mix1, 31)*mix2, 27)
	a = (a+h.b)*5 + 0x52dce729
	b := bits.RotateLeft64(h.b^bits.RotateLeft64(y*mix2, 33)*mix1, 31)
	return hash{a, (b+a)*5 + 0x38495ab5}
}

// memory mixes n bytes in, their number included.
func (h hash) memory(key uint64, p uintptr, n uintptr) hash {
	h = h.pair(key, uint64(n)^0x9e3779b97f4a7c15)
	for ; n > 16; n -= 16 {
		h = h.pair(*(*uint64)(at(p)), *(*uint64)(at(p + 8)))
		p += 16
	}
	switch { // the last bytes: the two words may overlap, the length tells how
	case n >= 8:
		return h.pair(*(*uint64)(at(p)), *(*uint64)(at(p + n - 8)))
	case n >= 4:
		return h.pair(uint64(*(*uint32)(at(p))), uint64(*(*uint32)(at(p + n - 4))))
	case n > 0:
		first, middle, last := *(*byte)(at(p)), *(*byte)(at(p + n/2)), *(*byte)(at(p + n - 1))
		return h.pair(uint64(first)|uint64(middle)<<8, uint64(last))
	}
	return h
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
	return hash{}.text(0, s).b
}
