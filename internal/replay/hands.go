package replay

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Hands are other machines, which do tasks. Their methods may be called from several goroutines.
type Hands interface {
	// Slots returns how many tasks they can do at the same time now.
	Slots() int

	// Do does a task, and hands what the drivers gave to a function, whose error says that it is no result. If Do
	// fails, somebody else must do the task.
	Do(ctx context.Context, t *Task, read func(replies []byte) error) error
}

// A handed is a player that has other machines play, and plays here what they don't manage.
type handed struct {
	*Player
	workers *Workers
}

// errClock is the error for what is decided by how fast another machine is, how much it has to do, or how much memory.
var errClock = errors.New("a limit ended it on the worker, which may be slower than this machine or have less memory")

// Play plays the sequences elsewhere.
func (h handed) Play(
	ctx context.Context, sequences []sequence.Sequence, mode wire.Mode, seed uint64,
) ([]Played, error) {
	before, stop := h.untilOver(ctx)
	defer stop()
	var played []Played
	err := h.workers.Hands.Do(before, h.Task(sequences, mode, seed), func(replies []byte) (err error) {
		played, err = h.Read(replies, sequences, mode)
		return err
	})
	if err == nil && slices.ContainsFunc(played, func(p Played) bool { return p.Clock != "" }) {
		err = errClock
	}
	switch {
	case err == nil:
		return played, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case before.Err() != nil: // as Player.Play, which then plays no more
		return nil, nil
	}
	h.workers.Detailf("played here, because %v", err)
	return h.Player.Play(ctx, sequences, mode, seed)
}

// overLook is the time between two looks at whether the time of the run is over.
const overLook = 50 * time.Millisecond

// untilOver returns a context that also ends when the time of the run is over.
func (h handed) untilOver(ctx context.Context) (context.Context, func()) {
	before, cancel := context.WithCancel(ctx)
	if h.Over == nil {
		return before, cancel
	}
	go func() {
		ticker := time.NewTicker(overLook)
		defer ticker.Stop()
		for before.Err() == nil && !h.Over() {
			select {
			case <-before.Done():
			case <-ticker.C:
			}
		}
		cancel()
	}()
	return before, cancel
}

// turns hands out the numbers of workers. Those below jobs play here. There are more of them while hands offer slots.
type turns struct {
	hands Hands
	jobs  int

	mu   sync.Mutex
	back *sync.Cond
	here []int // free, the next one last
	away []int // likewise, of the hands; not more than are in use were ever needed
	used int   // of the hands
	made int   // numbers that exist
	over bool  // no further piece begins
}

// turnsKey is the key of a context for the turns of its piece.
type turnsKey struct{}

// spareWorker returns a worker of this machine that no piece will need, until give is called.
func spareWorker(ctx context.Context) (worker int, give func(), ok bool) {
	t, _ := ctx.Value(turnsKey{}).(*turns)
	if t == nil {
		return 0, nil, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.over || len(t.here) == 0 {
		return 0, nil, false
	}
	worker = pop(&t.here)
	return worker, func() { t.give(worker) }, true
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
		case len(t.here) > 0:
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
	t.back.Signal()
}
