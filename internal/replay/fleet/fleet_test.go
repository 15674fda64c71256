package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/spectradiff/spectradiff/internal/replay"
)

var kind = Kind{
	Program: "p", Version: "v1.0.0", System: "linux/amd64", Layers: "landlock", C: "c", Model: "AMD p", Kernel: "6.1",
}

// start starts a server, configured by a text.
func start(t *testing.T, config string) *Server {
	t.Helper()
	s := Serving{Host: "127.0.0.1", Port: -1, Store: t.TempDir()}
	if config != "" {
		s.Config = filepath.Join(t.TempDir(), "server.conf")
		if err := os.WriteFile(s.Config, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server, err := Serve(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	return server
}

// A log keeps lines.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) printf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(&l.text, format+"\n", args...)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// client returns a client, and what it logs.
func client(t *testing.T, url string) (*Client, *log) {
	t.Helper()
	lines := &log{}
	c, err := Connect(t.Context(), Options{URL: url}, kind, lines.printf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, lines
}

// A fake is a worker that gives what a test wants.
type fake struct {
	*link
	of   Kind
	give func(m jetstream.Msg, t *task) *result // nil: nothing comes of the task
}

// work takes tasks until the test ends.
func (f *fake) work(t *testing.T, url, name string) {
	t.Helper()
	var err error
	if f.link, err = connect(t.Context(), Options{URL: url}, name, new(log).printf); err != nil {
		t.Fatal(err)
	}
	w := &Worker{Kind: f.of, link: f.link}
	tasks, err := w.queue(t.Context(), f.of.subject())
	if err != nil {
		t.Fatal(err)
	}
	present := func(*nats.Msg) {
		_ = f.nats.Publish(workerSubject, encode(presence{Worker: name, Host: name, Kind: f.of, Slots: 1}))
	}
	if _, err := f.nats.Subscribe(helloSubject, present); err != nil {
		t.Fatal(err)
	}
	present(nil)
	consuming, err := tasks.Consume(func(m jetstream.Msg) {
		var of task
		if json.Unmarshal(m.Data(), &of) != nil {
			return
		}
		r := f.give(m, &of)
		if r == nil {
			return
		}
		r.ID, r.Worker = of.ID, name
		if times, err := m.Metadata(); err == nil {
			r.Delivered = times.NumDelivered
		}
		if _, err := f.js.Publish(context.Background(), resultSubject+"."+of.Run, encode(r)); err == nil {
			_ = m.Ack()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { consuming.Stop(); f.close() })
}

// slots waits until the client knows of so many slots.
func slots(t *testing.T, c *Client, want int) {
	t.Helper()
	for c.Slots() != want {
		if err := c.nats.Publish(helloSubject, nil); err != nil {
			t.Fatal(err)
		}
		if err := c.nats.FlushTimeout(asking); err != nil {
			t.Fatal(err)
		}
	}
}

// driver returns the task of a driver that is no program of this machine.
func driver(t *testing.T) *replay.Task {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &replay.Task{Binary: self, Setup: []byte("setup"), Own: replay.TaskOwn{Side: "old"}}
}

func TestDo(t *testing.T) {
	long := bytes.Repeat([]byte("reply "), inlined)
	for _, c := range []struct {
		reason string
		give   func(f *fake, m jetstream.Msg, t *task) *result
		want   string
		err    string
		log    string
		unread error  // of who reads the result
		again  int    // tasks that were given more than once
		none   string // is not in the log
	}{
		{reason: "a result in the message", want: "replies",
			give: func(*fake, jetstream.Msg, *task) *result { return &result{Replies: []byte("replies")} }},
		{reason: "a result in the store", want: string(long),
			give: func(f *fake, _ jetstream.Msg, _ *task) *result {
				at, err := f.brief.putBytes(context.Background(), long)
				if err != nil {
					return &result{Failed: err.Error()}
				}
				return &result{At: at}
			}},
		{reason: "a worker that can't", err: "worker fake: no space left",
			give: func(*fake, jetstream.Msg, *task) *result { return &result{Failed: "no space left"} }},
		{reason: "another content than the address says", err: "is not what its address says",
			log: "worker fake is not used any more",
			give: func(f *fake, _ jetstream.Msg, _ *task) *result {
				meta := jetstream.ObjectMeta{Name: string(addressOf([]byte("promised")))}
				if _, err := f.brief.blobs.Put(context.Background(), meta, strings.NewReader("given")); err != nil {
					return &result{Failed: err.Error()}
				}
				return &result{At: address(meta.Name)}
			}},
		{reason: "what no driver gives", want: "garbage", err: "what worker fake gave: no replies",
			log: "worker fake is not used any more: what it gave can't be read", unread: errors.New("no replies"),
			give: func(*fake, jetstream.Msg, *task) *result { return &result{Replies: []byte("garbage")} }},
		{reason: "what depends on the machine", want: "late", err: "what worker fake gave: a limit ended it",
			none: "not used", unread: replay.Discarded{Why: errors.New("a limit ended it")},
			give: func(*fake, jetstream.Msg, *task) *result { return &result{Replies: []byte("late")} }},
		{reason: "an address that is none", err: "no address",
			give: func(*fake, jetstream.Msg, *task) *result { return &result{At: "../../etc/passwd"} }},
		{reason: "a worker that is lost", err: "no worker said",
			give: func(*fake, jetstream.Msg, *task) *result { return nil }},
		{reason: "handed back, and done then", want: "second", again: 1,
			give: func(_ *fake, m jetstream.Msg, _ *task) *result {
				if of, err := m.Metadata(); err == nil && of.NumDelivered == 1 {
					_ = m.Nak()
					return nil
				}
				return &result{Replies: []byte("second")}
			}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			url := start(t, "").URL()
			of, lines := client(t, url)
			of.patient = 0 // whoever says nothing at the first look has not got it
			f := &fake{of: kind}
			f.give = func(m jetstream.Msg, t *task) *result { return c.give(f, m, t) }
			f.work(t, url, "fake")
			slots(t, of, 1)
			var got []byte
			err := of.Do(t.Context(), driver(t), func(replies []byte) error { got = replies; return c.unread })
			if string(got) != c.want {
				t.Errorf("got %.20q, want %.20q", got, c.want)
			}
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want %q", err, c.err)
			}
			if !strings.Contains(lines.String(), c.log) || c.none != "" && strings.Contains(lines.String(), c.none) {
				t.Errorf("log %q, want %q", lines, c.log)
			}
			if did := of.Account(); len(did.Shares) > 0 != (c.err == "") {
				t.Errorf("the workers did %+v", did)
			}
			if s := of.Status(); s.Redone != map[bool]int{true: 1}[c.err != ""] ||
				s.Waiting+s.Running != 0 || s.Retried != c.again {
				t.Errorf("status %+v", s)
			}
		})
	}
}

// TestDoOther: a worker of another kind gets no task, and the user is told why.
func TestDoOther(t *testing.T) {
	for _, c := range []struct {
		reason string
		change func(*Kind)
		want   string
	}{
		{"another version", func(k *Kind) { k.Program, k.Version = "q", "v2.0.0" },
			"version v2.0.0 of spectradiff, not v1.0.0"},
		{"another build", func(k *Kind) { k.Program = "q" }, "another build of spectradiff"},
		{"another system", func(k *Kind) { k.System = "linux/arm64" }, "it runs on linux/arm64, not on linux/amd64"},
		{"another sandbox", func(k *Kind) { k.Layers = "none" }, "it confines with none, not with landlock"},
		{"another C library", func(k *Kind) { k.C = "musl" }, "another C library"},
		{"tests may start programs", func(k *Kind) { k.Programs = "q" }, "other programs in /usr/bin"},
		{"another processor", func(k *Kind) { k.Processor = "q" }, "its processor can do other things"},
		{"one with another name", func(k *Kind) { k.Model = "Intel q" }, "its processor is Intel q, not AMD p"},
		{"another kernel", func(k *Kind) { k.Kernel = "6.2" }, "its kernel is 6.2, not 6.1"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			url := start(t, "").URL()
			of, lines := client(t, url)
			other := kind
			c.change(&other)
			took := &fake{of: other, give: func(jetstream.Msg, *task) *result {
				t.Error("it took a task")
				return nil
			}}
			took.work(t, url, "other")
			right := &fake{of: kind, give: func(jetstream.Msg, *task) *result {
				return &result{Replies: []byte("right")}
			}}
			right.work(t, url, "right")
			slots(t, of, 1)
			var got []byte
			err := of.Do(t.Context(), driver(t), func(replies []byte) error { got = replies; return nil })
			if string(got) != "right" {
				t.Errorf("got %q, %v", got, err)
			}
			if !strings.Contains(lines.String(), "worker other is not used: it") ||
				!strings.Contains(lines.String(), c.want) {
				t.Errorf("log %q, want %q", lines, c.want)
			}
		})
	}
}

// TestCancelled: a task that nobody waits for any more is withdrawn.
func TestCancelled(t *testing.T) {
	url := start(t, "").URL()
	of, err := Connect(t.Context(), Options{URL: url}, kind, new(log).printf)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var once sync.Once
	f := &fake{of: kind, give: func(jetstream.Msg, *task) *result { once.Do(cancel); return nil }}
	f.work(t, url, "fake")
	slots(t, of, 1)
	unread := func([]byte) error { return errors.New("there was a result") }
	if err := of.Do(ctx, driver(t), unread); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	of.Close()
	l, err := connect(t.Context(), Options{URL: url}, "test", new(log).printf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	stream, err := l.js.Stream(t.Context(), taskStream)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := stream.Info(t.Context()); err != nil || info.State.Msgs > 0 {
		t.Errorf("%d tasks are left, %v", info.State.Msgs, err)
	}
}

// TestCloseSoon: who waits for the end of a run does not wait for a server that is away, even with tasks to take back.
func TestCloseSoon(t *testing.T) {
	server := start(t, "")
	c, _ := client(t, server.URL())
	server.Close()
	c.withdraw("task", 1)
	begun := time.Now()
	c.CloseSoon()
	if took := time.Since(begun); took > leaving/2 {
		t.Errorf("it took %v", took)
	}
}

// TestAges: the server keeps a task for as long as somebody may be at it, so that it goes to another if he is lost.
func TestAges(t *testing.T) {
	l, err := connect(t.Context(), Options{URL: start(t, "").URL()}, "test", new(log).printf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	for name, want := range map[string]time.Duration{
		taskStream: stored, resultStream: briefly, "OBJ_" + bucket: stored, "OBJ_" + briefBucket: briefly,
	} {
		stream, err := l.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if got := stream.CachedInfo().Config.MaxAge; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestConnectErrors(t *testing.T) {
	closed := start(t, "")
	nobody := closed.URL()
	closed.Close()
	const users = `authorization { users = [ { user: ada, password: right } ] }`
	guarded := start(t, users).URL()
	with := func(user string) string { return strings.Replace(guarded, "//", "//"+user+"@", 1) }
	for _, c := range []struct{ reason, url, want string }{
		{"nobody is there", nobody, "spectradiff serve starts one"},
		{"no user", guarded, "name a user in the address"},
		{"a wrong password", with("ada:wrong"), "name a user in the address"},
		{"the right one", with("ada:right"), ""},
		{"no address", "nats://host:none", "the address of the server can't be read"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			l, err := connect(t.Context(), Options{URL: c.url}, "test", new(log).printf)
			if err == nil {
				l.close()
			}
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if err != nil && strings.Contains(err.Error(), "wrong") {
				t.Errorf("error %v has the password", err)
			}
		})
	}
}

// TestRefused: what a worker gives that is not used is no result, and is had from another one.
func TestRefused(t *testing.T) {
	other := kind
	other.Layers = "none"
	c := &Client{kind: kind, workers: map[string]*known{}, waiting: map[string]*waiting{}, logf: new(log).printf}
	c.heardOf(presence{Worker: "a", Host: "a", Kind: kind, Slots: 1})
	c.heardOf(presence{Worker: "b", Host: "b", Kind: other, Slots: 1})
	c.heardOf(presence{Worker: "c", Host: "c", Kind: kind, Slots: 1})
	c.distrust("c", "what it gave can't be read")
	for worker, want := range map[string]bool{"a": true, "b": false, "c": false, "not heard of yet": true} {
		of := &waiting{result: make(chan result, 1)}
		c.waiting["1"] = of
		c.arrived(result{ID: "1", Worker: worker, Replies: []byte("replies")})
		if r := <-of.result; (r.lost == "") != want || (r.Replies != nil) != want {
			t.Errorf("worker %s gave %+v", worker, r)
		}
	}
}

// TestSlots: a worker that says nothing any more does not count.
func TestSlots(t *testing.T) {
	c := &Client{link: &link{}, kind: kind, workers: map[string]*known{}, waiting: map[string]*waiting{}}
	c.heardOf(presence{Worker: "a", Kind: kind, Slots: 3})
	c.heardOf(presence{Worker: "b", Kind: kind, Slots: 2})
	c.workers["b"].heard = time.Now().Add(-2 * gone)
	if got := c.Slots(); got != 3 {
		t.Errorf("%d slots", got)
	}
	c.heardOf(presence{Worker: "a", Kind: kind})
	if got := c.Slots(); got != 0 {
		t.Errorf("%d slots of one that leaves", got)
	}
}

// TestThere: a worker whose slots are all taken is there, though it has none.
func TestThere(t *testing.T) {
	c := &Client{link: &link{}, kind: builder("go1"), workers: map[string]*known{}, waiting: map[string]*waiting{}}
	c.heardOf(presence{Worker: "a", Kind: builder("go1"), Slots: 1, Running: []string{"x-1"}, Jobs: []string{"x-1"}})
	if c.Slots() != 0 || c.JobSlots() != 0 || !c.there(plays) || !c.there(c.builds) {
		t.Error("a worker that is at the job of another is gone")
	}
	c.workers["a"].Kind = builder("go2")
	if !c.there(plays) || c.there(c.builds) {
		t.Error("a worker that only plays is taken for another")
	}
	c.workers["a"].Slots = 0
	if c.there(plays) {
		t.Error("a worker that leaves is there")
	}
	c.workers["a"].Slots, c.workers["a"].heard = 1, time.Now().Add(-2*gone)
	if c.there(plays) {
		t.Error("a worker that says nothing any more is there")
	}
}

// TestBusy: who waits for a worker that does something else for another is told nothing else than that it waits.
func TestBusy(t *testing.T) {
	c := &Client{link: &link{}, kind: kind, workers: map[string]*known{}, waiting: map[string]*waiting{}}
	c.heardOf(presence{Worker: "a", Kind: kind, Slots: 1, Jobs: []string{"x-1"}})
	h := handed{able: plays, slots: c.Slots, patient: 2 * gone}
	of := &waiting{result: make(chan result, 1), heard: time.Now().Add(-gone - beat/2)}
	for _, h.patient = range []time.Duration{2 * gone, gone} {
		ctx, cancel := context.WithTimeout(t.Context(), 3*beat/2)
		_, err := c.wait(ctx, of, h)
		cancel()
		if h.patient > gone != errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "gone") {
			t.Errorf("with patience %v: %v", h.patient, err)
		}
	}
}

// TestDiscarded: workers whose results are not used are at work, so they are not left alone.
func TestDiscarded(t *testing.T) {
	c := &Client{link: &link{}, kind: kind, workers: map[string]*known{}, waiting: map[string]*waiting{}}
	c.logf = new(log).printf
	c.heardOf(presence{Worker: "a", Kind: kind, Slots: 1})
	for range mostLost {
		c.count(fmt.Errorf("what worker a gave: %w", replay.Discarded{Why: errors.New("a limit ended it")}))
	}
	if c.Slots() != 1 || c.Status().Redone != mostLost {
		t.Errorf("%d slots, %+v", c.Slots(), c.Status())
	}
}

// TestBelieved: whoever says much of himself, or of many workers, is believed some of it, and takes no more memory.
func TestBelieved(t *testing.T) {
	c := &Client{link: &link{}, kind: kind, workers: map[string]*known{}, waiting: map[string]*waiting{}}
	c.heardOf(presence{Worker: "a", Kind: kind, Slots: 1 << 40})
	if got := c.Slots(); got != mostSlots {
		t.Errorf("%d slots", got)
	}
	c.workers["a"].tasks = 1
	for i := range 2 * mostWorkers {
		c.heardOf(presence{Worker: strconv.Itoa(i), Kind: kind, Slots: 1})
	}
	if len(c.workers) != mostWorkers {
		t.Errorf("%d workers", len(c.workers))
	}
	for _, w := range c.workers {
		w.heard = time.Now().Add(-2 * distance)
	}
	c.heardOf(presence{Worker: "new", Kind: kind, Slots: 1})
	if len(c.workers) != 2 || c.workers["a"] == nil {
		t.Errorf("%d workers are left", len(c.workers))
	}
	for _, p := range []presence{
		{Worker: strings.Repeat("a", mostName+1)}, {Running: make([]string, mostSlots+1)},
		{Jobs: make([]string, mostSlots+1)},
	} {
		if p.plausible() {
			t.Errorf("it is believed: %.80v", p)
		}
	}
}

// TestOvertaken: a task that was done here before its worker had done it is counted, so that workers which hang are
// left alone. One that a refused worker says it has is not had.
func TestOvertaken(t *testing.T) {
	url := start(t, "").URL()
	of, _ := client(t, url)
	f := &fake{of: kind, give: func(jetstream.Msg, *task) *result { return nil }}
	f.work(t, url, "fake")
	slots(t, of, 1)
	ctx, end := context.WithCancelCause(t.Context())
	time.AfterFunc(beat/10, func() { end(replay.ErrOvertaken) })
	if err := of.Do(ctx, driver(t), func([]byte) error { return nil }); err == nil {
		t.Error("no error")
	}
	if got := of.Status().Redone; got != 1 {
		t.Errorf("%d were done here instead", got)
	}
	of.distrust("fake", "it lies")
	held := &waiting{}
	of.mu.Lock()
	of.waiting["1"] = held
	of.mu.Unlock()
	of.heardOf(presence{Worker: "fake", Kind: kind, Running: []string{"1"}})
	if held.worker != "" {
		t.Error("a refused worker has the task")
	}
}

// TestNeverHeard: a worker that gives what is no result, and never said that it is there, is not used any more.
func TestNeverHeard(t *testing.T) {
	c := &Client{kind: kind, workers: map[string]*known{}, waiting: map[string]*waiting{}, logf: new(log).printf}
	c.distrust("liar", "what it gave can't be read")
	of := &waiting{result: make(chan result, 1)}
	c.waiting["1"] = of
	if c.arrived(result{ID: "1", Worker: "liar"}); (<-of.result).lost == "" {
		t.Error("what it gives is taken")
	}
}
