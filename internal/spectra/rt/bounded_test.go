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

// TestScarceNodes: a function that is handed something huge again and again leaves nodes to the states of others, and a
// recording whose nodes are spent goes on without states.
func TestScarceNodes(t *testing.T) {
	const nodes = 200_000
	points := make([]Point, 2)
	Register(Package{Path: "scarce", Points: points})
	defer Configure(Config{})
	Configure(Config{})
	huge, small := make([]*int, 10_000), 1
	for i := range huge {
		huge[i] = new(int)
	}
	var tally Tally
	Count(&tally)
	defer Count(new(Tally))
	const limit = 1 << 20
	Begin(make([]byte, limit+1<<12), limit, false, nodes)
	truncated := func(p *Point, in any) uint64 {
		before := tally.Truncated
		f := Enter(p, in)
		f.Exit(in)
		return tally.Truncated - before
	}
	lost, calls := uint64(0), 40
	for range calls {
		lost += truncated(&points[0], &huge)
		if n := truncated(&points[1], &small); n > 0 {
			t.Fatalf("%d states of a function with small ones were not walked", n)
		}
	}
	if lost == 0 || lost == uint64(2*calls) {
		t.Errorf("%d of %d huge states were not walked, want some", lost, 2*calls)
	}
	if _, full := End(); full || Visited(nodes) > nodes {
		t.Errorf("full %v, %d nodes visited of %d", full, Visited(nodes), nodes)
	}
}
