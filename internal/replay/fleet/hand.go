package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/spectradiff/spectradiff/internal/replay"
)

// A handed is what is handed to workers.
type handed struct {
	kind    string               // those who can do it
	able    func(*presence) bool // whether one of them is such
	slots   func() int           // that they have for it
	message func(ctx context.Context) (task, error)
	patient time.Duration // with one that no worker says it has
}

// counted has a worker do what is handed out, has the result read, and counts it.
func (c *Client) counted(ctx context.Context, name string, h handed, read func(replies []byte) error) error {
	g, err := c.traced(ctx, name, h)
	if err == nil {
		defer g.free()
		if err = read(g.replies); err != nil {
			if _, of := errors.AsType[replay.Discarded](err); !of {
				c.distrust(g.worker, "what it gave can't be read")
			}
			err = fmt.Errorf("what worker %s gave: %w", c.named(g.worker), err)
		} else {
			c.did(g)
		}
	}
	switch overtaken := context.Cause(ctx); {
	case err != nil && errors.Is(overtaken, replay.ErrOvertaken):
		c.count(overtaken)
	case ctx.Err() == nil && !errors.Is(err, errLibraries) && !errors.Is(err, errNobody):
		c.count(err)
	}
	return err
}

// A given is what a worker gave. Free must be called when the replies are not used any more.
type given struct {
	replies []byte
	free    func()
	worker  string
	seconds float64 // that it was at it
}

// did counts what a worker gave for it.
func (c *Client) did(g given) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.workers[g.worker]; w != nil { // it was heard of
		w.tasks, w.busy = w.tasks+1, w.busy+time.Duration(g.seconds*float64(time.Second))
	}
}

// traced has a worker do what is handed out, in a span.
func (c *Client) traced(ctx context.Context, name string, h handed) (g given, err error) {
	ctx, span := spans.Start(ctx, name)
	defer span.End()
	g, err = c.do(ctx, h)
	span.SetAttributes(attribute.Int("bytes.received", len(g.replies)), attribute.Bool("done", err == nil))
	return g, err
}

// count counts tasks that no worker managed. After several in a row they are left alone for a while, but not because of
// results that are not used: whoever gives these is at work.
func (c *Client) count(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.lost = 0
		return
	}
	c.redone++
	if _, of := errors.AsType[replay.Discarded](err); of {
		return
	}
	if c.lost++; c.lost >= mostLost && time.Now().After(c.again) {
		c.again = time.Now().Add(distance)
		c.logf("workers are left alone for %v: %d tasks in a row were lost, the last because %v", distance, c.lost, err)
	}
}

// countRetried counts a task if it was tried more than once.
func (c *Client) countRetried(retried bool) {
	if !retried {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.retried++
}

// errNobody is the error where there is no worker, so that nothing was handed out.
var errNobody = errors.New("no worker is there")

// mostHanded is how often a task is handed out that the server lost, of which a worker lacks something, or that one
// took which is not used any more.
const mostHanded = 3

// do has a worker do what is handed out, and returns what it gave. What the server lost is sent again.
func (c *Client) do(ctx context.Context, h handed) (g given, err error) {
	var r result
	retried := false
	defer func() { c.countRetried(retried || r.Delivered > 1) }()
	for i := range mostHanded {
		if h.slots() == 0 {
			return g, errNobody
		}
		m, err := h.message(ctx)
		if err != nil {
			return g, err
		}
		handed := time.Now()
		retried = i > 0
		if r, err = c.handOut(ctx, m, h); err != nil {
			return g, err
		}
		if r.Missing != "" && m.contents()[r.Missing] {
			c.sendAgain(r.Missing, handed)
		} else if r.lost == "" {
			break
		}
	}
	trace.SpanFromContext(ctx).SetAttributes(
		attribute.String("worker", c.named(r.Worker)), attribute.Float64("worker.seconds", r.Seconds))
	g.worker, g.seconds = r.Worker, r.Seconds
	g.replies, g.free, err = c.replies(ctx, r)
	return g, err
}

// handOut hands a task out once, and waits for its result.
func (c *Client) handOut(ctx context.Context, m task, h handed) (result, error) {
	of := &waiting{result: make(chan result, 1), heard: time.Now()}
	c.mu.Lock()
	c.number++
	m.ID = fmt.Sprintf("%s-%d", c.run, c.number)
	c.waiting[m.ID] = of
	c.mu.Unlock()
	var sequence uint64
	since := c.since()
	defer func() {
		c.mu.Lock()
		left := c.waiting[m.ID] == of
		delete(c.waiting, m.ID)
		c.mu.Unlock()
		if !left {
			return
		}
		if c.since() != since {
			sequence = 0 // it may be that of another task by now
		}
		c.withdraw(m.ID, sequence)
	}()
	var err error
	if sequence, err = c.publish(ctx, taskSubject+"."+h.kind+"."+c.run, m.ID, m); err != nil {
		return result{}, fmt.Errorf("hand a task to the workers: %w", err)
	}
	return c.wait(ctx, of, h)
}

// wait waits for a result, as long as a worker may have the task.
func (c *Client) wait(ctx context.Context, of *waiting, h handed) (result, error) {
	look := time.NewTicker(beat)
	defer look.Stop()
	for {
		select {
		case r := <-of.result:
			return r, nil
		case <-ctx.Done():
			return result{}, ctx.Err()
		case <-look.C:
			c.mu.Lock()
			quiet := time.Since(of.heard)
			c.mu.Unlock()
			switch {
			case quiet > h.patient:
				return result{}, fmt.Errorf("no worker said for %v that it has the task", h.patient)
			case quiet > gone && !c.there(h.able):
				return result{}, errors.New("all workers are gone")
			}
		}
	}
}

// replies returns what drivers gave. Free must be called when that is not used any more.
func (c *Client) replies(ctx context.Context, r result) (replies []byte, free func(), err error) {
	name := c.named(r.Worker)
	switch {
	case r.lost != "":
		return nil, nil, fmt.Errorf("handed out %d times: %s", mostHanded, r.lost)
	case r.Failed != "":
		return nil, nil, fmt.Errorf("worker %s: %s", name, short(r.Failed))
	}
	if r.At == "" {
		return r.Replies, func() {}, nil
	}
	replies, free, err = c.brief.borrow(ctx, r.At, mostHeld)
	if errors.Is(err, ErrContent) {
		c.distrust(r.Worker, "it gave another content than its address says")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("what worker %s gave: %w", name, err)
	}
	return replies, free, nil
}

// withdraw takes a task back that nobody waits for any more, whether a worker has it or not. Without its number in the
// queue, which is not known while it is handed out, it stays there until Close.
func (c *Client) withdraw(id string, sequence uint64) {
	_ = c.nats.Publish(cancelSubject, []byte(id))
	if sequence == 0 {
		return
	}
	c.background.Go(func() { // the run goes on or ends meanwhile
		ctx, cancel := context.WithTimeout(context.Background(), leaving)
		defer cancel()
		if stream, err := c.js.Stream(ctx, taskStream); err == nil {
			_ = stream.DeleteMsg(ctx, sequence)
		}
	})
}
