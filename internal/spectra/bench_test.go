package spectra

import (
	"encoding/binary"
	"testing"
)

// BenchmarkDecodeSlots decodes the state of a slice of structs with texts, numbers and pointers.
func BenchmarkDecodeSlots(b *testing.B) {
	const length = 1000
	text := func(data []byte, s string) []byte { return append(append(data, byte(len(s))), s...) }
	data := binary.AppendUvarint([]byte{0, 'S', 1}, length)
	for i := range length {
		data = text(append(data, '{'), "example.com/m.T")
		data = append(text(append(data, 3), "name"), 's')
		data = append(text(text(data, "some text"), "n"), 'i')
		data = append(text(binary.AppendVarint(data, int64(i)), "next"), '*')
		data = binary.AppendVarint(append(binary.AppendUvarint(data, uint64(i+2)), 'i'), 7)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodeSlots(data, new(Budget(MaxNodes)), func(int) string { return "x" }); err != nil {
			b.Fatal(err)
		}
	}
}
