package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// errCorrupted reports bytes in the pipe that are no frame of the driver: the target wrote into the pipe.
var errCorrupted = errors.New("answer of the driver was corrupted")

// pipe is the tool's side of the two pipes to a driver.
type pipe struct {
	commands outgoing
	answers  incoming
	key      uint64
	limits   *Limits
	process  watched
	now      func() time.Time
	buffer   []byte // received but not used yet
	chunk    []byte
}

// outgoing and incoming are ends of pipes whose operations have deadlines.
type (
	outgoing interface {
		io.WriteCloser
		SetWriteDeadline(time.Time) error
	}
	incoming interface {
		io.ReadCloser
		SetReadDeadline(time.Time) error
	}
)

func (p *pipe) watch() *watch { return newWatch(p.limits, p.process, p.now) }

// send completes a frame and writes it.
func (p *pipe) send(ctx context.Context, kind byte, frame wire.Writer) error {
	frame.Seal(kind, p.key, digest.Of)
	for w := p.watch(); len(frame) > 0; {
		until, err := w.wait(ctx)
		if err == nil {
			err = p.commands.SetWriteDeadline(until)
		}
		n := 0
		if err == nil {
			n, err = p.commands.Write(frame)
		}
		frame, w.moved = frame[n:], w.moved || n > 0
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return fmt.Errorf("write to the driver: %w", err)
		}
	}
	return nil
}

// receive returns the body of the next frame. The frame must be of the given kind and have at most the given number of
// bytes. The body is valid until the next call.
func (p *pipe) receive(ctx context.Context, kind byte, most int) ([]byte, error) {
	w := p.watch()
	if err := p.fill(ctx, wire.FrameHead, w); err != nil {
		return nil, err
	}
	head := wire.ReadHead((*[wire.FrameHead]byte)(p.buffer))
	if head.Kind != kind || head.Length > most {
		return nil, errCorrupted
	}
	if err := p.fill(ctx, wire.FrameHead+head.Length, w); err != nil {
		return nil, err
	}
	body := p.buffer[wire.FrameHead : wire.FrameHead+head.Length]
	p.buffer = p.buffer[wire.FrameHead+head.Length:]
	if !head.Fits(body, p.key, digest.Of) {
		return nil, errCorrupted
	}
	return body, nil
}

// fill reads until n bytes have arrived.
func (p *pipe) fill(ctx context.Context, n int, w *watch) error {
	for len(p.buffer) < n {
		until, err := w.wait(ctx)
		if err != nil {
			return err
		}
		if err := p.answers.SetReadDeadline(until); err != nil {
			return fmt.Errorf("read from the driver: %w", err)
		}
		if p.chunk == nil {
			p.chunk = make([]byte, 1<<16)
		}
		got, err := p.answers.Read(p.chunk)
		p.buffer, w.moved = append(p.buffer, p.chunk[:got]...), w.moved || got > 0
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return err
		}
	}
	return nil
}

// end waits for the end of a driver that closed its pipe. It kills a driver that goes on.
func (p *pipe) end(ctx context.Context) (sandbox.Exit, error) {
	for w := p.watch(); ; {
		until, err := w.wait(ctx)
		if err != nil {
			p.process.Kill()
			return sandbox.Exit{}, err
		}
		timer := time.NewTimer(until.Sub(p.now()))
		select {
		case <-p.process.Done():
			timer.Stop()
			return p.process.Wait(), nil
		case <-timer.C:
		}
	}
}
