package rt

import (
	"bytes"
	"os"
	"runtime"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TestEventsAreBounded: a recording takes the memory it was given, however many events there are, and
// reports that some are missing.
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

// TestMark: the goroutine that runs the statements is named before the first one.
func TestMark(t *testing.T) {
	buffer := make([]byte, 1<<12)
	Begin(buffer, 1<<11, false, 1<<20)
	Mark(0)
	Mark(1)
	events, full := End()
	if full || len(events) < 6 || events[0] != wire.EventGoroutine {
		t.Fatalf("events %v (full %v) do not begin with a goroutine", events, full)
	}
	if end := events[len(events)-4:]; !bytes.Equal(end, []byte{wire.EventStep, 0, wire.EventStep, 1}) {
		t.Errorf("events end with %v, want two steps of the same goroutine", end)
	}
}

// TestSomeValued: where some functions keep the values of their states, others have digests, and there is room for
// digests when there is none for values.
func TestSomeValued(t *testing.T) {
	points := make([]Point, 2)
	Register(Package{Path: "valued", Points: points})
	defer Configure(Config{})
	Configure(Config{Valued: true, Points: []PointConfig{{Package: "valued", Index: 1, Valued: true}}})
	const limit = 1 << 12
	Begin(make([]byte, limit+1<<12), limit, true, 1<<40)
	text := string(bytes.Repeat([]byte("value"), 40))
	for range 20 {
		for i := range points {
			f := Enter(&points[i], &text)
			f.Exit(&text)
		}
	}
	events, full := End()
	kept := bytes.Count(events, []byte(text))
	if full || kept < 10 || kept >= 40 || len(events) > limit {
		t.Errorf("%d bytes of events, %d states have their values, full %v", len(events), kept, full)
	}
}
