package spectra

import (
	"encoding/binary"
	"errors"
	"runtime"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// forged returns streams of more than size bytes, each of which consists of the smallest things of one kind.
func forged(size int) map[string][]byte {
	repeat := func(start []byte, next func(i uint64) []byte) []byte {
		for i := uint64(1); len(start) < size; i++ {
			start = append(start, next(i)...)
		}
		return start
	}
	numbered := func(kind byte, rest ...byte) func(uint64) []byte {
		return func(i uint64) []byte { return append(binary.AppendUvarint([]byte{kind}, i), rest...) }
	}
	state := make([]byte, 17)
	list := binary.AppendUvarint([]byte{0, wire.ValueArray}, uint64(size))
	shared := []byte{0}
	for i := range size {
		list = append(list, wire.ValueNil)
		shared = append(shared, [...]byte{wire.ValueOverlap, 1, 0}[i%3])
	}
	named := repeat(nil, func(i uint64) []byte {
		return append([]byte{0, wire.ValueOpaque, 4}, byte(i), byte(i>>8), byte(i>>16), 'T')
	})
	line := append(new(stream).on(0, 0).step(0).b, wire.EventGo, 1)
	return map[string][]byte{
		"goroutines, each started by the last": repeat(line, func(i uint64) []byte {
			next := append(binary.AppendUvarint([]byte{wire.EventGoroutine}, i), 0)
			return binary.AppendUvarint(append(binary.AppendUvarint(next, i), wire.EventGo), i+1)
		}),
		"executions": repeat([]byte{wire.EventStep, 0}, func(uint64) []byte {
			return append([]byte{wire.EventEnter, 1}, state...)
		}),
		"steps":                 repeat(nil, func(uint64) []byte { return []byte{wire.EventStep, 0} }),
		"goroutines":            repeat(nil, numbered(wire.EventGoroutine, 0, 0)),
		"children":              repeat([]byte{wire.EventGoroutine, 0, 0, 0}, numbered(wire.EventGoroutine, 1, 0)),
		"tickets":               repeat(nil, numbered(wire.EventGo)),
		"starts":                repeat(nil, func(uint64) []byte { return []byte{wire.EventGo, 0} }),
		"left":                  repeat(nil, numbered(wire.EventLeft, 0, 0, 0, 0)),
		"values":                new(stream).step(0).enter(1, list...).b,
		"memory that is shared": new(stream).step(0).enter(1, shared...).b,
		"names of types":        new(stream).step(0).enter(1, named...).b,
	}
}

// TestMemory: however small the things are that a recording holds, what is made of it is bounded.
func TestMemory(t *testing.T) {
	const size = 12 << 20
	for kind, in := range forged(size) {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		events, err := Decode(in, testNaming)
		runtime.GC()
		runtime.ReadMemStats(&after)
		if live := int64(after.HeapAlloc) - int64(before.HeapAlloc); live > 250*MaxNodes {
			t.Errorf("%s: %d bytes of memory for %d bytes", kind, live, len(in))
		}
		if total := after.TotalAlloc - before.TotalAlloc; total > 600*MaxNodes {
			t.Errorf("%s: %d bytes were allocated for %d bytes", kind, total, len(in))
		}
		if !errors.Is(err, ErrLarge) {
			t.Errorf("%s: error %v, want that there are too many", kind, err)
		}
		runtime.KeepAlive(events)
	}
}
