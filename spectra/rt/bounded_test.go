package rt

import (
	"os"
	"runtime"
	"testing"
)

// TestEventsAreBounded: a recording takes the memory it was given, however many events there are, and
// says that some are missing.
func TestEventsAreBounded(t *testing.T) {
	count := 100_000
	if os.Getenv("SPECTRADIFF_LONG") != "" {
		count = 20_000_000
	}
	points := make([]Point, 1)
	Register(Package{Path: "bounded", Points: points})
	for _, values := range []bool{false, true} {
		const limit = 1 << 18
		buffer := make([]byte, limit+1<<12)
		Begin(buffer, limit, values, 1<<40)
		Mark(0)
		before := allocated()
		text := "some text"
		for range count {
			f := Enter(&points[0], &text)
			f.Exit(&text)
		}
		after := allocated()
		events, full := End()
		if !full || len(events) > len(buffer) || &events[0] != &buffer[0] {
			t.Errorf("values %v: %d bytes of events in %d, full %v", values, len(events), len(buffer), full)
		}
		if after > before+1<<20 {
			t.Errorf("values %v: %d bytes of memory more after %d calls", values, after-before, count)
		}
	}
}

func allocated() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
