package fleet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Share is what one worker did of a run.
type Share struct {
	Worker string
	Tasks  int
	Busy   time.Duration // with them, slots added up
}

// Shares returns what each worker did, in the order of their names, how many tasks none managed, and how many were
// tried more than once, because a worker left, was lost or lacked something, or because the server lost them.
func (c *Client) Shares() (list []Share, redone, retried int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.workers {
		if w.tasks > 0 {
			list = append(list, Share{w.Host, w.tasks, w.busy})
		}
	}
	slices.SortFunc(list, func(a, b Share) int {
		return cmp.Or(strings.Compare(a.Worker, b.Worker), cmp.Compare(b.Tasks, a.Tasks))
	})
	return list, c.redone, c.retried
}

// A Status says what the workers do at the moment.
type Status struct{ Workers, Waiting, Running, Done, Retried, Redone int }

// String returns it as the end of a line; "" without workers.
func (s Status) String() string {
	if s.Workers == 0 {
		return ""
	}
	text := fmt.Sprintf(" (%d workers: %d waiting, %d running, %d done", s.Workers, s.Waiting, s.Running, s.Done)
	if s.Workers == 1 {
		text = strings.Replace(text, "workers", "worker", 1)
	}
	if s.Retried > 0 {
		text += fmt.Sprintf(", %d retried", s.Retried)
	}
	if s.Redone > 0 {
		text += fmt.Sprintf(", %d done here instead", s.Redone)
	}
	return text + ")"
}

// Status returns what the workers do at the moment.
func (c *Client) Status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := Status{Retried: c.retried, Redone: c.redone}
	for _, w := range c.workers {
		if s.Done += w.tasks; !w.refused && w.Slots > 0 && time.Since(w.heard) < gone {
			s.Workers++
		}
	}
	for _, of := range c.waiting {
		if of.worker == "" {
			s.Waiting++
		} else {
			s.Running++
		}
	}
	return s
}
