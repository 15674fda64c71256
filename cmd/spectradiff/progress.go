package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spectradiff/spectradiff/internal/report/text"
)

const (
	liveInterval  = 100 * time.Millisecond
	plainInterval = 10 * time.Second
)

// A progress is safe for use by several goroutines. On a terminal it shows one line that changes. Elsewhere it writes
// one line at the beginning of each stage, and one every few seconds.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	live  bool // the line can be overwritten
	width int
	now   func() time.Time

	began time.Time
	limit time.Duration // for the whole run; 0: none

	stage string
	last  time.Time // of the last line
	shown bool      // a live line is on the terminal
}

func newProgress(w io.Writer, limit time.Duration) *progress {
	width := terminalWidth(w)
	return &progress{w: w, live: width > 0, width: width, now: time.Now, began: time.Now(), limit: limit}
}

// update is the function for Progress.
func (p *progress) update(stage string, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	interval := plainInterval
	if p.live {
		interval = liveInterval
	}
	if stage == p.stage && now.Sub(p.last) < interval {
		return
	}
	p.stage, p.last = stage, now
	text := stageText(stage, done, total)
	if !p.live {
		fmt.Fprintln(p.w, text)
		return
	}
	if timed := text + p.timed(now); len(timed) < p.width {
		text = timed
	}
	if len(text) >= p.width {
		text = text[:p.width-1]
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", text)
	p.shown = true
}

// timed says how long the run has taken, and how long it may take at most from now on.
func (p *progress) timed(now time.Time) string {
	taken := now.Sub(p.began).Round(time.Second)
	if p.limit == 0 {
		return fmt.Sprintf(" (%v)", taken)
	}
	return fmt.Sprintf(" (%v, at most %v left)", taken, max(0, p.limit-taken).Round(time.Second))
}

func stageText(stage string, done, total int) string {
	switch {
	case total > 0:
		return fmt.Sprintf("%s: %d of %d", stage, done, total)
	case done > 0:
		return fmt.Sprintf("%s: %d", stage, done)
	}
	return stage
}

// log is the function for Log.
func (p *progress) log(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	fmt.Fprintln(p.w, text.Printable(fmt.Sprintf(format, args...)))
}

// end removes the live line.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
