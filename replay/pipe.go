package replay

// This file exchanges frames with a driver, and gives up on a driver that is silent for too long.

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spectradiff/spectradiff/replay/sandbox"
	"github.com/spectradiff/spectradiff/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// errCorrupted means that the bytes in the pipe are no frame of the driver: the target wrote into the
// pipe.
var errCorrupted = errors.New("answer of the driver was corrupted")

// A silence is the error that the driver did not answer in time. Its text is the limit that was exceeded.
type silence string

func (s silence) Error() string { return string(s) }

// frameRoom is how many bytes an answer may have besides its events.
const frameRoom = 64 << 20

// pipe is the tool's side of a driver's two pipes.
type pipe struct {
	commands, answers *os.File
	key               uint64
	largest           int
	limits            *Limits
	process           *sandbox.Process
	buffer            []byte // received and not used yet
	chunk             []byte
}

// send completes a frame and writes it.
func (p *pipe) send(kind byte, frame wire.Writer) error {
	frame.Seal(kind, p.key, digest.Of)
	if _, err := p.commands.Write(frame); err != nil {
		return fmt.Errorf("write to the driver: %w", err)
	}
	return nil
}

// receive returns the next frame. Its body is valid until the next call.
func (p *pipe) receive() (kind byte, body []byte, err error) {
	w := watch{limits: p.limits, process: p.process}
	if err := p.fill(wire.FrameHead, &w); err != nil {
		return 0, nil, err
	}
	head := wire.ReadHead((*[wire.FrameHead]byte)(p.buffer))
	if head.Length > p.largest {
		return 0, nil, errCorrupted
	}
	if err := p.fill(wire.FrameHead+head.Length, &w); err != nil {
		return 0, nil, err
	}
	body = p.buffer[wire.FrameHead : wire.FrameHead+head.Length]
	p.buffer = p.buffer[wire.FrameHead+head.Length:]
	if !head.Fits(body, p.key, digest.Of) {
		return 0, nil, errCorrupted
	}
	return head.Kind, body, nil
}

// fill waits until n bytes have arrived.
func (p *pipe) fill(n int, w *watch) error {
	for len(p.buffer) < n {
		if err := p.answers.SetReadDeadline(w.next()); err != nil {
			return fmt.Errorf("read from the driver: %w", err)
		}
		if p.chunk == nil {
			p.chunk = make([]byte, 1<<16)
		}
		got, err := p.answers.Read(p.chunk)
		p.buffer = append(p.buffer, p.chunk[:got]...)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			if over := w.over(); over != "" {
				return over
			}
		} else if err != nil {
			return err
		}
	}
	return nil
}

// end waits until a driver that closed its pipe has ended. A driver that does not end is killed.
func (p *pipe) end() (sandbox.Exit, error) {
	w := watch{limits: p.limits, process: p.process}
	for {
		timer := time.NewTimer(time.Until(w.next()))
		select {
		case <-p.process.Done():
			timer.Stop()
			return p.process.Wait(), nil
		case <-timer.C:
			if over := w.over(); over != "" {
				p.process.Kill()
				return sandbox.Exit{}, over
			}
		}
	}
}

// pause is how long a driver may be silent before its use of the processor is looked at.
const pause = 50 * time.Millisecond

// A watch looks at a silent driver from time to time.
type watch struct {
	limits  *Limits
	process *sandbox.Process
	start   time.Time
	seen    bool // the usage was known before
	first   time.Duration
	last    sandbox.Usage
	idle    time.Duration
}

// next returns the time of the next look.
func (w *watch) next() time.Time {
	now := time.Now()
	if w.start.IsZero() {
		w.start = now
	}
	return now.Add(pause)
}

// over returns the limit that is exceeded, or "" if none is.
func (w *watch) over() silence {
	if time.Since(w.start) > w.limits.Time {
		return silence(fmt.Sprintf("no answer within %v", w.limits.Time))
	}
	u, ok := w.process.Usage()
	if !ok {
		return ""
	}
	if !w.seen {
		w.seen, w.first, w.last = true, u.CPU, u
		return ""
	}
	w.idle += pause
	if u.Busy || u.CPU != w.last.CPU {
		w.idle = 0
	}
	w.last = u
	switch {
	case u.CPU-w.first > w.limits.CPU:
		return silence(fmt.Sprintf("no answer within %v of processor time", w.limits.CPU))
	case w.idle >= w.limits.Idle:
		return silence(fmt.Sprintf("waits for something outside for more than %v", w.limits.Idle))
	}
	return ""
}
