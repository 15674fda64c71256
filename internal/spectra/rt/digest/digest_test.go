package digest

import (
	"strings"
	"testing"
)

// TestOf: the digest of a text, on which frames and outcomes rely, is what it always was, where words begin with
// the low byte.
func TestOf(t *testing.T) {
	for _, test := range []struct {
		reason, text string
		a, b         uint64
	}{
		{"nothing", "", 0x34db87a042eb6980, 0x7e9d0c334a35a669},
		{"a word", "spectrum", 0xa3f74b61c0acbd91, 0xb85b04329c6bc758},
		{"long enough for stripes", strings.Repeat("0123456789", 10), 0x2d7d76d56da3fc9d, 0x4430ff441690126},
	} {
		if a, b := Of([]byte(test.text)); a != test.a || b != test.b {
			t.Errorf("%s: %#x, %#x, want %#x, %#x", test.reason, a, b, test.a, test.b)
		}
	}
}

// TestLengths: texts of every length have another digest, and so has a text in which any byte is another.
func TestLengths(t *testing.T) {
	seen := map[Hash]int{}
	for n := range 200 {
		text := []byte(strings.Repeat("x", n))
		h := Seed.Text(0, string(text))
		if other, ok := seen[h]; ok {
			t.Errorf("%d and %d bytes have the same digest", other, n)
		}
		seen[h] = n
		for i := range text {
			text[i] = 'y'
			if Seed.Text(0, string(text)) == h {
				t.Errorf("byte %d of %d makes no difference", i, n)
			}
			text[i] = 'x'
		}
	}
}

// TestAdd: digests that are added up have no order, but their number counts.
func TestAdd(t *testing.T) {
	one, two := Seed.Pair(1, 1), Seed.Pair(1, 2)
	if (Hash{}).Add(one).Add(two) != (Hash{}).Add(two).Add(one) {
		t.Error("the order makes a difference")
	}
	if (Hash{}).Add(one).Add(one).Add(two) == (Hash{}).Add(one).Add(two).Add(two) {
		t.Error("how often each is there makes no difference")
	}
}
