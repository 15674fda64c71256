package fleet

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// TestLeave: a worker that has to leave while it asks for the client of a task hands the task back.
func TestLeave(t *testing.T) {
	l, err := connect(t.Context(), Options{URL: start(t, "").URL()}, "test", new(log).printf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	ctx, leave := context.WithCancel(t.Context())
	w := &Worker{
		Options: Options{URL: l.nats.ConnectedUrl()}, Kind: kind, Sandboxes: make([]*sandbox.Sandbox, 1),
		Temp: t.TempDir(), Log: new(log).printf,
	}
	if _, err := l.nats.Subscribe(workerSubject, func(m *nats.Msg) {
		var p presence
		if json.Unmarshal(m.Data, &p) == nil && len(p.Running) > 0 {
			leave()
		}
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.publish(ctx, taskSubject+"."+kind.subject()+".RUN", "1", task{ID: "1", Run: "RUN"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Run(ctx); err != nil {
		t.Fatal(err)
	}
	stream, err := l.js.Stream(t.Context(), taskStream)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := stream.Info(t.Context()); err != nil || info.State.Msgs != 1 {
		t.Errorf("%d tasks are left, %v", info.State.Msgs, err)
	}
}

// TestBegin: a task that a worker is at, and is given once more, is done once.
func TestBegin(t *testing.T) {
	w := &Worker{running: map[string]*running{}}
	first := &running{}
	if !w.begin("1", first) || w.begin("1", &running{}) || w.running["1"] != first {
		t.Error("it is done twice")
	}
}

// TestBroken: a worker leaves for what fails on its machine, and for nothing that a task has fail.
func TestBroken(t *testing.T) {
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	for range 2 {
		if err := w.WriteHeader(&tar.Header{Name: "twice", Typeflag: tar.TypeReg, Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	there, gone := t.TempDir(), filepath.Join(t.TempDir(), "none")
	for _, c := range []struct {
		reason string
		temp   string
		err    error
		want   bool
	}{
		{"a name twice in a folder", there, unpack(&packed, t.TempDir(), mostFolder), false},
		{"its disk is full", there, fmt.Errorf("content: %w", syscall.ENOSPC), true},
		{"no error of the system", there, errors.New("no module"), false},
		{"its folder is gone", gone, errors.New("no file"), true},
	} {
		if got := (&Worker{Temp: c.temp}).broken(c.err); c.err == nil || got != c.want {
			t.Errorf("%s: %v for %v", c.reason, got, c.err)
		}
	}
}

// TestLongReason: that a task failed is heard of, however much there is to say of it.
func TestLongReason(t *testing.T) {
	url := start(t, "").URL()
	hire(t, url, "go1", func(context.Context, int, []byte, []string) ([]byte, error) {
		return nil, errors.New("begin " + strings.Repeat("é", 1<<20) + " end")
	})
	c := asker(t, url, "go1")
	await(t, c, func() bool { return c.JobSlots() == 1 })
	begun := time.Now()
	_, err := done(t.Context(), c, "what")
	if err == nil || !strings.Contains(err.Error(), "begin") || !strings.HasSuffix(err.Error(), "end") ||
		len(err.Error()) > 2*mostReason || time.Since(begun) > gone {
		t.Errorf("after %v: %.100v", time.Since(begun), err)
	}
}
