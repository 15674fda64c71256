package fleet

import (
	"bytes"
	"context"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
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

// TestContentMissing: what the server has no more is sent again when a worker misses it.
func TestContentMissing(t *testing.T) {
	server := start(t, "")
	hire(t, server.URL(), "go1", func(_ context.Context, _ int, what []byte, _ []string) ([]byte, error) {
		return what[:4], nil
	})
	c := asker(t, server.URL(), "go1")
	await(t, c, func() bool { return c.JobSlots() == 1 })
	what := string(bytes.Repeat([]byte("what"), inlined))
	for range 2 {
		got, err := done(t.Context(), c, what)
		if err != nil || string(got) != "what" {
			t.Errorf("got %q, %v", got, err)
		}
		if err := c.blobs.Delete(t.Context(), string(addressOf([]byte(what)))); err != nil {
			t.Error(err)
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
