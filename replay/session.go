package replay

// This file runs one driver process: its pipes, its memory of events, its end.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/spectradiff/spectradiff/replay/sandbox"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt"
)

// session is one running rt.
type session struct {
	p        *Player
	process  *sandbox.Process
	scratch  string
	commands *os.File // the tool's ends of the pipes
	answers  *os.File
	reader   *bufio.Reader
	events   *os.File // memory that the driver maps
	stdout   *os.File
	stderr   *os.File
	points   []*spectra.Point  // in the order of the driver's numbers
	blocks   map[string]uint32 // package → the driver's number of its first block
	block    []uint32          // the driver's number of a block → its number in the table
}

// start starts a driver and configures it.
func (p *Player) start(ctx context.Context, seed uint64) (*session, error) {
	s := &session{p: p}
	if err := s.open(ctx, seed); err != nil {
		s.close()
		return nil, err
	}
	if err := s.greet(); err != nil {
		err = fmt.Errorf("driver does not start: %w%s", err, s.complaint())
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *session) open(ctx context.Context, seed uint64) (err error) {
	if s.scratch, err = os.MkdirTemp(s.p.Scratch, "run-"); err != nil {
		return fmt.Errorf("scratch folder: %w", err)
	}
	var theirs [2]*os.File
	defer func() {
		closeAll(theirs[0], theirs[1])
	}()
	if theirs[0], s.commands, err = os.Pipe(); err != nil {
		return fmt.Errorf("pipe: %w", err)
	}
	if s.answers, theirs[1], err = os.Pipe(); err != nil {
		return fmt.Errorf("pipe: %w", err)
	}
	s.reader = bufio.NewReaderSize(s.answers, 1<<16)
	for name, f := range map[string]**os.File{"events": &s.events, "stdout": &s.stdout, "stderr": &s.stderr} {
		if *f, err = memory(name); err != nil {
			return err
		}
	}
	if err := s.events.Truncate(s.p.Limits.EventBytes); err != nil {
		return fmt.Errorf("memory of events: %w", err)
	}
	s.process, err = s.p.Sandbox.Start(ctx, sandbox.Config{
		Binary:   s.p.Binary.Path,
		Env:      environment(seed),
		Scratch:  s.scratch,
		ReadOnly: s.p.readOnly(),
		Files:    []*os.File{theirs[0], theirs[1], s.events},
		Stdout:   s.stdout,
		Stderr:   s.stderr,
		Limits: sandbox.Limits{
			Memory: s.p.Limits.Memory, FileSize: 1 << 28, OpenFiles: 256,
		},
	})
	return err
}

func (p *Player) readOnly() []string {
	if p.Root == "" {
		return nil
	}
	return []string{p.Root + "/lib/time"}
}

// environment is all that a driver sees. One P, no preemption by time and no collection during a
// sequence make runs repeat; see docs/design.md.
func environment(seed uint64) []string {
	return []string{
		"PATH=/usr/bin:/bin", "USER=user", "LANG=C", "TZ=UTC",
		"GOMAXPROCS=1", "GOGC=off", "GOMEMLIMIT=1GiB",
		"GODEBUG=asyncpreemptoff=1,gcshrinkstackoff=1,asynctimerchan=0,multipathtcp=0",
		fmt.Sprintf("ZSPECTRA_SEED=%d", seed),
	}
}

// memory makes a file that has no name. It is opened for appending, as standard output is when
// it is a file that several write to.
func memory(name string) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("memory for %s: %w", name, err)
	}
	if name != "events" {
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFL, unix.O_APPEND); err != nil {
			return nil, fmt.Errorf("memory for %s: %w", name, err)
		}
	}
	return os.NewFile(uintptr(fd), name), nil
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// close ends the process and removes its folder.
func (s *session) close() {
	closeAll(s.commands)
	if s.process != nil {
		s.process.Kill()
	}
	closeAll(s.answers, s.events, s.stdout, s.stderr)
	if s.scratch != "" {
		_ = os.RemoveAll(s.scratch)
	}
}

