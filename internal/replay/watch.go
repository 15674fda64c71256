package replay

import (
	"context"
	"fmt"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// pause is the time between two looks at a driver's use of the processor.
const pause = 50 * time.Millisecond

// starved is the multiple of Limits.Time for which a driver that wants a processor may be silent.
const starved = 20

// A silence is the error for a driver that did not answer in time.
type silence struct {
	Clock
	text string // the limit that was exceeded; "": none
}

func (s silence) Error() string { return s.text }

// A watched is the process of a driver as a watch sees it.
type watched interface {
	Usage() (sandbox.Usage, bool)
	Done() <-chan struct{}
	Wait() sandbox.Exit
	Kill()
}

// A watch looks at a driver regularly while one reaction of it is expected: an answer, a read, or its end.
type watch struct {
	limits  *Limits
	process watched
	now     func() time.Time
	start   time.Time
	look    time.Time     // when to look again
	looked  time.Time     // when it was looked at last
	busy    time.Duration // time that it ran or waited for a processor
	moved   bool          // bytes passed through a pipe since the last look
	seen    bool          // the usage was known at the last look
	first   time.Duration // processor time at the first look
	last    sandbox.Usage
	idle    time.Duration
}

func newWatch(limits *Limits, process watched, now func() time.Time) *watch {
	start := now()
	return &watch{limits: limits, process: process, now: now, start: start, looked: start, look: start.Add(pause)}
}

// wait returns the time of the next look. The caller may wait for the driver until then. It returns an error if a limit
// is exceeded or the context has ended.
func (w *watch) wait(ctx context.Context) (time.Time, error) {
	if err := ctx.Err(); err != nil {
		return time.Time{}, err
	}
	if now := w.now(); !now.Before(w.look) {
		if over := w.over(now); over.text != "" {
			return time.Time{}, over
		}
		w.look = now.Add(pause)
	}
	return w.look, nil
}

// over looks at the driver and returns the exceeded limit, with an empty text if there is none.
func (w *watch) over(now time.Time) silence {
	u, ok := w.process.Usage()
	if ok && u.Busy { // it wants a processor and may have to wait for it, so processor time decides
		w.busy += now.Sub(w.looked)
	}
	w.looked = now
	if all := now.Sub(w.start); all-w.busy > w.limits.Time || all > starved*w.limits.Time {
		return silence{Wall, fmt.Sprintf("no answer within %v", w.limits.Time)}
	}
	if !ok {
		return silence{}
	}
	if !w.seen {
		w.seen, w.first, w.last = true, u.CPU, u
		return silence{}
	}
	w.idle += pause
	if u.Busy || u.CPU != w.last.CPU || w.moved {
		w.idle = 0
	}
	w.last, w.moved = u, false
	switch {
	case u.CPU-w.first > w.limits.CPU:
		return silence{Processor, fmt.Sprintf("no answer within %v of processor time", w.limits.CPU)}
	case w.idle >= w.limits.Idle:
		return silence{Waiting, fmt.Sprintf("waits for something outside for more than %v", w.limits.Idle)}
	}
	return silence{}
}
