package wire

import "math"

// AppendUint appends a number of variable length.
func AppendUint(b []byte, x uint64) []byte {
	for x >= 0x80 {
		b = append(b, byte(x)|0x80)
		x >>= 7
	}
	return append(b, byte(x))
}

// AppendInt appends a signed number, so that small ones are short whatever their sign.
func AppendInt(b []byte, x int64) []byte {
	return AppendUint(b, uint64(x)<<1^uint64(x>>63))
}

// AppendWord appends eight bytes.
func AppendWord(b []byte, x uint64) []byte {
	return append(b, byte(x), byte(x>>8), byte(x>>16), byte(x>>24),
		byte(x>>32), byte(x>>40), byte(x>>48), byte(x>>56))
}

// AppendString appends the length of a text and the text.
func AppendString(b []byte, s string) []byte {
	return append(AppendUint(b, uint64(len(s))), s...)
}

// A Writer encodes values and holds the bytes written so far.
type Writer []byte

// Byte writes one byte.
func (w *Writer) Byte(x byte) { *w = append(*w, x) }

// Bool writes 1 for true and 0 for false.
func (w *Writer) Bool(x bool) {
	b := byte(0)
	if x {
		b = 1
	}
	*w = append(*w, b)
}

// Uint writes a number of variable length.
func (w *Writer) Uint(x uint64) { *w = AppendUint(*w, x) }

// Int writes a signed number of variable length.
func (w *Writer) Int(x int64) { *w = AppendInt(*w, x) }

// Count writes how many things follow.
func (w *Writer) Count(n int) { *w = AppendUint(*w, uint64(n)) }

// Word writes eight bytes.
func (w *Writer) Word(x uint64) { *w = AppendWord(*w, x) }

// Float writes the eight bytes of a float64.
func (w *Writer) Float(x float64) { *w = AppendWord(*w, math.Float64bits(x)) }

// Digest writes the sixteen bytes of a digest.
func (w *Writer) Digest(d [2]uint64) { *w = AppendWord(AppendWord(*w, d[0]), d[1]) }

// Text writes a text with its length.
func (w *Writer) Text(s string) { *w = AppendString(*w, s) }

// Bytes writes bytes with their length.
func (w *Writer) Bytes(b []byte) { *w = append(AppendUint(*w, uint64(len(b))), b...) }

// Texts writes a list of texts.
func (w *Writer) Texts(list []string) {
	w.Count(len(list))
	for _, s := range list {
		w.Text(s)
	}
}

// Numbers writes a list of numbers.
func (w *Writer) Numbers(list []uint64) {
	w.Count(len(list))
	for _, x := range list {
		w.Uint(x)
	}
}
