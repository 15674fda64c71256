package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel"

	"github.com/spectradiff/spectradiff/internal/replay"
)

// spans makes spans of what is handed out, in that of the play whose task it is:
//
//	task, job                           worker, worker.seconds, bytes.sent, bytes.received, done
//	├─ content                          what one needs and the store did not have: bytes.sent
//	└─ file                             likewise, what others need, too: a driver, a folder
//	   └─ content
var spans = otel.Tracer("github.com/spectradiff/spectradiff/internal/replay/fleet")

// A Client has workers do tasks. It implements replay.Hands.
type Client struct {
	*link
	kind    Kind
	run     string
	logf    func(format string, args ...any)
	sent    sent
	patient time.Duration   // with a task that no worker says it has
	open    context.Context // until Close
	shut    context.CancelFunc

	background sync.WaitGroup // what goes on beside tasks
	begun      time.Time

	mu      sync.Mutex
	results received
	waiting map[string]*waiting // tasks, by id
	workers map[string]*known   // by id
	number  int                 // of the last task
	redone  int                 // tasks that workers did not manage, or whose results are not used
	retried int                 // tasks that more than one was given, or one more than once
	lost    int                 // of these, the last ones in a row
	again   time.Time           // until then workers are left alone
	missed  bool                // it was said that no worker is there
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
	tasks   int  // that it did, and whose results are used
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
		sent: sent{at: map[string]placed{}}, begun: time.Now(),
	}
	c.open, c.shut = context.WithCancel(context.WithoutCancel(ctx))
	if err := c.listen(ctx); err != nil {
		c.shut()
		l.close()
		err = l.refusals.explain(err)
		return nil, fmt.Errorf("server %s: %w%s", shown(o.URL), err, advice(err))
	}
	return c, nil
}

// listen receives what workers say, and results.
func (c *Client) listen(ctx context.Context) error {
	_, err := c.nats.Subscribe(workerSubject, func(m *nats.Msg) {
		var p presence
		if json.Unmarshal(m.Data, &p) == nil && p.plausible() {
			p.Host, p.Kind = printable(p.Host), p.Kind.printable()
			c.heardOf(p)
		}
	})
	if err != nil {
		return err
	}
	if err := c.answerFor(c.run); err != nil {
		return err
	}
	if err := c.receive(ctx); err != nil {
		return err
	}
	c.background.Go(c.attend)
	return c.nats.Publish(helloSubject, encode(c.kind))
}

// heardOf notes what a worker says of itself.
func (c *Client) heardOf(p presence) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.workers[p.Worker]
	if w == nil {
		if w = c.newcomer(p.Worker); w == nil {
			return
		}
		if why := c.kind.differs(p.Kind); why != "" {
			w.refused = true
			c.logf("worker %s is not used: %s", p.Host, why)
		} else if why := c.kind.goes(p.Kind); why != "" && c.kind.Go != "" {
			c.logf("worker %s does no whole pieces of this run: %s", p.Host, why)
		}
	}
	p.Slots = min(p.Slots, mostSlots)
	w.presence, w.heard = p, time.Now()
	if w.refused {
		return
	}
	for _, id := range p.Running {
		if of := c.waiting[id]; of != nil {
			of.heard, of.worker = w.heard, p.Worker
		}
	}
}

// Who reaches the server can say anything of any number of workers. So many are listened to, and believed to have so
// many slots each.
const (
	mostWorkers = 1024
	mostSlots   = 1024
	mostName    = 64 // bytes of what names one
)

// plausible reports whether a worker can say that of itself.
func (p *presence) plausible() bool {
	return len(p.Worker) <= mostName && len(p.Running) <= mostSlots && len(p.Jobs) <= mostSlots
}

