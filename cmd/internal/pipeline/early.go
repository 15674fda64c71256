package pipeline

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/internal/report"
)

// A run that ends early has reportTime to print a report, endTime of it to finish what it is at, or computing where
// nothing plays.
const (
	reportTime = 3 * time.Second
	endTime    = 1500 * time.Millisecond
	computing  = 300 * time.Millisecond
)

// ErrEarly says that a run was cancelled because it had to end early; as the error of a run, before anything was known.
var ErrEarly = errors.New("the run ended early")

// early ends a run early: nothing more is played, and after endTime all that runs is cancelled.
type early struct {
	mu      sync.Mutex
	partial *report.Partial // nil: the run does not end early
	done    chan struct{}   // closed when the run is over
	ended   chan struct{}   // closed when nobody watches any more
	cancel  context.CancelCauseFunc
	playing atomic.Bool // the stage is one that ends by itself when nothing more may be played
}

// watch returns a context for a run that ends when its time is over, or when end is closed.
func watch(
	ctx context.Context, e *env.Environment, timeout time.Duration, end <-chan struct{},
) (context.Context, *early) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &early{done: make(chan struct{}), ended: make(chan struct{}), cancel: cancel}
	var over <-chan time.Time
	if timeout > 0 {
		over = time.After(max(timeout-reportTime, 0))
	}
	go func() {
		defer close(w.ended)
		reason, stop := report.Interrupted, e.Interrupt
		select {
		case <-w.done:
			return
		case <-end:
		case <-over:
			reason, stop = report.TimedOut, e.End
		}
		w.mu.Lock()
		w.partial = &report.Partial{Reason: reason, Stage: e.CurrentStage()}
		w.mu.Unlock()
		stop()
		wait := endTime
		if !w.playing.Load() {
			wait = 0
		}
		select {
		case <-w.done:
		case <-time.After(wait):
			cancel(ErrEarly)
		}
	}()
	return ctx, w
}

// plays says that from now on the stages end by themselves when nothing more may be played.
func (w *early) plays() {
	if w != nil {
		w.playing.Store(true)
	}
}

// stop ends the watch, and whatever still has its context.
func (w *early) stop() {
	w.unwatch()
	w.cancel(nil)
}

// unwatch ends the watch. Whether the run ended early is decided then. What has its context may go on.
func (w *early) unwatch() {
	close(w.done)
	<-w.ended
}

// partly returns why and where the run ended early, nil if it did not.
func (w *early) partly() *report.Partial {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.partial == nil {
		return nil
	}
	of := *w.partial
	return &of
}
