package fleet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// again starts a server again that was closed, with a folder and perhaps a configuration.
func again(t *testing.T, of *Server, store string, config ...string) {
	t.Helper()
	at, err := url.Parse(of.URL())
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(at.Port())
	if err != nil {
		t.Fatal(err)
	}
	server, err := Serve(Serving{Host: "127.0.0.1", Port: port, Store: store, Config: strings.Join(config, "")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
}

// returned waits until a client is connected again.
func returned(t *testing.T, c *Client) {
	t.Helper()
	change := c.nats.StatusChanged(nats.CONNECTED)
	if c.nats.IsConnected() {
		return
	}
	select {
	case <-change:
	case <-t.Context().Done():
	}
}

// TestStoreLost: a server that is started again without what it had gets it again, tasks that nobody has included, and
// results come as before. What a worker has is finished.
func TestStoreLost(t *testing.T) {
	server := start(t, "")
	begun, finish := make(chan string, 8), make(chan struct{})
	hire(t, server.URL(), "go1", func(ctx context.Context, _ int, what []byte, folders []string) ([]byte, error) {
		begun <- string(what)
		if strings.HasPrefix(string(what), "long") {
			select {
			case <-finish:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return os.ReadFile(filepath.Join(folders[0], "name"))
	})
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "name"), []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := asker(t, server.URL(), "go1")
	await(t, c, func() bool { return c.JobSlots() == 1 })
	for range 3 { // so that results have larger numbers than those after the loss
		if _, err := done(t.Context(), c, "short", folder); err != nil {
			t.Fatal(err)
		}
		<-begun
	}
	results := make(chan error, 2)
	ask := func(what string) {
		_, err := done(t.Context(), c, what, folder)
		results <- err
	}
	go ask("long")
	<-begun
	await(t, c, func() bool { return c.Status().Running == 1 })
	go ask("waiting")
	await(t, c, func() bool { return c.Status().Waiting == 1 })
	server.Close()
	again(t, server, t.TempDir())
	returned(t, c)
	close(finish)
	for range 2 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}

// TestStoreKept: a server that is started again with what it had is the same.
func TestStoreKept(t *testing.T) {
	store := t.TempDir()
	server, err := Serve(Serving{Host: "127.0.0.1", Port: -1, Store: store})
	if err != nil {
		t.Fatal(err)
	}
	c, _ := client(t, server.URL())
	before := c.since()
	server.Close()
	again(t, server, store)
	returned(t, c)
	c.look()
	if now := c.since(); !now.Equal(before) {
		t.Errorf("its stream was made at %v, and before at %v", now, before)
	}
}

// TestContentMissing: what the server has no more, or has in name only, is sent again when a worker misses it.
func TestContentMissing(t *testing.T) {
	for _, c := range []struct {
		reason string
		lose   func(t *testing.T, l *link, a address)
	}{
		{"it is gone", func(t *testing.T, l *link, a address) {
			if err := l.brief.blobs.Delete(t.Context(), string(a)); err != nil {
				t.Error(err)
			}
		}},
		{"its chunks are gone", func(t *testing.T, l *link, _ address) { empty(t, l, briefBucket) }},
		{"it is another one", func(t *testing.T, l *link, a address) {
			other, meta := bytes.Repeat([]byte("liar"), inlined), jetstream.ObjectMeta{Name: string(a)}
			if _, err := l.brief.blobs.Put(t.Context(), meta, bytes.NewReader(other)); err != nil {
				t.Error(err)
			}
		}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			url := start(t, "").URL()
			first := func(_ context.Context, _ int, what []byte, _ []string) ([]byte, error) { return what[:4], nil }
			run(t, url, &Worker{Kind: builder("go1"), Job: first, patient: beat})
			of := asker(t, url, "go1")
			await(t, of, func() bool { return of.JobSlots() == 1 })
			what := string(bytes.Repeat([]byte("what"), inlined))
			for range 2 {
				got, err := done(t.Context(), of, what)
				if err != nil || string(got) != "what" {
					t.Errorf("got %q, %v", got, err)
				}
				c.lose(t, of.link, addressOf([]byte(what)))
			}
			if did := of.Account(); did.Redone != 0 || did.Retried != 1 {
				t.Errorf("%d done again, %d retried", did.Redone, did.Retried)
			}
		})
	}
}

// empty takes the chunks of all contents in a part of the store from a server, which goes on saying that it has them.
func empty(t *testing.T, l *link, bucket string) {
	t.Helper()
	stream, err := l.js.Stream(t.Context(), "OBJ_"+bucket)
	if err == nil {
		err = stream.Purge(t.Context(), jetstream.WithPurgeSubject("$O."+bucket+".C.>"))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestStalled: who waits for a content that does not arrive hears when its context ends, and gives up when nothing
// comes.
func TestStalled(t *testing.T) {
	l, err := connect(t.Context(), Options{URL: start(t, "").URL()}, "test", new(log).printf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	a, err := l.putBytes(t.Context(), bytes.Repeat([]byte("content "), inlined))
	if err != nil {
		t.Fatal(err)
	}
	empty(t, l, bucket)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(beat/10, cancel)
	begun := time.Now()
	if _, err := l.fetchBytes(ctx, a, mostHeld); !errors.Is(err, context.Canceled) || time.Since(begun) > 3*beat {
		t.Errorf("after %v: %v", time.Since(begun), err)
	}
	l.patience = beat / 2
	var of *missing
	if _, err := l.fetchBytes(t.Context(), a, mostHeld); !errors.As(err, &of) || of.content != a {
		t.Errorf("error %v", err)
	}
}

// TestStalledLeave: a worker that waits for a content leaves when it has to.
func TestStalledLeave(t *testing.T) {
	url := start(t, "").URL()
	of := asker(t, url, "go1")
	what := bytes.Repeat([]byte("what"), inlined)
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "name"), what, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sendFolder(t.Context(), of.link, folder); err != nil {
		t.Fatal(err)
	}
	empty(t, of.link, bucket)
	ctx, leave := context.WithCancel(t.Context())
	w := &Worker{
		Options: Options{URL: url}, Kind: builder("go1"), Sandboxes: make([]*sandbox.Sandbox, 1), Temp: t.TempDir(),
		Job: func(context.Context, int, []byte, []string) ([]byte, error) { return nil, errors.New("it began") },
		Log: new(log).printf,
	}
	left := make(chan error, 1)
	go func() { left <- w.Run(ctx) }()
	await(t, of, func() bool { return of.JobSlots() == 1 })
	asked, end := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() {
		_, err := done(asked, of, "what", folder)
		result <- err
	}()
	await(t, of, func() bool { return of.Status().Running == 1 })
	await(t, of, func() bool { // until it waits for the content
		stream, err := of.js.Stream(t.Context(), "OBJ_"+bucket)
		return err == nil && stream.CachedInfo().State.Consumers > 0
	})
	begun := time.Now()
	leave()
	if err := <-left; err != nil || time.Since(begun) > 4*beat {
		t.Errorf("it left after %v: %v", time.Since(begun), err)
	}
	end()
	if err := <-result; err == nil {
		t.Error("what does not arrive was done")
	}
}

// TestSentAgain: what was put since a task was handed out is not put again for it, and nothing more than some times.
func TestSentAgain(t *testing.T) {
	c := &Client{link: &link{}, sent: sent{at: map[string]placed{}}}
	before := time.Now()
	for i := range mostHanded + 1 {
		c.sent.at["key"] = placed{"a", time.Now()}
		if c.sendAgain("a", before); c.mending.asked("a") {
			t.Error("it is put again although that was done")
		}
		c.sendAgain("a", time.Now().Add(beat))
		if got := c.mending.asked("a"); got != (i < mostHanded) {
			t.Errorf("asked for %d times, put again: %v", i+1, got)
		}
		c.mending.mended("a")
	}
}

// TestOnce: what the server may not have any more is sent again, though it was sent in this run.
func TestOnce(t *testing.T) {
	s, times := &sent{at: map[string]placed{}}, 0
	for _, c := range []struct {
		lasting time.Duration
		want    int // until then
	}{{time.Hour, 1}, {time.Hour, 1}, {0, 2}} {
		_, err := s.once(t.Context(), "key", c.lasting, func(context.Context) (address, error) {
			times++
			return "a", nil
		})
		if err != nil || times != c.want {
			t.Errorf("lasting %v: sent %d times, want %d, %v", c.lasting, times, c.want, err)
		}
	}
}

// TestPutOld: what the server will not have much longer is sent again.
func TestPutOld(t *testing.T) {
	l, err := connect(t.Context(), Options{URL: start(t, "").URL()}, "test", new(log).printf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	sent := 0
	for _, c := range []struct {
		reason  string
		lasting time.Duration
		sent    int // until then
	}{
		{"it is not there", stored, 1},
		{"it is there for long enough", stored, 1},
		{"it is too old", 0, 2},
	} {
		l.lasting = c.lasting
		err := l.put(t.Context(), addressOf([]byte("content")), 7, func() (io.ReadCloser, error) {
			sent++
			return io.NopCloser(strings.NewReader("content")), nil
		})
		if err != nil || sent != c.sent {
			t.Errorf("%s: sent %d times, want %d, %v", c.reason, sent, c.sent, err)
		}
	}
}

// A deaf is a store that hears nothing, or nothing after it has read a content.
type deaf struct {
	jetstream.ObjectStore
	reads bool
	heard chan struct{}
}

func (d *deaf) Put(ctx context.Context, _ jetstream.ObjectMeta, content io.Reader) (*jetstream.ObjectInfo, error) {
	if d.reads {
		if _, err := io.ReadAll(content); err != nil {
			return nil, err
		}
	}
	close(d.heard)
	<-ctx.Done()
	return nil, nats.ErrTimeout
}

// TestUnanswered: a question about a content that gets no answer does not take the time that the content may take, nor
// do parts whose confirmations were lost with the connection.
func TestUnanswered(t *testing.T) {
	for _, c := range []struct {
		reason   string
		reads    bool
		patience time.Duration
		want     error
	}{
		{"no answer", false, beat / 10, errUnanswered},
		{"no confirmation", true, asking, errCut},
	} {
		t.Run(c.reason, func(t *testing.T) {
			server := start(t, "")
			l, err := connect(t.Context(), Options{URL: server.URL()}, "test", new(log).printf)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(l.close)
			store := &deaf{l.moved, c.reads, make(chan struct{})}
			l.moved, l.patience = store, c.patience
			ended := make(chan error, 1)
			go func() { _, err := l.putBytes(t.Context(), []byte("content")); ended <- err }()
			<-store.heard
			if c.reads {
				server.Close()
			}
			if err := <-ended; !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
		})
	}
}

// TestTrickle: a content that comes byte by byte, so that it would come for hours, is given up.
func TestTrickle(t *testing.T) {
	for wait, want := range map[time.Duration]error{0: nil, moving(0) + beat: errStalled} {
		r := &arriving{from: io.NopCloser(strings.NewReader("bytes")), begun: time.Now().Add(-wait), patient: asking}
		if _, err := r.Read(make([]byte, 1)); !errors.Is(err, want) {
			t.Errorf("after %v: error %v, want %v", wait, err, want)
		}
	}
}

// A slow is a content, or where it goes, that moves once it may. It counts those that move at the same time.
type slow struct {
	may  <-chan struct{}
	move func(by int)
	left string
}

func (s *slow) Read(to []byte) (n int, err error) {
	<-s.may
	n = copy(to, s.left)
	if s.left = s.left[n:]; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (s *slow) Write(from []byte) (int, error) {
	s.move(1)
	<-s.may
	return len(from), nil
}

func (s *slow) Close() error {
	s.move(-1)
	return nil
}

// TestTransfers: of many contents few move at the same time, so that each has the link for as long as it may take.
func TestTransfers(t *testing.T) {
	l, err := connect(t.Context(), Options{URL: start(t, "").URL()}, "test", new(log).printf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	const n = 5
	put := func(i int, s *slow) error {
		s.left = strconv.Itoa(i)
		return l.put(t.Context(), addressOf([]byte(s.left)), 1, func() (io.ReadCloser, error) {
			s.move(1)
			return s, nil
		})
	}
	fetch := func(i int, s *slow) error {
		defer s.move(-1)
		return l.fetch(t.Context(), addressOf([]byte(strconv.Itoa(i))), 1, s)
	}
	for _, do := range []func(int, *slow) error{put, fetch} {
		var mu sync.Mutex
		now, most := 0, 0
		begun, finish := make(chan struct{}, n), make(chan struct{})
		move := func(by int) {
			mu.Lock()
			defer mu.Unlock()
			if now += by; by > 0 {
				most = max(most, now)
				begun <- struct{}{}
			}
		}
		done := make(chan error, n)
		for i := range n {
			go func() { done <- do(i, &slow{may: finish, move: move}) }()
		}
		for range transfers {
			<-begun
		}
		for range 50 { // the others could begin meanwhile
			if _, err := l.has(t.Context(), addressOf([]byte("0")), 1); err != nil {
				t.Error(err)
			}
		}
		close(finish)
		for range n {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if most != transfers {
			t.Errorf("%d moved at the same time, want %d", most, transfers)
		}
	}
}
