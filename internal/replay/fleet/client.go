package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/spectradiff/spectradiff/internal/replay"
)

// spans makes spans of tasks.
var spans = otel.Tracer("github.com/spectradiff/spectradiff/internal/replay/fleet")

// A Client has workers do tasks. It implements replay.Hands.
type Client struct {
	*link
	kind    Kind
	run     string
	logf    func(format string, args ...any)
	results jetstream.ConsumeContext
	sent    sent
	patient time.Duration // with a task that no worker says it has

	withdrawing sync.WaitGroup

	mu      sync.Mutex
	waiting map[string]*waiting // tasks, by id
	workers map[string]*known   // by id
	number  int                 // of the last task
	redone  int                 // tasks that workers did not manage
	lost    int                 // of these, the last ones in a row
	again   time.Time           // until then workers are left alone
}

// A waiting is a task whose result is waited for.
type waiting struct {
	result chan result // has room for one
	heard  time.Time   // when it was sent, or a worker said last that it does it
	worker string      // who says so
}

// A known is a worker that spoke.
type known struct {
	presence
	heard   time.Time
	refused bool // it can't do tasks of this client, or told what is no result
	tasks   int
	busy    time.Duration
}

// Connect connects to a server, for tasks of a kind. Log takes one line without a line end.
func Connect(ctx context.Context, o Options, kind Kind, logf func(format string, args ...any)) (*Client, error) {
	l, err := connect(ctx, o, "spectradiff compare", logf)
	if err != nil {
		return nil, err
	}
	c := &Client{
		link: l, kind: kind, run: rand.Text(), logf: logf,
		waiting: map[string]*waiting{}, workers: map[string]*known{}, patient: silence,
		sent: sent{at: map[string]address{}},
	}
	if err := c.listen(ctx); err != nil {
		l.close()
		return nil, fmt.Errorf("server %s: %w", shown(o.URL), err)
	}
	return c, nil
}

// listen receives what workers say, and results.
func (c *Client) listen(ctx context.Context) error {
	_, err := c.nats.Subscribe(workerSubject, func(m *nats.Msg) {
		var p presence
		if json.Unmarshal(m.Data, &p) == nil {
			p.Host, p.Kind = printable(p.Host), p.Kind.printable()
			c.heardOf(p)
		}
	})
	if err != nil {
		return err
	}
	results, err := c.js.OrderedConsumer(ctx, resultStream, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{resultSubject + "." + c.run},
	})
	if err != nil {
		return err
	}
	c.results, err = results.Consume(func(m jetstream.Msg) {
		var r result
		if json.Unmarshal(m.Data(), &r) == nil {
			c.arrived(r)
		}
	})
	if err != nil {
		return err
	}
	return c.nats.Publish(helloSubject, nil)
}

// heardOf notes what a worker says of itself.
func (c *Client) heardOf(p presence) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.workers[p.Worker]
	if w == nil {
		w = &known{}
		c.workers[p.Worker] = w
		if why := c.kind.differs(p.Kind); why != "" {
			w.refused = true
			c.logf("worker %s is not used: %s", p.Host, why)
		}
	}
	w.presence, w.heard = p, time.Now()
	for _, id := range p.Running {
		if of := c.waiting[id]; of != nil {
			of.heard, of.worker = w.heard, p.Worker
		}
	}
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
	if w := c.workers[r.Worker]; w != nil && r.Failed == "" {
		w.tasks, w.busy = w.tasks+1, w.busy+time.Duration(r.Seconds*float64(time.Second))
	}
	of.result <- r
}

// Slots returns how many plays the workers do at the same time that were heard of lately. Slots with jobs do none.
func (c *Client) Slots() int {
	return c.slots(func(p *presence) int { return p.Slots - len(p.Jobs) })
}

// JobSlots returns how many jobs of this client they do at the same time.
func (c *Client) JobSlots() int {
	return c.slots(func(p *presence) int {
		if p.Kind.Go != c.kind.Go || p.Kind.Go == "" {
			return 0
		}
		n := p.Slots
		for _, id := range p.Jobs {
			if !strings.HasPrefix(id, c.run+"-") {
				n--
			}
		}
		return n
	})
}

func (c *Client) slots(of func(*presence) int) (n int) {
	if c.nats != nil && !c.nats.IsConnected() {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().Before(c.again) {
		return 0
	}
	for _, w := range c.workers {
		if !w.refused && time.Since(w.heard) < gone {
			n += max(of(&w.presence), 0)
		}
	}
	return n
}

// Do has a worker do a task, and hands what it gave to a function, whose error says that it is no result. It returns an
// error if none managed the task.
func (c *Client) Do(ctx context.Context, t *replay.Task, read func(replies []byte) error) error {
	return c.counted(ctx, "task", handed{
		kind: c.kind.subject(), slots: c.Slots, patient: c.patient,
		message: func(ctx context.Context) (task, error) { return c.message(ctx, t) },
	}, read)
}

// Job has a worker do a job, with folders of this machine, each of which nobody changes, and hands what it found to a
// function, whose error says that it is no result. It returns an error if none managed it.
func (c *Client) Job(ctx context.Context, what []byte, read func(found []byte) error, folders ...string) error {
	return c.counted(ctx, "job", handed{
		kind: c.kind.jobs(), slots: c.JobSlots,
		patient: 6 * c.patient, // it may come after another one, if a worker was lost
		message: func(ctx context.Context) (task, error) { return c.job(ctx, what, folders) },
	}, read)
}

// A handed is what is handed to workers.
type handed struct {
	kind    string     // those who can do it
	slots   func() int // of these
	message func(ctx context.Context) (task, error)
	patient time.Duration // with one that no worker says it has
}

// counted has a worker do what is handed out, has the result read, and counts it.
func (c *Client) counted(ctx context.Context, name string, h handed, read func(replies []byte) error) error {
	replies, worker, err := c.traced(ctx, name, h)
	if err == nil {
		if err = read(replies); err != nil {
			c.distrust(worker, "what it gave can't be read")
			err = fmt.Errorf("what worker %s gave: %w", c.named(worker), err)
		}
	}
	if ctx.Err() == nil && !errors.Is(err, errLibraries) && !errors.Is(err, errNobody) {
		c.count(err)
	}
	return err
}

// traced has a worker do what is handed out, in a span.
func (c *Client) traced(ctx context.Context, name string, h handed) (replies []byte, worker string, err error) {
	ctx, span := spans.Start(ctx, name)
	defer span.End()
	replies, worker, err = c.do(ctx, h)
	span.SetAttributes(attribute.Int("bytes.received", len(replies)), attribute.Bool("done", err == nil))
	return replies, worker, err
}

// count counts tasks that no worker managed. After several in a row they are left alone for a while.
func (c *Client) count(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.lost = 0
		return
	}
	c.redone++
	if c.lost++; c.lost >= mostLost && time.Now().After(c.again) {
		c.again = time.Now().Add(distance)
		c.logf("workers are left alone for %v: %d tasks in a row were lost, the last because %v", distance, c.lost, err)
	}
}

