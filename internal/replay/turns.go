package replay

import (
	"context"
	"sync"
)

// turns hands out the numbers of workers. Those below jobs play here. There are more of them while hands offer slots.
type turns struct {
	hands Hands
	jobs  int

	mu       sync.Mutex
	back     *sync.Cond
	here     []int // free, the next one last
	away     []int // likewise, of the hands; not more than are in use were ever needed
	used     int   // of the hands
	made     int   // numbers that exist
	borrowed int   // plays of hands that wait for one here
	over     bool  // no further piece begins
}

// turnKey is the key of a context for the turn of its piece.
type turnKey struct{}

// A turn is what a piece has: its worker.
type turn struct {
	of     *turns
	worker int
}

// spareWorker returns a worker of this machine that no piece will need, until give is called.
func spareWorker(ctx context.Context) (worker int, give func(), ok bool) {
	own, _ := ctx.Value(turnKey{}).(turn)
	t := own.of
	if t == nil {
		return 0, nil, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.over || len(t.here) == 0 || t.borrowed > 0 {
		return 0, nil, false
	}
	worker = pop(&t.here)
	return worker, func() { t.give(worker) }, true
}

// borrowWorker waits for a worker of this machine, until give is called, before those pieces that have not begun. A
// piece that has one uses that: whoever has one never waits for another.
func borrowWorker(ctx context.Context) (worker int, give func(), err error) {
	own, ok := ctx.Value(turnKey{}).(turn)
	t := own.of
	if !ok || own.worker < t.jobs {
		return own.worker, func() {}, nil
	}
	defer context.AfterFunc(ctx, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.back.Broadcast()
	})()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.borrowed++
	defer func() { t.borrowed--; t.back.Broadcast() }()
	for len(t.here) == 0 {
		if ctx.Err() != nil {
			return 0, nil, ctx.Err()
		}
		t.back.Wait()
	}
	worker = pop(&t.here)
	return worker, func() { t.give(worker) }, nil
}

func (w *Workers) newTurns(hands Hands) *turns {
	t := &turns{hands: hands, jobs: max(w.Jobs, 1)}
	t.back = sync.NewCond(&t.mu)
	for worker := range t.jobs {
		t.here = append(t.here, t.jobs-1-worker)
	}
	t.made = t.jobs
	return t
}

// take waits for a free worker and returns its number, if it can that of one here. After the last one no piece begins.
func (t *turns) take(last bool) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer func() { t.over = last }()
	for ; ; t.back.Wait() {
		switch {
		case len(t.here) > 0 && t.borrowed == 0:
			return pop(&t.here)
		case t.hands != nil && t.used < t.hands.Slots():
			t.used++
			if len(t.away) > 0 {
				return pop(&t.away)
			}
			t.made++
			return t.made - 1
		}
	}
}

func pop(list *[]int) int {
	last := len(*list) - 1
	x := (*list)[last]
	*list = (*list)[:last]
	return x
}

// give returns a worker.
func (t *turns) give(worker int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if worker < t.jobs {
		t.here = append(t.here, worker)
	} else {
		t.away, t.used = append(t.away, worker), t.used-1
	}
	t.back.Broadcast()
}
