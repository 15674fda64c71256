package rt

import (
	"runtime"
	"sync"
	"testing"
)

// TestThreads: of probes on several threads at a time one is at work.
func TestThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const callers, calls = 8, 500_000
	var busy gate
	var all sync.WaitGroup
	count := 0
	for range callers {
		all.Go(func() {
			for range calls {
				busy.lock()
				count++
				busy.unlock()
			}
		})
	}
	all.Wait()
	if count != callers*calls {
		t.Errorf("%d of %d calls counted", count, callers*calls)
	}
}
