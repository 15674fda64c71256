package replay

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A said is the end of a pipe that delivers given bytes.
type said struct{ io.Reader }

func (said) Close() error                      { return nil }
func (said) SetReadDeadline(_ time.Time) error { return nil }

// FuzzFrames reads arbitrary bytes as frames. Each accepted frame has the key, and reading goes on behind it.
func FuzzFrames(f *testing.F) {
	const key = 0x1234
	sealed := func(text string) []byte {
		w := append(wire.NewFrame(), text...)
		w.Seal(wire.FrameOutcome, key, digest.Of)
		return w
	}
	f.Add(append(sealed("outcome"), sealed("")...))
	f.Add(append(sealed("outcome"), "O\xff\xff\xff\xff12345678"...))
	f.Fuzz(func(t *testing.T, data []byte) {
		p := &pipe{
			answers: said{bytes.NewReader(data)}, key: key, limits: &Limits{Time: time.Hour}, now: time.Now,
			process: &fakeProcess{},
		}
		var taken []byte
		for {
			body, err := p.receive(t.Context(), wire.FrameOutcome, 1<<16)
			if err != nil {
				if !errors.Is(err, errCorrupted) && err != io.EOF {
					t.Errorf("error %v", err)
				}
				break
			}
			taken = append(taken, sealed(string(body))...)
		}
		if !bytes.HasPrefix(data, taken) {
			t.Errorf("%q was taken from %q", taken, data)
		}
	})
}

// FuzzOutcome reads arbitrary bytes as the outcome of a sequence of two statements.
func FuzzOutcome(f *testing.F) {
	stream := []byte{wire.EventStep, 0, wire.EventEnter, 0}
	stream = append(append(stream, make([]byte, 17)...), wire.EventExit, wire.ExitReturn)
	stream = append(stream, make([]byte, 17)...)
	f.Add(answer{}.body())
	f.Add(answer{
		steps: results(1), stubs: many(1, emptyOutput), files: many(1, emptyFile), coverage: many(2, 1), used: 5,
		stdout: "out", events: stream,
	}.body())
	f.Fuzz(func(t *testing.T, body []byte) {
		s := answered()
		s.points = points
		played, err := s.outcome(body, asked{statements: 2})
		if err != nil {
			return
		}
		if n := len(played.Results); n > 2 || len(played.Spectrum.Steps) < n || len(played.Coverage) > len(body) {
			t.Errorf("%d results, %d steps, %d blocks", n, len(played.Spectrum.Steps), len(played.Coverage))
		}
		if played.Steps < 0 || len(played.Events()) > len(body) {
			t.Errorf("%d steps, %d bytes of events", played.Steps, len(played.Events()))
		}
		whole, executions := played.Recorded(), 0
		for range whole.Executions {
			executions++
		}
		if played.SameTrace(&played) && whole.End != played.Spectrum.End {
			t.Errorf("a recording with a digest can't be read: %v", whole.End)
		}
		if executions > played.Calls {
			t.Errorf("%d executions, %d calls", executions, played.Calls)
		}
	})
}

// FuzzVariables reads arbitrary bytes as the values of two variables.
func FuzzVariables(f *testing.F) {
	var w wire.Writer
	w.Count(2)
	for range 2 {
		w.Bool(true)
		w.Bool(false)
		w.Digest([2]uint64{1, 2})
		w.Bytes([]byte{0, wire.ValueInt, 4})
	}
	f.Add([]byte(w))
	f.Add([]byte{2, 0, 0})
	f.Fuzz(func(t *testing.T, body []byte) {
		r := wire.NewReader(body)
		list, err := readVariables(&r, []string{"m.v", "m.w"})
		if err == nil && len(list) != 2 {
			t.Errorf("%d variables", len(list))
		}
		for _, v := range list {
			if slots := v.State.Slots(); len(slots) > 0 && slots[0].Value == nil {
				t.Error("a slot without a value")
			}
		}
	})
}

// FuzzHello reads arbitrary bytes as a driver's hello.
func FuzzHello(f *testing.F) {
	f.Add([]byte("\x01\x08go1.26.0\x01\x03m/a\x01\x02\x05"))
	f.Fuzz(func(t *testing.T, body []byte) {
		table := Table{{Path: "m/a", Points: make([]spectra.Point, 1), Blocks: 2}, {Path: "m/b"}}
		s := &session{p: &Player{Table: table}}
		if err := s.hello(body); err == nil && (len(s.points) > 1 || len(s.block) > 2) {
			t.Errorf("%d points, %d blocks", len(s.points), len(s.block))
		}
	})
}