// greet reads what the driver has and sends the configuration.
func (s *session) greet() error {
	kind, body, err := s.receive()
	if err != nil {
		return err
	}
	if kind != rt.FrameHello {
		return fmt.Errorf("unexpected frame %q", kind)
	}
	if err := s.hello(body); err != nil {
		return err
	}
	return s.send(rt.FrameConfigure, s.configuration())
}

// hello lines the table up with the order in which the binary's packages registered.
func (s *session) hello(body []byte) error {
	r := &reader{b: body}
	r.byte()   // patched: known from the build
	r.string() // Go version: likewise
	first := map[string]uint32{}
	next := uint32(0)
	for _, table := range s.p.Table {
		first[table.Path] = next
		next += uint32(table.Blocks)
	}
	s.blocks = map[string]uint32{}
	for range r.count() {
		path, points, blocks := r.string(), int(r.uint()), int(r.uint())
		table := s.p.Table.find(path)
		if table == nil || len(table.Points) != points || table.Blocks != blocks {
			return fmt.Errorf("package %s with %d points and %d blocks is not in the table", path, points, blocks)
		}
		for i := range table.Points {
			s.points = append(s.points, &table.Points[i])
		}
		s.blocks[path] = uint32(len(s.block))
		for i := range blocks {
			s.block = append(s.block, first[path]+uint32(i))
		}
	}
	return r.err
}

func (t Table) find(path string) *PackageTable {
	for i := range t {
		if t[i].Path == path {
			return &t[i]
		}
	}
	return nil
}

func (s *session) send(kind byte, body []byte) error {
	frame := make([]byte, 5, 5+len(body))
	frame[0] = kind
	binary.LittleEndian.PutUint32(frame[1:], uint32(len(body)))
	if _, err := s.commands.Write(append(frame, body...)); err != nil {
		return fmt.Errorf("write to the driver: %w", err)
	}
	return nil
}

// receive reads the next frame within the time limit.
func (s *session) receive() (kind byte, body []byte, err error) {
	if err := s.answers.SetReadDeadline(time.Now().Add(s.p.Limits.Time)); err != nil {
		return 0, nil, fmt.Errorf("read from the driver: %w", err)
	}
	var head [5]byte
	if _, err := io.ReadFull(s.reader, head[:]); err != nil {
		return 0, nil, err
	}
	body = make([]byte, binary.LittleEndian.Uint32(head[1:]))
	_, err = io.ReadFull(s.reader, body)
	return head[0], body, err
}

// batch plays sequences until all have an outcome or the process has ended; what ended it is the
// outcome of the sequence that was running.
func (s *session) batch(ctx context.Context, sequences []sequence.Sequence, mode Mode) ([]Played, error) {
	body := binary.AppendUvarint([]byte{byte(mode)}, uint64(len(sequences)))
	var program []byte
	for _, q := range sequences {
		program = sequence.AppendWire(program[:0], q)
		body = binary.AppendUvarint(body, uint64(len(program)))
		body = append(body, program...)
	}
	if err := s.send(rt.FrameRun, body); err != nil {
		return nil, fmt.Errorf("%w%s", err, s.complaint())
	}
	var played []Played
	for len(played) < len(sequences) {
		kind, body, err := s.receive()
		if err == nil && kind == rt.FrameOutcome {
			done, err := s.outcome(body, len(played))
			if err != nil {
				return played, err
			}
			played = append(played, done)
			continue
		}
		if ctx.Err() != nil {
			return played, ctx.Err()
		}
		return s.ended(played, sequences, mode, errors.Is(err, os.ErrDeadlineExceeded))
	}
	return played, nil
}

