package replay

import (
	"os"
	"sync"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// A Stage holds the cost of one stage of the run.
type Stage struct {
	Name    string
	Elapsed time.Duration
	CPU     time.Duration // of all processes, in hundredths of a second

	// Peak is the largest memory of the tool in bytes, Started that of all processes below it: drivers and go commands.
	// Both are sampled four times a second.
	Peak, Started int64
}

const betweenLooks = 250 * time.Millisecond

// A clock measures one stage after the other. A stage that begins again continues its earlier measurement.
type clock struct {
	mu     sync.Mutex
	stages []Stage
	now    int // index of the current stage; -1 before the first
	since  time.Time
	spent  time.Duration // processor time of all processes when it was last added
	spans  current

	end, ended chan struct{}
}

func newClock() *clock {
	c := &clock{now: -1, end: make(chan struct{}), ended: make(chan struct{})}
	go c.watch()
	return c
}

// watch samples memory until the clock is stopped.
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

// look samples memory once.
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

// begin ends the current stage and begins another.
func (c *clock) begin(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pause()
	c.spans.begin(name)
	for i := range c.stages {
		if c.stages[i].Name == name {
			c.now = i
			return
		}
	}
	c.now = len(c.stages)
	c.stages = append(c.stages, Stage{Name: name})
}

// pause adds the time since the last pause to the current stage.
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
	c.spans.end()
}

// Measure starts the stage clock. Without it, Stage and Stages do nothing.
func (w *Workers) Measure() { w.clock = newClock() }

// StopMeasuring stops the clock that Measure started.
func (w *Workers) StopMeasuring() { w.clock.stop() }

// Stage begins a stage of the run and ends the stage before.
func (w *Workers) Stage(name string) {
	if w.clock != nil {
		w.clock.begin(name)
	}
}

// CurrentStage returns the name of the stage that runs, "" before the first one.
func (w *Workers) CurrentStage() string {
	if w.clock == nil {
		return ""
	}
	w.clock.mu.Lock()
	defer w.clock.mu.Unlock()
	if w.clock.now < 0 {
		return ""
	}
	return w.clock.stages[w.clock.now].Name
}

// Stages returns the cost of all stages so far, in the order of their first beginning.
func (w *Workers) Stages() []Stage {
	if w.clock == nil {
		return nil
	}
	w.clock.mu.Lock()
	defer w.clock.mu.Unlock()
	w.clock.pause()
	return append([]Stage(nil), w.clock.stages...)
}
