package rt

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// TestThreads: of probes on several threads at a time one is at work.
func TestThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const callers, calls, work = 4, 150_000, 100
	var busy gate
	var all sync.WaitGroup
	var there atomic.Int32
	count := 0
	for range callers {
		all.Go(func() {
			for there.Add(1); there.Load() < callers; {
				runtime.Gosched()
			}
			for range calls {
				busy.lock()
				for range work {
					count++
				}
				busy.unlock()
			}
		})
	}
	all.Wait()
	if count != callers*calls*work {
		t.Errorf("%d of %d counted", count, callers*calls*work)
	}
}
