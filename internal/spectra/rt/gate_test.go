package rt

import (
	"runtime"
	"sync"
	"testing"
)

// TestThreads: probes of several threads at a time are recorded one after the other.
func TestThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const callers, calls, limit = 4, 5_000, 8 << 20
	points := make([]Point, 1)
	Register(Package{Path: "threads", Points: points})
	var tally Tally
	defer Count(recorder.tally)
	Count(&tally)
	Begin(make([]byte, limit+1<<12), limit, false, 1<<40)
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			text := "some text"
			for range calls {
				f := Enter(&points[0], &text)
				f.Exit(&text)
			}
		})
	}
	all.Wait()
	if _, full := End(); full || tally.States != 2*callers*calls {
		t.Errorf("%d states of %d calls, full %v", tally.States, callers*calls, full)
	}
}
