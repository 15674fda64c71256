package rt

// This file defines the digest: a 128-bit hash in the manner of MurmurHash3 (x64, 128 bit),
// one 64-bit word at a time. It need not resist an attacker.

import (
	"math/bits"
	"unsafe"
)

type hash struct{ a, b uint64 }

const (
	mix1 = 0x87c37b91114253d5
	mix2 = 0x4cf5ad432745937f
)

// word mixes one word in.
func (h *hash) word(x uint64) {
	h.a ^= bits.RotateLeft64(x*mix1, 31) * mix2
	h.a = (bits.RotateLeft64(h.a, 27)+h.b)*5 + 0x52dce729
	h.b ^= bits.RotateLeft64(x*mix2, 33) * mix1
	h.b = (bits.RotateLeft64(h.b, 31)+h.a)*5 + 0x38495ab5
}

// memory mixes n bytes in, their number included.
func (h *hash) memory(p uintptr, n uintptr) {
	h.word(uint64(n) ^ 0x9e3779b97f4a7c15)
	for ; n >= 8; n -= 8 {
		h.word(*(*uint64)(at(p)))
		p += 8
	}
	var tail uint64
	for i := uintptr(0); i < n; i++ {
		tail |= uint64(*(*byte)(at(p + i))) << (8 * i)
	}
	if n > 0 {
		h.word(tail)
	}
}

// text mixes a string in.
func (h *hash) text(s string) {
	h.memory(uintptr(unsafe.Pointer(unsafe.StringData(s))), uintptr(len(s)))
}

// at turns an address that the target keeps alive into a pointer.
//
//go:nosplit
func at(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

// textHash is the first half of a string's digest.
func textHash(s string) uint64 {
	var h hash
	h.text(s)
	return h.a
}
