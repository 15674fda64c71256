package replay

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A fakeProcess uses a given amount of processor time between two looks.
type fakeProcess struct {
	usage, each sandbox.Usage
	killed      bool
}

func (p *fakeProcess) Usage() (sandbox.Usage, bool) {
	p.usage.CPU, p.usage.Busy = p.usage.CPU+p.each.CPU, p.each.Busy
	return p.usage, true
}

func (p *fakeProcess) Done() <-chan struct{} { return nil }
func (p *fakeProcess) Wait() sandbox.Exit    { return sandbox.Exit{} }
func (p *fakeProcess) Kill()                 { p.killed = true }

// A fakeEnd is the end of a pipe that passes one byte at a time. Each byte takes time on the fake clock, and none
// passes after the deadline.
type fakeEnd struct {
	clock    time.Time
	each     time.Duration // for one byte
	deadline time.Time
	moved    int
	stop     func(moved int) // called after each byte, if it is set
}

func (e *fakeEnd) now() time.Time { return e.clock }

func (e *fakeEnd) move(p []byte) (int, error) {
	if e.clock = e.clock.Add(e.each); e.clock.After(e.deadline) {
		e.clock = e.deadline
		return 0, os.ErrDeadlineExceeded
	}
	e.moved++
	if e.stop != nil {
		e.stop(e.moved)
	}
	return min(1, len(p)), nil
}

// Read gives a frame of sixteen megabytes.
func (e *fakeEnd) Read(p []byte) (int, error) {
	p[0] = []byte{wire.FrameOutcome, 0, 0, 0, 1, 0}[min(e.moved, 5)]
	return e.move(p)
}

func (e *fakeEnd) Write(p []byte) (int, error)        { return e.move(p) }
func (e *fakeEnd) Close() error                       { return nil }
func (e *fakeEnd) SetReadDeadline(t time.Time) error  { e.deadline = t; return nil }
func (e *fakeEnd) SetWriteDeadline(t time.Time) error { e.deadline = t; return nil }

func (e *fakeEnd) pipe(l *Limits, p *fakeProcess) *pipe {
	return &pipe{commands: e, answers: e, limits: l, process: p, now: e.now}
}

// TestWatch checks that a driver is given up after its time limits, whatever it does with its pipes.
func TestWatch(t *testing.T) {
	limits := &Limits{CPU: 3 * time.Second, Idle: time.Second, Time: 30 * time.Second}
	const never = time.Hour
	tick := 10 * time.Millisecond
	for _, c := range []struct {
		reason string
		each   time.Duration // for one byte
		use    sandbox.Usage
		want   string
		after  time.Duration
	}{
		{"nothing comes or goes", never, sandbox.Usage{}, "waits for something outside", limits.Idle},
		{"nothing, by a process that waits for a processor", never, sandbox.Usage{Busy: true}, "no answer within 30s",
			starved * limits.Time},
		{"nothing, at full speed", never, sandbox.Usage{CPU: pause, Busy: true}, "3s of processor time", limits.CPU},
		{"a byte before each look", 40 * time.Millisecond, sandbox.Usage{}, "no answer within 30s", limits.Time},
		{"a byte before each look, with some work", 40 * time.Millisecond, sandbox.Usage{CPU: tick},
			"3s of processor time", 15 * time.Second},
		{"a byte from time to time", 60 * time.Millisecond, sandbox.Usage{Busy: true}, "no answer within 30s",
			starved * limits.Time},
	} {
		for name, act := range map[string]func(*pipe) error{
			"read": func(p *pipe) error { _, err := p.receive(t.Context(), wire.FrameOutcome, 1<<30); return err },
			"write": func(p *pipe) error {
				return p.send(t.Context(), wire.FrameRun, append(wire.NewFrame(), make([]byte, 1<<20)...))
			},
		} {
			start := time.Unix(0, 0)
			end := &fakeEnd{clock: start, each: c.each}
			err := act(end.pipe(limits, &fakeProcess{each: c.use}))
			over, ok := errors.AsType[silence](err)
			if !ok || !strings.Contains(over.text, c.want) {
				t.Errorf("%s: %s: error %v, want %q", name, c.reason, err, c.want)
			}
			if took := end.clock.Sub(start); took < c.after || took > c.after+limits.Idle {
				t.Errorf("%s: %s: given up on after %v, want %v", name, c.reason, took, c.after)
			}
		}
	}
}

// TestWatchPatience checks that a driver with progress within the limits is waited for.
func TestWatchPatience(t *testing.T) {
	limits := &Limits{CPU: 3 * time.Second, Idle: time.Second, Time: 30 * time.Second}
	end := &fakeEnd{each: time.Millisecond}
	frame := append(wire.NewFrame(), make([]byte, 10_000)...)
	err := end.pipe(limits, &fakeProcess{}).send(t.Context(), wire.FrameRun, frame)
	if err != nil || end.moved != len(frame) {
		t.Errorf("%d of %d bytes within ten seconds, error %v", end.moved, len(frame), err)
	}
}

// TestCancelled checks that waiting ends with the run.
func TestCancelled(t *testing.T) {
	limits := &Limits{CPU: time.Hour, Idle: time.Hour, Time: time.Hour}
	for name, act := range map[string]func(context.Context, *pipe) error{
		"read": func(ctx context.Context, p *pipe) error {
			_, err := p.receive(ctx, wire.FrameOutcome, 1<<30)
			return err
		},
		"write": func(ctx context.Context, p *pipe) error {
			return p.send(ctx, wire.FrameRun, make(wire.Writer, 1<<20))
		},
		"end": func(ctx context.Context, p *pipe) error { _, err := p.end(ctx); return err },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		end := &fakeEnd{each: time.Microsecond, stop: func(moved int) {
			if moved == 100 {
				cancel()
			}
		}}
		process := &fakeProcess{}
		if name == "end" {
			cancel()
		}
		if err := act(ctx, end.pipe(limits, process)); !errors.Is(err, context.Canceled) || end.moved > 100 {
			t.Errorf("%s: error %v after %d bytes", name, err, end.moved)
		}
		if process.killed != (name == "end") {
			t.Errorf("%s: killed %v", name, process.killed)
		}
		cancel()
	}
}
