package fleet

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A run is there as long as its client answers, whom workers ask over the server: one that was killed can't say that it
// needs nothing any more.

// Asked in vain so often, a client is believed gone: one of a task that is being done, which is asked every two beats,
// and one of a task that would begin, which is asked every beat.
const (
	mostSilent  = 15
	mostUnheard = 5
)

// answerFor answers workers that ask whether a run is still there.
func (l *link) answerFor(run string) error {
	_, err := l.nats.Subscribe(runSubject+"."+run, func(m *nats.Msg) { _ = m.Respond(nil) })
	return err
}

// validRun reports whether a text can be a run, which is a part of names of subjects.
func validRun(run string) bool {
	return run != "" && len(run) <= 64 && strings.Trim(run, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// An answer is what came of asking a client.
type answer int

const (
	unknown answer = iota // the server is away, or who asks leaves, so that the client can't be asked
	present
	silent // the server is there, and the client is not
)

// ask asks the client of a run whether it is there.
func (l *link) ask(ctx context.Context, run string) answer {
	asked, cancel := context.WithTimeout(ctx, beat)
	defer cancel()
	_, err := l.nats.RequestWithContext(asked, runSubject+"."+run, nil)
	switch {
	case err == nil:
		return present
	case ctx.Err() != nil: // who asks leaves
		return unknown
	case errors.Is(err, nats.ErrNoResponders), l.nats.FlushTimeout(beat) == nil:
		return silent
	}
	return unknown
}

// hold tells the server again and again that the task of a message is being done, until stop is called. A task whose
// client does not answer any more is withdrawn.
func (w *Worker) hold(ctx context.Context, m jetstream.Msg, t *task) (stop func()) {
	ctx, stop = context.WithCancel(ctx)
	ticker := time.NewTicker(2 * beat)
	go func() {
		defer ticker.Stop()
		for asked := 0; ; {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			_ = m.InProgress()
			switch w.ask(ctx, t.Run) {
			case present:
				asked = 0
				w.heard(t.Run, time.Now())
			case silent:
				asked++
			}
			if asked >= w.silent && ctx.Err() == nil {
				w.Log("task %s is left: nobody waits for it any more", t.ID)
				w.heard(t.Run, time.Time{})
				w.withdraw(t.ID)
			}
		}
	}()
	return stop
}

// mostRuns is how many runs a worker remembers.
const mostRuns = 1000

// heard notes whether a client is there. The zero time: it is not.
func (w *Worker) heard(run string, at time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.runs) >= mostRuns {
		clear(w.runs)
	}
	w.runs[run] = at
}

// wanted reports whether a task of a run may begin: its client was heard of lately, or is. A server that was started
// again may have its workers back before its clients, so one that is not known to be gone is waited for.
func (w *Worker) wanted(ctx context.Context, run string) bool {
	w.mu.Lock()
	last, known := w.runs[run]
	w.mu.Unlock()
	switch {
	case known && !last.IsZero() && time.Since(last) < gone:
		return true
	case known && last.IsZero():
		return w.present(ctx, run)
	}
	for range mostUnheard {
		if w.present(ctx, run) {
			return true
		}
		w.pause(ctx)
	}
	if ctx.Err() == nil {
		w.heard(run, time.Time{})
	}
	return false
}

// present asks the client of a run, and reports whether it is there as far as anybody knows.
func (w *Worker) present(ctx context.Context, run string) bool {
	switch w.ask(ctx, run) {
	case silent:
		return false
	case present:
		w.heard(run, time.Now())
	}
	return true
}
