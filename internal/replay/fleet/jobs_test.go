package fleet

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// does is a job.
type does = func(ctx context.Context, slot int, what []byte, folders []string) ([]byte, error)

// builder is the kind of those who do jobs.
func builder(goes string) Kind {
	k := kind
	if k.Go = goes; goes != "" {
		k.Settings = "GOVERSION=" + goes + " CC=1"
	}
	return k
}

// hire starts a worker with one slot until the test ends.
func hire(t *testing.T, url, goes string, do does) *log {
	t.Helper()
	return run(t, url, &Worker{Kind: builder(goes), Job: do})
}

// run runs a worker with one slot until the test ends.
func run(t *testing.T, url string, w *Worker) (lines *log) {
	t.Helper()
	lines = &log{}
	ctx, end := context.WithCancel(t.Context())
	w.Options, w.Sandboxes, w.Temp, w.Log = Options{URL: url}, make([]*sandbox.Sandbox, 1), t.TempDir(), lines.printf
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	t.Cleanup(func() {
		end()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return lines
}

// asker returns a client whose jobs are for a go command.
func asker(t *testing.T, url, goes string) *Client {
	t.Helper()
	c, err := Connect(t.Context(), Options{URL: url}, builder(goes), new(log).printf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// await waits until a condition holds, of which workers have to say something.
func await(t *testing.T, c *Client, holds func() bool) {
	t.Helper()
	for !holds() {
		if err := c.nats.Publish(helloSubject, nil); err != nil {
			t.Fatal(err)
		}
		if err := c.nats.FlushTimeout(asking); err != nil {
			t.Fatal(err)
		}
	}
}

// TestJob: a job gets there with its folders, whatever its size, and its result comes back.
func TestJob(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "name"), []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	long := bytes.Repeat([]byte("what "), inlined)
	url := start(t, "").URL()
	hire(t, url, "go1", func(_ context.Context, slot int, what []byte, folders []string) ([]byte, error) {
		if string(what) == "fail" || slot != 0 {
			return nil, errors.New("no such module")
		}
		text, err := os.ReadFile(filepath.Join(folders[0], "name"))
		return append(append(what, " with "...), text...), err
	})
	c := asker(t, url, "go1")
	await(t, c, func() bool { return c.JobSlots() == 1 })
	for _, what := range []string{"short", string(long)} {
		got, err := done(t.Context(), c, what, folder)
		if err != nil || string(got) != what+" with content" {
			t.Errorf("got %.30q, %v", got, err)
		}
	}
	_, err := done(t.Context(), c, "fail", folder)
	if err == nil || !strings.Contains(err.Error(), "no such module") {
		t.Errorf("error %v, want that of the worker", err)
	}
	if did := c.Account(); len(did.Shares) != 1 || did.Shares[0].Tasks != 2 || did.Redone != 1 {
		t.Errorf("the workers did %+v", did)
	}
}

// TestBrief: the server keeps what one task alone needs, and results, for as long as they are waited for, and what many
// need for a run.
func TestBrief(t *testing.T) {
	what, found := bytes.Repeat([]byte("what "), inlined), bytes.Repeat([]byte("found "), inlined)
	url := start(t, "").URL()
	hire(t, url, "go1", func(context.Context, int, []byte, []string) ([]byte, error) { return found, nil })
	c := asker(t, url, "go1")
	await(t, c, func() bool { return c.JobSlots() == 1 })
	if _, err := done(t.Context(), c, string(what)); err != nil {
		t.Fatal(err)
	}
	m, err := c.message(t.Context(), driver(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		reason string
		at     address
		brief  bool
	}{
		{"what a job is", addressOf(what), true}, {"a result", addressOf(found), true},
		{"a driver", m.Binary, false}, {"what tasks have in common", m.Setup, false},
	} {
		for _, s := range []*shelf{c.shelf, c.brief} {
			if _, err := s.size(t.Context(), test.at, mostHeld); (err == nil) != (test.brief == (s == c.brief)) {
				t.Errorf("%s in %s: %v", test.reason, s.bucket, err)
			}
		}
	}
}

// done has a job done, and returns what was found.
func done(ctx context.Context, c *Client, what string, folders ...string) (found []byte, err error) {
	err = c.Job(ctx, []byte(what), func(of []byte) error { found = of; return nil }, folders...)
	return found, err
}

// TestJobOther: who has another go command, or does no jobs, plays only, and both sides say why, once.
func TestJobOther(t *testing.T) {
	took := func(context.Context, int, []byte, []string) ([]byte, error) { return nil, errors.New("it took a job") }
	const client, worker = "does no whole pieces of this run: ", "a comparison has no whole pieces done here: "
	for _, c := range []struct {
		reason    string
		goes      string
		do        does
		why, why2 string // on the sides of client and worker
	}{
		{"another go command", "go2", took, client + "its go command is go2, and here it is go1",
			worker + "its go command is go1, and here it is go2"},
		{"it only plays", "go1", nil, client + "it only plays", ""},
		{"it has no go command", "", took, client + "it only plays", ""},
	} {
		t.Run(c.reason, func(t *testing.T) {
			url, lines := start(t, "").URL(), &log{}
			said := hire(t, url, c.goes, c.do)
			of, err := Connect(t.Context(), Options{URL: url}, builder("go1"), lines.printf)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(of.Close)
			await(t, of, func() bool { return of.Slots() == 1 })
			if n := of.JobSlots(); n != 0 {
				t.Errorf("%d slots for jobs", n)
			}
			if _, err := done(t.Context(), of, "job"); !errors.Is(err, errNobody) {
				t.Errorf("error %v, want %v", err, errNobody)
			}
			if n := strings.Count(lines.String(), c.why); n != 1 {
				t.Errorf("the client says %d times %q: %q", n, c.why, lines)
			}
			for range 2 { // a second comparison of the kind changes nothing
				_ = of.nats.Publish(helloSubject, encode(of.kind))
			}
			await(t, of, func() bool { return c.why2 == "" || strings.Contains(said.String(), c.why2) })
			if n := strings.Count(said.String(), "a comparison"); c.why2 != "" && n != 1 || c.why2 == "" && n != 0 {
				t.Errorf("the worker says %d times why: %q", n, said)
			}
		})
	}
}

// TestSettings: it is said which settings of the go commands differ.
func TestSettings(t *testing.T) {
	one := Kind{Go: "1", Settings: "GOVERSION=go1 CC=1 GOFLAGS=2"}
	for text, want := range map[string]string{
		"GOVERSION=go2 CC=3":           "go2, and here it is go1",
		"GOVERSION=go1 CC=3":           "another CC, GOFLAGS;",
		"GOVERSION=go1 CC=1 GOFLAGS=2": "other settings",
	} {
		if got := one.goes(Kind{Go: "2", Settings: text}); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestNobody: that no worker is there is said once.
func TestNobody(t *testing.T) {
	lines := &log{}
	c := &Client{logf: lines.printf, begun: time.Now(), workers: map[string]*known{}}
	c.miss()
	if text := lines.String(); text != "" {
		t.Errorf("at once: %q", text)
	}
	c.begun = c.begun.Add(-2 * gone)
	c.miss()
	c.miss()
	if text := lines.String(); strings.Count(text, "no worker is at the server") != 1 {
		t.Errorf("log %q", text)
	}
}

// TestJobSlots: a slot with a job does no plays, and no jobs of others. A job that nobody waits for any more ends.
func TestJobSlots(t *testing.T) {
	url := start(t, "").URL()
	begun, ended := make(chan struct{}), make(chan error, 1)
	hire(t, url, "go1", func(ctx context.Context, _ int, _ []byte, _ []string) ([]byte, error) {
		close(begun)
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	})
	one, two := asker(t, url, "go1"), asker(t, url, "go1")
	await(t, one, func() bool { return one.JobSlots() == 1 })
	ctx, cancel := context.WithCancel(t.Context())
	given := make(chan error, 1)
	go func() {
		_, err := done(ctx, one, "job")
		given <- err
	}()
	await(t, two, func() bool { return two.Status().Workers == 1 && two.JobSlots() == 0 })
	await(t, one, func() bool { return one.Slots() == 0 })
	if n := one.JobSlots(); n != 1 {
		t.Errorf("%d slots of who has the job, want its own", n)
	}
	<-begun // what is withdrawn before does not begin
	cancel()
	if err := <-given; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the job ended with %v", err)
	}
	await(t, two, func() bool { return two.JobSlots() == 1 })
}

// TestClientGone: the job of a client that was killed ends, and what it left in the queue does not begin.
func TestClientGone(t *testing.T) {
	url := start(t, "").URL()
	begun := make(chan string, 8)
	ended := make(chan error, 8)
	run(t, url, &Worker{
		Kind: builder("go1"), silent: 2,
		Job: func(ctx context.Context, _ int, what []byte, _ []string) ([]byte, error) {
			begun <- string(what)
			if string(what) == "living" {
				return what, nil
			}
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		},
	})
	killed, living := asker(t, url, "go1"), asker(t, url, "go1")
	await(t, killed, func() bool { return killed.JobSlots() == 1 })
	for _, what := range []string{"first", "second"} {
		go func() { _, _ = done(t.Context(), killed, what) }()
		await(t, killed, func() bool {
			s := killed.Status()
			return s.Running == 1 && (what == "first" || s.Waiting == 1)
		})
	}
	stream, err := living.js.Stream(t.Context(), taskStream)
	if err != nil {
		t.Fatal(err)
	}
	for queued := uint64(0); queued < 2; {
		info, err := stream.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		queued = info.State.Msgs
	}
	if got := <-begun; got != "first" {
		t.Errorf("job %q began", got)
	}
	killed.nats.Close()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the job ended with %v", err)
	}
	await(t, living, func() bool { return living.JobSlots() == 1 })
	if got, err := done(t.Context(), living, "living"); string(got) != "living" {
		t.Errorf("got %q, %v", got, err)
	}
	if got := <-begun; got != "living" {
		t.Errorf("job %q began, want only the one that somebody waits for", got)
	}
}

// TestRunNames: what is no run gets into no subject.
func TestRunNames(t *testing.T) {
	for run, want := range map[string]bool{
		rand.Text(): true, "": false, "A.B": false, "*": false, "A B": false, strings.Repeat("A", 65): false,
	} {
		if got := validRun(run); got != want {
			t.Errorf("%q: %v", run, got)
		}
	}
}