// ended makes the outcome of a sequence whose process has ended, or was silent too long.
func (s *session) ended(played []Played, sequences []sequence.Sequence, mode Mode, silent bool) ([]Played, error) {
	var exit sandbox.Exit
	if silent {
		s.process.Kill()
	} else {
		exit = s.process.Wait()
	}
	if exit.Err != nil {
		return played, fmt.Errorf("sandbox: %w", exit.Err)
	}
	if !silent && exit.Code == rt.StatusFault {
		return played, fmt.Errorf("driver failed%s", s.complaint())
	}
	running := s.running()
	if running == 0 || int(running) != len(played)+1 {
		if silent || exit.Code != rt.StatusFresh || len(played) == 0 {
			return played, fmt.Errorf("driver ended between sequences (%v)%s", exit, s.complaint())
		}
		return played, nil
	}
	spectrum := &spectra.Spectrum{End: s.end(exit, silent), Stdout: content(s.stdout)}
	done := Played{Spectrum: spectrum}
	if spectrum.End.Kind != spectra.Crashed && spectrum.End.Kind != spectra.Blocked {
		spectrum.Stderr = content(s.stderr)
	}
	if mode != Outcomes {
		done.Calls = s.salvage(spectrum, len(sequences[len(played)].Statements))
	}
	return append(played, done), nil
}

// running is the number of the sequence that the driver was playing, from 1; 0 = none.
func (s *session) running() uint64 {
	var word [8]byte
	if _, err := s.events.ReadAt(word[:], rt.HeaderSequence); err != nil {
		return 0
	}
	return binary.LittleEndian.Uint64(word[:])
}

// salvage decodes the events that the process left behind.
func (s *session) salvage(spectrum *spectra.Spectrum, statements int) int {
	stream, err := io.ReadAll(io.NewSectionReader(s.events, rt.HeaderSize, s.p.Limits.EventBytes-rt.HeaderSize))
	if err != nil {
		return 0
	}
	// The stream ends with the first event that is none. What a last, half written event has is
	// not known, so the decoder's complaint about it is no news.
	stream = bytes.TrimRight(stream, "\x00")
	events, _ := spectra.Decode(stream, s.naming())
	spectrum.Steps = make([]spectra.StepOutcome, statements)
	for _, step := range events.Steps {
		if step.Statement < statements {
			spectrum.Steps[step.Statement].Ran = true
		}
	}
	events.Attach(spectrum)
	return events.Executions
}

func (s *session) naming() spectra.Naming {
	return spectra.Naming{
		Point: func(id uint32) *spectra.Point {
			if int(id) >= len(s.points) {
				return nil
			}
			return s.points[id]
		},
		Global: func(i int) string {
			if i >= len(s.p.Compare.Vars) {
				return "?"
			}
			return s.p.Compare.Vars[i]
		},
	}
}

// end says how a process ended, in words that do not depend on addresses or goroutine numbers.
func (s *session) end(exit sandbox.Exit, silent bool) spectra.End {
	if silent {
		return spectra.End{Kind: spectra.Timeout, Detail: fmt.Sprintf("no answer within %v", s.p.Limits.Time)}
	}
	if exit.Signal != "" {
		return spectra.End{Kind: spectra.Crashed, Detail: exit.Signal}
	}
	if exit.Code == rt.StatusLimit {
		return spectra.End{Kind: spectra.StepLimit, Detail: fmt.Sprintf("more than %d steps", s.p.Limits.Steps)}
	}
	if exit.Code == 2 {
		for line := range strings.Lines(content(s.stderr)) {
			line = strings.TrimSpace(line)
			switch {
			case strings.HasPrefix(line, "fatal error: all goroutines are asleep"):
				return spectra.End{Kind: spectra.Blocked, Detail: "all goroutines are asleep"}
			case strings.HasPrefix(line, "fatal error: "), strings.HasPrefix(line, "panic: "), strings.HasPrefix(line, "runtime: out of memory"):
				return spectra.End{Kind: spectra.Crashed, Detail: line}
			}
		}
	}
	return spectra.End{Kind: spectra.Exited, Detail: fmt.Sprintf("exit status %d", exit.Code)}
}

const outputSize = 1 << 16

// content is what the running sequence wrote to a stream.
func content(f *os.File) string {
	b, err := io.ReadAll(io.NewSectionReader(f, 0, outputSize))
	if err != nil {
		return ""
	}
	return string(b)
}

// complaint is what the driver wrote to standard error, for messages.
func (s *session) complaint() string {
	if s.stderr == nil {
		return ""
	}
	text := strings.TrimSpace(content(s.stderr))
	if text == "" {
		return ""
	}
	if len(text) > 2000 {
		text = text[:2000] + "…"
	}
	return ":\n" + text
}
