package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A received is the stream from which results come.
type received struct {
	jetstream.ConsumeContext
	created time.Time // when its server made the stream, which is another one if the server lost it
}

// receive begins to receive the results of this run, all that the server has.
func (c *Client) receive(ctx context.Context) error {
	stream, err := c.js.Stream(ctx, resultStream)
	if err != nil {
		return err
	}
	results, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{resultSubject + "." + c.run},
	})
	if err != nil {
		return err
	}
	consuming, err := results.Consume(func(m jetstream.Msg) {
		var r result
		if json.Unmarshal(m.Data(), &r) == nil && len(r.Worker) <= mostName {
			c.arrived(r)
		}
	})
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.results = received{consuming, stream.CachedInfo().Created}
	return nil
}

// arrived hands a result to who waits for it. One that nobody waits for is of a task that was done twice.
func (c *Client) arrived(r result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.waiting[r.ID]
	if of == nil {
		return
	}
	delete(c.waiting, r.ID)
	if w := c.workers[r.Worker]; w != nil && w.refused {
		r = result{Worker: r.Worker, lost: "worker " + w.Host + " took it, which is not used"}
	}
	of.result <- r
}

// attend looks every beat, until Close, whether the server still has what it was given.
func (c *Client) attend() {
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for {
		select {
		case <-c.open.Done():
			return
		case <-ticker.C:
			c.look()
			c.miss()
		}
	}
}

// miss says once that no worker is there, if none said anything for so long.
func (c *Client) miss() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.missed && len(c.workers) == 0 && time.Since(c.begun) > gone {
		c.missed = true
		c.logf("no worker is at the server: all is done here until one comes")
	}
}

// look begins anew where the server lost what it had, as one does that is started again without its folder: a consumer
// would wait for results after the last one that it had of the stream before. Errors are for the next look.
func (c *Client) look() {
	ctx, cancel := context.WithTimeout(c.open, asking)
	defer cancel()
	c.mu.Lock()
	before := c.results
	c.mu.Unlock()
	stream, err := c.js.Stream(ctx, resultStream)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
	case err != nil || stream.CachedInfo().Created.Equal(before.created):
		return
	}
	if c.prepare(ctx) != nil || c.receive(ctx) != nil {
		return
	}
	c.logf("the server lost what it had, which is sent again")
	c.sent.forget()
	c.handAgain()
	before.Stop()
}

// since returns when the server made what it has.
func (c *Client) since() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.results.created
}

// handAgain has all tasks handed out again that no worker said it has: the server lost them. The others are finished.
func (c *Client) handAgain() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, of := range c.waiting {
		if of.worker == "" {
			delete(c.waiting, id)
			of.result <- result{lost: "the server lost it"}
		}
	}
}
