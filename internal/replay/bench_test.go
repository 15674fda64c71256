package replay

import (
	"math/rand"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// recording returns a stream of some ten thousand events.
func recording() []byte {
	r := rand.New(rand.NewSource(1))
	root := task{}
	for range 2000 {
		root.calls = append(root.calls, randomTask(r, 3))
	}
	return record(root, r)
}

// BenchmarkTrace digests a recording, as is done for every sequence on both versions.
func BenchmarkTrace(b *testing.B) {
	stream := recording()
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	for b.Loop() {
		p := &Played{}
		p.trace(stream, len(points), func(point uint32) (uint32, bool) { return point, true })
		if !p.traced {
			b.Fatal("malformed stream")
		}
	}
}

// BenchmarkDecode decodes the same recording into call trees, as is done only for different digests.
func BenchmarkDecode(b *testing.B) {
	stream := recording()
	naming := spectra.Naming{Point: func(id uint32) *spectra.Point { return points[id] }}
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := spectra.Decode(stream, naming); err != nil {
			b.Fatal(err)
		}
	}
}