// newcomer notes a worker that was not heard of before. Others that left, and did nothing, make room; without room it
// is nil.
func (c *Client) newcomer(id string) *known {
	if len(c.workers) >= mostWorkers {
		maps.DeleteFunc(c.workers, func(_ string, w *known) bool {
			return w.tasks == 0 && time.Since(w.heard) > distance
		})
	}
	if len(c.workers) >= mostWorkers {
		return nil
	}
	w := &known{}
	c.workers[id] = w
	return w
}

// Slots returns how many plays the workers do at the same time that were heard of lately. Slots with jobs do none.
func (c *Client) Slots() int {
	return c.slots(func(p *presence) int { return p.Slots - len(p.Jobs) })
}

// JobSlots returns how many jobs of this client they do at the same time.
func (c *Client) JobSlots() int {
	return c.slots(func(p *presence) int {
		if !c.builds(p) {
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

// builds reports whether a worker does jobs of this client. All of its kind play.
func (c *Client) builds(p *presence) bool { return p.Kind.Go == c.kind.Go && p.Kind.Go != "" }

func plays(*presence) bool { return true }

// there reports whether a worker was heard of lately that is able to do something, even if all its slots are taken.
func (c *Client) there(able func(*presence) bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().Before(c.again) { // it counts as gone
		return false
	}
	for _, w := range c.workers {
		if !w.refused && w.Slots > 0 && time.Since(w.heard) < gone && able(&w.presence) {
			return true
		}
	}
	return false
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

// Do has a worker do a task, and hands what it gave to a function, whose error says that it is no result, so that the
// worker is not used any more, unless it is a replay.Discarded. It returns an error if none managed the task.
func (c *Client) Do(ctx context.Context, t *replay.Task, read func(replies []byte) error) error {
	return c.counted(ctx, "task", handed{
		kind: c.kind.subject(), able: plays, slots: c.Slots, patient: c.patient,
		message: func(ctx context.Context) (task, error) { return c.message(ctx, t) },
	}, read)
}

// Job has a worker do a job, with folders of this machine, each of which nobody changes, and hands what it found to a
// function, whose error is as that of Do. It returns an error if none managed it.
func (c *Client) Job(ctx context.Context, what []byte, read func(found []byte) error, folders ...string) error {
	return c.counted(ctx, "job", handed{
		kind: c.kind.jobs(), able: c.builds, slots: c.JobSlots,
		patient: 6 * c.patient, // it may come after another one, if a worker was lost
		message: func(ctx context.Context) (task, error) { return c.job(ctx, what, folders) },
	}, read)
}

// distrust ends counting on a worker.
func (c *Client) distrust(worker, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.workers[worker]
	if w == nil { // it never said that it is there
		if w = c.newcomer(worker); w == nil {
			return
		}
		w.Host, w.heard = printable(worker), time.Now()
	}
	if !w.refused {
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
	return printable(worker)
}

// Close withdraws what is left, and closes the connection.
func (c *Client) Close() { c.closeWithin(leaving) }

// CloseSoon is Close for a run whose end somebody waits for: it gives up soon if the server is away.
func (c *Client) CloseSoon() { c.closeWithin(leavingSoon) }

func (c *Client) closeWithin(limit time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c.shut()
	still := make(chan struct{})
	go func() { c.background.Wait(); close(still) }()
	select {
	case <-still:
	case <-ctx.Done():
	}
	if stream, err := c.js.Stream(ctx, taskStream); err == nil {
		_ = stream.Purge(ctx, jetstream.WithPurgeSubject(taskSubject+".*."+c.run))
	}
	if stream, err := c.js.Stream(ctx, resultStream); err == nil {
		_ = stream.Purge(ctx, jetstream.WithPurgeSubject(resultSubject+"."+c.run))
	}
	c.mu.Lock()
	results := c.results
	c.mu.Unlock()
	results.Stop()
	closed := make(chan struct{})
	go func() { c.close(); close(closed) }() // what is written to a server that does not read may hold it
	select {
	case <-closed:
	case <-ctx.Done():
	}
}