// errNobody is the error where there is no worker, so that nothing was handed out.
var errNobody = errors.New("no worker is there")

// do has a worker do what is handed out, and returns what it gave, and who it was.
func (c *Client) do(ctx context.Context, h handed) (replies []byte, worker string, err error) {
	if h.slots() == 0 {
		return nil, "", errNobody
	}
	m, err := h.message(ctx)
	if err != nil {
		return nil, "", err
	}
	of := &waiting{result: make(chan result, 1), heard: time.Now()}
	c.mu.Lock()
	c.number++
	m.ID = fmt.Sprintf("%s-%d", c.run, c.number)
	c.waiting[m.ID] = of
	c.mu.Unlock()
	withdraw := func() { c.withdraw(m.ID, 0) }
	defer func() {
		c.mu.Lock()
		left := c.waiting[m.ID] == of
		delete(c.waiting, m.ID)
		c.mu.Unlock()
		if left {
			withdraw()
		}
	}()
	asked, cancel := context.WithTimeout(ctx, asking)
	defer cancel()
	subject := taskSubject + "." + h.kind + "." + c.run
	ack, err := c.js.Publish(asked, subject, encode(m), jetstream.WithMsgID(m.ID))
	if err != nil {
		return nil, "", fmt.Errorf("hand a task to the workers: %w", err)
	}
	withdraw = func() { c.withdraw(m.ID, ack.Sequence) }
	r, err := c.wait(ctx, of, h)
	if err != nil {
		return nil, "", err
	}
	trace.SpanFromContext(ctx).SetAttributes(
		attribute.String("worker", c.named(r.Worker)), attribute.Float64("worker.seconds", r.Seconds))
	replies, err = c.replies(ctx, r)
	return replies, r.Worker, err
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
			case quiet > gone && h.slots() == 0:
				return result{}, errors.New("all workers are gone")
			}
		}
	}
}

// replies returns what drivers gave.
func (c *Client) replies(ctx context.Context, r result) ([]byte, error) {
	name := c.named(r.Worker)
	if r.Failed != "" {
		return nil, fmt.Errorf("worker %s: %s", name, r.Failed)
	}
	if r.At == "" {
		return r.Replies, nil
	}
	replies, err := c.fetchBytes(ctx, r.At)
	if errors.Is(err, ErrContent) {
		c.distrust(r.Worker, "it gave another content than its address says")
	}
	if err != nil {
		return nil, fmt.Errorf("what worker %s gave: %w", name, err)
	}
	return replies, nil
}

// distrust ends counting on a worker.
func (c *Client) distrust(worker, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.workers[worker]; w != nil && !w.refused {
		w.refused = true
		c.logf("worker %s is not used any more: %s", w.Host, why)
	}
}

func (c *Client) named(worker string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.workers[worker]; w != nil {
		return w.Host
	}
	return worker
}

// withdraw takes a task back that nobody waits for any more, whether a worker has it or not. Without its number in the
// queue, which is not known while it is handed out, it stays there until Close.
func (c *Client) withdraw(id string, sequence uint64) {
	_ = c.nats.Publish(cancelSubject, []byte(id))
	if sequence == 0 {
		return
	}
	c.withdrawing.Go(func() { // the run goes on or ends meanwhile
		ctx, cancel := context.WithTimeout(context.Background(), leaving)
		defer cancel()
		if stream, err := c.js.Stream(ctx, taskStream); err == nil {
			_ = stream.DeleteMsg(ctx, sequence)
		}
	})
}

// Close withdraws what is left, and closes the connection.
func (c *Client) Close() { c.closeWithin(leaving) }

// CloseSoon is Close for a run whose end somebody waits for: it gives up soon if the server is away.
func (c *Client) CloseSoon() { c.closeWithin(leavingSoon) }

func (c *Client) closeWithin(limit time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	withdrawn := make(chan struct{})
	go func() { c.withdrawing.Wait(); close(withdrawn) }()
	select {
	case <-withdrawn:
	case <-ctx.Done():
	}
	if stream, err := c.js.Stream(ctx, taskStream); err == nil {
		_ = stream.Purge(ctx, jetstream.WithPurgeSubject(taskSubject+".*."+c.run))
	}
	if stream, err := c.js.Stream(ctx, resultStream); err == nil {
		_ = stream.Purge(ctx, jetstream.WithPurgeSubject(resultSubject+"."+c.run))
	}
	c.results.Stop()
	c.close()
}
