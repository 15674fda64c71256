package replay

import (
	"os"
	"sync"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// A Stage is what a stage of the run took.
type Stage struct {
	Name    string
	Elapsed time.Duration
	CPU     time.Duration // of all processes, in hundredths of a second

	// Peak is the most memory in bytes that the tool had at once, Started that of all that it started: drivers and go
	// commands. Both are looked at ten times a second.
	Peak, Started int64
}

const betweenLooks = 100 * time.Millisecond

// A clock measures one stage after the other. A stage that begins again goes on.
type clock struct {
	mu     sync.Mutex
	stages []Stage
	now    int // index of the stage that is under way; -1 before the first
	since  time.Time
	spent  time.Duration // processor time of all processes when it began

	end, ended chan struct{}
}

func newClock() *clock {
	c := &clock{now: -1, end: make(chan struct{}), ended: make(chan struct{})}
	go c.watch()
	return c
}

// watch looks at the memory until the clock is stopped.
func (c *clock) watch() {
	defer close(c.ended)
	ticker := time.NewTicker(betweenLooks)
	defer ticker.Stop()
	for {
		select {
		case <-c.end:
			return
		case <-ticker.C:
			c.mu.Lock()
			c.look()
			c.mu.Unlock()
		}
	}
}

// look notes the memory that is used now.
func (c *clock) look() {
	if c.now < 0 {
		return
	}
	own, started := sandbox.UseOf(os.Getpid()).Memory, int64(0)
	for _, pid := range sandbox.ProcessesBelow(os.Getpid()) {
		started += sandbox.UseOf(pid).Memory
	}
	s := &c.stages[c.now]
	s.Peak, s.Started = max(s.Peak, own), max(s.Started, started)
}

// begin ends the stage that is under way and begins another.
func (c *clock) begin(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pause()
	for i := range c.stages {
		if c.stages[i].Name == name {
			c.now = i
			return
		}
	}
	c.now = len(c.stages)
	c.stages = append(c.stages, Stage{Name: name})
}

// pause adds what the stage has taken up to now.
func (c *clock) pause() {
	since, spent := c.since, c.spent
	c.since, c.spent = time.Now(), sandbox.ProcessorTime()
	if c.now >= 0 {
		c.look()
		s := &c.stages[c.now]
		s.Elapsed += c.since.Sub(since)
		s.CPU += max(c.spent-spent, 0)
	}
}

func (c *clock) stop() {
	close(c.end)
	<-c.ended
}

// Measure begins to measure stages, until StopMeasuring.
func (w *Workers) Measure() { w.clock = newClock() }

// StopMeasuring ends what Measure began.
func (w *Workers) StopMeasuring() { w.clock.stop() }

// Stage begins a stage of the run. It ends when the next one begins.
func (w *Workers) Stage(name string) {
	if w.clock != nil {
		w.clock.begin(name)
	}
}

// Stages returns what the stages have taken up to now, in the order in which they began.
func (w *Workers) Stages() []Stage {
	if w.clock == nil {
		return nil
	}
	w.clock.mu.Lock()
	defer w.clock.mu.Unlock()
	w.clock.pause()
	return append([]Stage(nil), w.clock.stages...)
}
