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

// An Account is what the workers of a Client did. That of no client is empty.
type Account struct {
	Shares  []Share // by the names of the workers
	Redone  int     // tasks that no worker managed, or whose results are not used
	Retried int     // tried more than once: a worker left, was lost or lacked something, or the server lost them
}

// Account returns what the workers did so far.
func (c *Client) Account() Account {
	if c == nil {
		return Account{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	a := Account{Redone: c.redone, Retried: c.retried}
	for _, w := range c.workers {
		if w.tasks > 0 {
			a.Shares = append(a.Shares, Share{w.Host, w.tasks, w.busy})
		}
	}
	slices.SortFunc(a.Shares, func(a, b Share) int {
		return cmp.Or(strings.Compare(a.Worker, b.Worker), cmp.Compare(b.Tasks, a.Tasks))
	})
	return a
}

// Tell says it, a line for each worker. What a task is called is said by what.
func (a Account) Tell(logf func(format string, args ...any), what string) {
	for _, s := range a.Shares {
		logf("worker %s did %d %s in %.1f s", s.Worker, s.Tasks, what, s.Busy.Seconds())
	}
	if a.Redone > 0 {
		logf("%d %s were done here, because no worker managed them as this machine does", a.Redone, what)
	}
	if a.Retried > 0 {
		logf("%d %s were given to workers more than once", a.Retried, what)
	}
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
