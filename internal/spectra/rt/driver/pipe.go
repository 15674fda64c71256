package driver

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Where the supervisor puts the driver's files.
const (
	commandsFile = 3
	answersFile  = 4
	eventsFile   = wire.EventsFile
)

// hidden is the lowest number that a file of the driver gets. Code that closes or copies files by
// number begins with the low ones.
const hidden = 200

var errFrame = errors.New("what came is no frame of the tool")

// pipes are the two ends of the driver. They are bare descriptors: the poller and the locks of
// package os belong to the target, and to the bubble of the sequence that used them first.
type pipes struct {
	in, out int
	key     uint64
	process int // a child that the target forked must not answer
}

func (p *pipes) start() (err error) {
	if p.in, err = hide(commandsFile); err != nil {
		return err
	}
	if p.out, err = hide(answersFile); err != nil {
		return err
	}
	p.process = os.Getpid()
	return nil
}

// hide moves a descriptor to a high number that no started program inherits.
func hide(fd int) (int, error) {
	if err := syscall.SetNonblock(fd, false); err != nil {
		return 0, fmt.Errorf("file %d: %w", fd, err)
	}
	high, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_DUPFD_CLOEXEC, hidden)
	if errno != 0 {
		return 0, fmt.Errorf("move file %d: %w", fd, errno)
	}
	return int(high), syscall.Close(fd)
}

// mapEvents maps the memory of events; it needs no descriptor afterwards.
func mapEvents() ([]byte, error) {
	var stat syscall.Stat_t
	if err := syscall.Fstat(eventsFile, &stat); err != nil {
		return nil, fmt.Errorf("memory of events: %w", err)
	}
	memory, err := syscall.Mmap(eventsFile, 0, int(stat.Size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("memory of events: %w", err)
	}
	return memory, syscall.Close(eventsFile)
}

func (p *pipes) receive() (kind byte, body []byte, err error) {
	var start [wire.FrameHead]byte
	if err := p.read(start[:]); err != nil {
		return 0, nil, err
	}
	head := wire.ReadHead(&start)
	body = make([]byte, head.Length)
	if err := p.read(body); err != nil {
		return 0, nil, err
	}
	if !head.Fits(body, p.key, digest.Of) {
		return 0, nil, errFrame
	}
	return head.Kind, body, nil
}

func (p *pipes) read(b []byte) error {
	for len(b) > 0 {
		n, err := syscall.Read(p.in, b)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return fmt.Errorf("read commands: %w", err)
		case n == 0:
			return io.EOF
		default:
			b = b[n:]
		}
	}
	return nil
}

// send completes a frame and writes it.
func (p *pipes) send(kind byte, frame wire.Writer) error {
	if os.Getpid() != p.process {
		os.Exit(0)
	}
	frame.Seal(kind, p.key, digest.Of)
	for len(frame) > 0 {
		n, err := syscall.Write(p.out, frame)
		if err != nil && err != syscall.EINTR {
			return fmt.Errorf("write answers: %w", err)
		}
		frame = frame[max(n, 0):]
	}
	return nil
}
