package fleet

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// A Worker does tasks of its kind until its context ends.
type Worker struct {
	Options   Options
	Kind      Kind
	Sandboxes []*sandbox.Sandbox // one for each task that it does at the same time
	Temp      string             // folder for drivers and their scratch folders

	// Job does a job of its Kind.Go: what it is, and the folders that it has. Several may be done at the same time,
	// each in another slot, below len(Sandboxes). An error says that this worker can't do it. nil: it does none.
	Job func(ctx context.Context, slot int, what []byte, folders []string) ([]byte, error)

	Log func(format string, args ...any)

	*link
	id    string
	store *store
	leave context.CancelCauseFunc

	silent  int           // mostSilent; tests have less
	patient time.Duration // patience of the link; tests have less

	mu      sync.Mutex
	running map[string]*running  // tasks, by id
	runs    map[string]time.Time // when their clients were heard of last; zero: they are gone
	failed  int                  // tasks in a row
	said    map[string]bool      // why clients have nothing done here
}

// A running is a task that is being done.
type running struct {
	cancel    context.CancelFunc
	job       bool
	withdrawn bool // nobody waits for it any more
}

// mostFailed is how many tasks in a row may fail before a worker leaves: it is the worker then, not the tasks.
const mostFailed = 5

// Run takes tasks until the context ends, and hands back those that it has not done by then.
func (w *Worker) Run(ctx context.Context) (err error) {
	if w.link, err = connect(ctx, w.Options, "spectradiff worker", w.Log); err != nil {
		return err
	}
	defer w.close()
	w.id, w.running, w.runs = rand.Text(), map[string]*running{}, map[string]time.Time{}
	w.said = map[string]bool{}
	w.silent, w.patience = cmp.Or(w.silent, mostSilent), cmp.Or(w.patient, w.patience)
	if w.Job == nil {
		w.Kind.Go = ""
	}
	if _, err := w.queues(ctx); err != nil {
		err = w.refusals.explain(err)
		return fmt.Errorf("work queue: %w%s", err, advice(err))
	}
	if err := w.listen(); err != nil {
		return err
	}
	ctx, w.leave = context.WithCancelCause(ctx)
	w.store = newStore(ctx, w.link, w.Temp)
	defer w.store.fetching.Wait()
	defer w.leave(nil)
	w.Log("ready for %d tasks at a time, kind %s", len(w.Sandboxes), w.Kind.subject())
	var group sync.WaitGroup
	group.Go(func() { w.speak(ctx) })
	for slot := range w.Sandboxes {
		group.Go(func() { w.work(ctx, slot) })
	}
	group.Wait()
	w.announce(0)
	_ = w.nats.FlushTimeout(beat)
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// Queues are those that a slot takes tasks from. Workers whose go commands differ have the plays in common.
type queues struct {
	plays, jobs jetstream.Consumer // jobs: nil if none are done
	looked      time.Time          // for jobs
}

// queues returns the tasks of this kind.
func (w *Worker) queues(ctx context.Context) (q *queues, err error) {
	ctx, cancel := context.WithTimeout(ctx, asking)
	defer cancel()
	q = &queues{}
	if q.plays, err = w.queue(ctx, w.Kind.subject()); err == nil && w.Kind.Go != "" {
		q.jobs, err = w.queue(ctx, w.Kind.jobs())
	}
	return q, err
}

func (w *Worker) queue(ctx context.Context, kind string) (jetstream.Consumer, error) {
	return w.js.CreateOrUpdateConsumer(ctx, taskStream, jetstream.ConsumerConfig{
		Durable: "kind-" + kind, FilterSubject: taskSubject + "." + kind + ".*",
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: deliveries,
		InactiveThreshold: stored,
	})
}

// listen receives what clients say to all workers.
func (w *Worker) listen() error {
	_, err := w.nats.Subscribe(helloSubject, func(m *nats.Msg) {
		w.announce(len(w.Sandboxes))
		w.greeted(m.Data)
	})
	if err == nil {
		_, err = w.nats.Subscribe(cancelSubject, func(m *nats.Msg) {
			w.withdraw(string(m.Data))
		})
	}
	return err
}

// withdraw ends a task that nobody waits for any more.
func (w *Worker) withdraw(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if of := w.running[id]; of != nil {
		of.withdrawn = true
		of.cancel()
	}
}

// speak says every beat that the worker is there.
func (w *Worker) speak(ctx context.Context) {
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for ctx.Err() == nil {
		w.announce(len(w.Sandboxes))
		if err := w.refusals.out(distance); err != nil {
			w.leave(err)
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
}

func (w *Worker) announce(slots int) {
	host, _ := os.Hostname()
	w.mu.Lock()
	p := presence{
		Worker: w.id, Host: fmt.Sprintf("%s/%d", host, os.Getpid()), Kind: w.Kind, Slots: slots,
		Running: slices.Sorted(maps.Keys(w.running)),
	}
	for _, id := range p.Running {
		if w.running[id].job {
			p.Jobs = append(p.Jobs, id)
		}
	}
	w.mu.Unlock()
	_ = w.nats.Publish(workerSubject, encode(p)) // while the server is away nobody hears it
}

// work does one task after the other. Where the server is away, or has lost the queue, it looks for it again.
func (w *Worker) work(ctx context.Context, slot int) {
	var tasks *queues
	for ctx.Err() == nil {
		err := error(nil)
		if tasks == nil {
			if err = w.prepare(ctx); err == nil {
				tasks, err = w.queues(ctx)
			}
		}
		if err == nil {
			err = w.next(ctx, tasks, slot)
		}
		if err != nil {
			tasks = nil
			w.pause(ctx)
		}
	}
}

// next waits for a task, and does it. After some time it returns without one. It looks for jobs every beat, and waits
// for plays, which are short and many.
func (w *Worker) next(ctx context.Context, tasks *queues, slot int) error {
	if tasks.jobs != nil && time.Since(tasks.looked) >= beat {
		tasks.looked = time.Now()
		batch, err := tasks.jobs.FetchNoWait(1)
		if err := w.takeAll(ctx, batch, err, slot); err != nil {
			return err
		}
	}
	batch, err := tasks.plays.Fetch(1, jetstream.FetchMaxWait(beat))
	return w.takeAll(ctx, batch, err, slot)
}

func (w *Worker) takeAll(ctx context.Context, batch jetstream.MessageBatch, err error, slot int) error {
	if err != nil {
		return err
	}
	for m := range batch.Messages() {
		w.take(ctx, m, slot)
	}
	return batch.Error()
}

func (w *Worker) pause(ctx context.Context) {
	timer := time.NewTimer(beat)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// take does the task of a message, and says so. A task that the worker leaves goes to another one at once, and one that
// nobody waits for any more to none.
func (w *Worker) take(ctx context.Context, m jetstream.Msg, slot int) {
	var t task
	if err := json.Unmarshal(m.Data(), &t); err != nil || !validRun(t.Run) {
		_ = m.Term()
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	of := &running{cancel: cancel, job: t.Job != nil}
	if !w.begin(t.ID, of) {
		return
	}
	defer func() {
		w.mu.Lock()
		delete(w.running, t.ID)
		w.mu.Unlock()
	}()
	w.announce(len(w.Sandboxes))
	defer w.hold(ctx, m, &t)()
	if !w.wanted(ctx, t.Run) && ctx.Err() == nil {
		w.withdraw(t.ID)
	}
	r, replies := w.do(ctx, &t, slot)
	if ctx.Err() != nil {
		w.handBack(m, of)
		return
	}
	if of, err := m.Metadata(); err == nil {
		r.Delivered = of.NumDelivered
	}
	if err := w.answer(ctx, t.Run, r, replies); err != nil {
		w.Log("result of task %s: %v", t.ID, err)
		_ = m.NakWithDelay(gone)
		return
	}
	_ = m.Ack()
}

// begin notes that a task is being done. A server that did not hear of this worker for a while may give it a task once
// more that it is still at: that ends as the first one does.
func (w *Worker) begin(id string, of *running) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running[id] != nil {
		return false
	}
	w.running[id] = of
	return true
}

// do does a task, and returns its result.
func (w *Worker) do(ctx context.Context, t *task, slot int) (r result, replies []byte) {
	if ctx.Err() != nil {
		return r, nil
	}
	begun := time.Now()
	do := w.play
	if t.Job != nil {
		do = w.doJob
	}
	replies, err := do(ctx, t, slot)
	r = result{ID: t.ID, Worker: w.id, Seconds: time.Since(begun).Seconds()}
	if ctx.Err() != nil {
		return r, nil
	}
	w.count(err)
	if err != nil {
		r.Failed = short(err.Error())
		if of, ok := errors.AsType[*missing](err); ok {
			r.Missing = of.content
		}
		w.Log("task %s: %v", t.ID, err)
	}
	return r, replies
}

// handBack gives a task back that was not done.
func (w *Worker) handBack(m jetstream.Msg, of *running) {
	w.mu.Lock()
	withdrawn := of.withdrawn
	w.mu.Unlock()
	if withdrawn {
		_ = m.Term()
	} else {
		_ = m.Nak()
	}
}

// count counts failures of this machine. A worker on which all fails leaves. That a driver can't be started may be the
// target's fault.
func (w *Worker) count(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		w.failed = 0
		return
	}
	if !w.broken(err) {
		return
	}
	if w.failed++; w.failed == mostFailed {
		w.leave(fmt.Errorf("%d tasks in a row failed here, so this worker leaves: %w", w.failed, err))
	}
}

// broken reports whether an error is this machine's, such as of its disk. What a task or a content says can have the
// system refuse other things, such as a file of a name that is there already.
func (w *Worker) broken(err error) bool {
	if _, gone := os.Stat(w.Temp); gone != nil {
		return true
	}
	of, ok := errors.AsType[syscall.Errno](err)
	return ok && slices.Contains([]syscall.Errno{
		syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.EROFS, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM,
	}, of)
}

// play fetches what a task needs, and does it.
func (w *Worker) play(ctx context.Context, m *task, slot int) ([]byte, error) {
	t, done, err := w.store.task(ctx, m)
	if err != nil {
		return nil, err
	}
	defer done()
	return t.Play(ctx, w.Sandboxes[slot], t.driver.dir, t.driver.driver, nil)
}

// doJob fetches what a job needs, and has it done.
func (w *Worker) doJob(ctx context.Context, m *task, slot int) ([]byte, error) {
	if w.Job == nil {
		return nil, errors.New("it does no jobs")
	}
	what, folders, done, err := w.store.job(ctx, m.Job)
	if err != nil {
		return nil, err
	}
	defer done()
	return w.Job(ctx, slot, what, folders)
}

// answer sends a result.
func (w *Worker) answer(ctx context.Context, run string, r result, replies []byte) (err error) {
	if len(replies) > inlined {
		if r.At, err = w.brief.putBytes(ctx, replies); err != nil {
			return err
		}
	} else {
		r.Replies = replies
	}
	_, err = w.publish(ctx, resultSubject+"."+run, r.ID, r)
	return err
}
