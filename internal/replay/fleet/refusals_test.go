package fleet

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// documented returns the configuration of a server that docs/ci.md shows, without some of the permissions.
func documented(t *testing.T, without ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, config, found := strings.Cut(string(text), "\n    authorization {\n")
	config, _, ended := strings.Cut(config, "\n    }\n")
	if !found || !ended {
		t.Fatal("docs/ci.md shows no authorization")
	}
	config = strings.Replace(config, "$ADA_PASSWORD", "right", 1)
	for _, subject := range without {
		if !strings.Contains(config, `"`+subject+`"`) {
			t.Fatalf("%s is not permitted in docs/ci.md", subject)
		}
		config = strings.Replace(config, `"`+subject+`"`, `"nothing"`, 1)
	}
	return "authorization {\n" + config + "\n}\n"
}

// ada returns the address of a server for the user of docs/ci.md.
func ada(of *Server) string { return strings.Replace(of.URL(), "//", "//ada:right@", 1) }

// TestPermissions: the permissions that docs/ci.md lists are enough for all that comparisons and workers do.
func TestPermissions(t *testing.T) {
	url := ada(start(t, documented(t)))
	folder, lines := t.TempDir(), &log{}
	if err := os.WriteFile(filepath.Join(folder, "name"), []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	hire(t, url, "go1", func(_ context.Context, _ int, what []byte, folders []string) ([]byte, error) {
		_, err := os.ReadFile(filepath.Join(folders[0], "name"))
		return what, err
	})
	c, err := Connect(t.Context(), Options{URL: url}, builder("go1"), lines.printf)
	if err != nil {
		t.Fatal(err)
	}
	await(t, c, func() bool { return c.JobSlots() == 1 })
	for _, size := range []int{10, 2 * inlined} {
		what := strings.Repeat("w", size)
		if got, err := done(t.Context(), c, what, folder); err != nil || string(got) != what {
			t.Errorf("got %.20q, %v", got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _ = done(ctx, c, "withdrawn", folder)
	c.look()
	stream, err := c.js.Stream(t.Context(), taskStream)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.DeleteMsg(t.Context(), 1); errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("withdraw a task: %v", err)
	}
	c.Close()
	if text := lines.String(); text != "" {
		t.Errorf("log %q", text)
	}
}

// TestRefusedLink: who may not use JetStream is told so, and what to do, at once.
func TestRefusedLink(t *testing.T) {
	for _, without := range []string{"$JS.API.STREAM.*.SPECTRADIFF_TASKS", "$JS.API.STREAM.*.OBJ_spectradiff"} {
		begun := time.Now()
		l, err := connect(t.Context(), Options{URL: ada(start(t, documented(t, without)))}, "test", new(log).printf)
		if err == nil {
			l.close()
		}
		if err == nil || !strings.Contains(err.Error(), strings.TrimPrefix(without, "$JS.API.STREAM.*.")) ||
			!strings.Contains(err.Error(), "docs/ci.md") || time.Since(begun) > asking/2 {
			t.Errorf("without %s: error %v after %v", without, err, time.Since(begun))
		}
	}
}

// TestRefusedLater: what a worker or a comparison may not do later is in its log, once, with what to do.
func TestRefusedLater(t *testing.T) {
	server := start(t, documented(t, "spectradiff.>"))
	lines := &log{}
	l, err := connect(t.Context(), Options{URL: ada(server)}, "test", lines.printf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	for range 3 {
		if err := l.nats.Publish(workerSubject, nil); err != nil {
			t.Fatal(err)
		}
		if err := l.nats.FlushTimeout(asking); err != nil {
			t.Fatal(err)
		}
	}
	want := `Permissions Violation for Publish to "` + workerSubject
	for !strings.Contains(lines.String(), "docs/ci.md") {
		runtime.Gosched()
	}
	if text := lines.String(); strings.Count(text, want) != 1 || strings.Count(text, "\n") != 1 {
		t.Errorf("log %q, want one line with %q", text, want)
	}
}

// TestDenied: whom the server does not let in any more is told so, once, and it is known for how long.
func TestDenied(t *testing.T) {
	const users = `authorization { users = [ { user: ada, password: PASSWORD } ] }`
	server := start(t, strings.Replace(users, "PASSWORD", "right", 1))
	lines := &log{}
	l, err := connect(t.Context(), Options{URL: ada(server)}, "test", lines.printf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	server.Close()
	config := filepath.Join(t.TempDir(), "server.conf")
	if err := os.WriteFile(config, []byte(strings.Replace(users, "PASSWORD", "other", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	again(t, server, t.TempDir(), config)
	for l.refusals.out(beat) == nil {
		runtime.Gosched()
	}
	const want = "refuses this user: nats: authorization violation; name a user"
	if text := lines.String(); strings.Count(text, want) != 1 {
		t.Errorf("log %q", text)
	}
	l.refusals.back()
	if err := l.refusals.out(0); err != nil {
		t.Errorf("after it was let in again: %v", err)
	}
}

// TestDenials: expired and revoked credentials come with what to do.
func TestDenials(t *testing.T) {
	for _, err := range []error{nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrAccountAuthExpired} {
		if got := advice(err); !strings.Contains(got, "get new credentials") {
			t.Errorf("%v%s", err, got)
		}
	}
}
