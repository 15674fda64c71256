package replay

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// TestClock checks that a stage which begins again continues, that time between stages counts for one of them, and that
// work counts for the stage in which it is done.
func TestClock(t *testing.T) {
	c := newClock()
	defer c.stop()
	e := &Workers{clock: c}
	e.Stage("idle")
	e.Stage("busy")
	held := bytes.Repeat([]byte{1}, 64<<20)
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("nothing is known of processes here")
	}
	const work = 60 * time.Millisecond
	for start := sandbox.ProcessorTime(); sandbox.ProcessorTime()-start < work; {
		held[0]++
	}
	e.Stage("idle")
	list := e.Stages()
	if len(list) != 2 || list[0].Name != "idle" || list[1].Name != "busy" {
		t.Fatalf("got %+v, want idle and busy", list)
	}
	if busy := list[1]; busy.CPU < work || busy.Elapsed <= 0 || busy.Peak < int64(len(held)) {
		t.Errorf("%v of work on %d bytes: got %+v", work, len(held), busy)
	}
}

// TestNoClock checks that workers without a clock measure nothing.
func TestNoClock(t *testing.T) {
	e := new(Workers)
	e.Stage("any")
	if list := e.Stages(); list != nil {
		t.Errorf("got %v, want nothing", list)
	}
}
