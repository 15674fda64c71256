package replay

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// batch plays sequences until all have an outcome or the process has ended. An end of the process becomes the outcome
// of the running sequence. batch plays at least one sequence, and no more than may be held beside those of processes
// before.
func (s *session) batch(ctx context.Context, before []Played, programs []program, mode wire.Mode) ([]Played, error) {
	frame := wire.NewFrame()
	frame.Byte(byte(mode))
	frame.Count(len(programs))
	for _, q := range programs {
		frame.Bytes(q)
	}
	// A process that has ended can't be written to. Reading the answer finds the cause.
	sent := s.pipe.send(ctx, wire.FrameRun, frame)
	var played []Played
	for len(played) < len(programs) && s.p.mayHold(before, played) {
		a := asked{index: len(played), statements: programs[len(played)].statements()}
		done, err := s.answer(ctx, sent, a)
		if err == nil && done.Spectrum.Burst && len(played) > 0 {
			return played, nil // it may have met what another sequence left: a fresh process tells
		}
		if err == nil {
			played = append(played, done)
			continue
		}
		if ctx.Err() != nil {
			return played, ctx.Err()
		}
		end, err := s.ending(ctx, err)
		switch {
		case err != nil:
			return played, err
		case len(played) == 0 && end.running == 0 && end.fault != "":
			return played, fmt.Errorf("play a batch: %w", errors.Join(errors.New(end.fault), sent))
		case len(played) > 0 && (end.fresh || end.burst || end.running <= uint64(len(played))):
			return played, nil // a goroutine of the last sequence ended the process after the answer
		}
		return append(played, s.cut(end, s.remains(mode), a.statements, mode)), nil
	}
	return played, nil
}

// answer waits for the outcome of a sequence. If the driver did not read the whole request, answer does not read the
// whole outcome either.
func (s *session) answer(ctx context.Context, sent error, a asked) (Played, error) {
	if _, deaf := errors.AsType[silence](sent); deaf {
		return Played{}, sent
	}
	body, err := s.pipe.receive(ctx, wire.FrameOutcome, s.outcomeSize(a))
	if err != nil {
		return Played{}, err
	}
	done, err := s.outcome(body, a)
	if err != nil {
		return Played{}, fmt.Errorf("%w: %w", errCorrupted, err)
	}
	if s.p.raw {
		done.reply = &reply{hello: s.greeting, index: a.index, body: body}
	}
	return done, nil
}

// An ending describes the end of a process.
type ending struct {
	spectra.End
	clock   Clock  // the clock that ended it
	running uint64 // number of the running sequence, from 1; 0: none
	fresh   bool   // the process ended itself because it can't play another sequence
	burst   bool   // the time bubble failed, not the target
	fault   string // the driver's own complaint
}

// ending finds out why no answer came. It returns an error only if the sandbox failed or the context ended.
func (s *session) ending(ctx context.Context, reason error) (ending, error) {
	if over, ok := errors.AsType[silence](reason); ok {
		e := ending{running: s.header(wire.HeaderSequence), clock: over.Clock}
		e.End = spectra.End{Kind: wire.EndTimeout, Detail: over.text}
		s.process.Kill()
		return e, nil
	}
	if !errors.Is(reason, io.EOF) {
		s.process.Kill()
		// The writer of these bytes is unknown, so the sequence without an answer is blamed.
		return ending{End: spectra.End{Kind: wire.EndCrashed, Detail: reason.Error()}, running: ^uint64(0)}, nil
	}
	exit, err := s.pipe.end(ctx)
	if over, ok := errors.AsType[silence](err); ok {
		return s.ending(ctx, over)
	}
	if err != nil {
		return ending{}, err
	}
	if exit.Err != nil {
		return ending{}, fmt.Errorf("sandbox: %w", exit.Err)
	}
	own := int(s.header(wire.HeaderStatus))
	e := ending{
		End: s.end(exit), clock: clockOf(exit), running: s.header(wire.HeaderSequence),
		fresh: own == wire.StatusFresh, burst: own == wire.StatusBubble,
	}
	if own == wire.StatusFault || e.burst && exit.Code == wire.StatusBubble {
		e.fault = firstLine(s.stderr, wire.Complaint)
		if e.fault == "" {
			e.fault = wire.Complaint + "failed without a word"
		}
		e.End = spectra.End{Kind: wire.EndCrashed, Detail: e.fault}
	}
	return e, nil
}

// clockOf returns the clock that ended a process. For an end by the supervisor, or by the kernel for want of memory, it
// returns Wall: the place of that end depends on when the supervisor looked, and on what else the machine did.
func clockOf(exit sandbox.Exit) Clock {
	if exit.Exceeded != "" {
		return Wall
	}
	return ""
}

// header returns a word of the header of the shared memory.
func (s *session) header(at int64) uint64 {
	var word [8]byte
	if _, err := s.events.ReadAt(word[:], at); err != nil {
		return 0
	}
	r := wire.NewReader(word[:])
	return r.Word()
}

// remains are what a process leaves that ended in a sequence.
type remains struct {
	statement      uint64 // that ran
	stdout, stderr string
	salvaged       bool
	events         []byte // recorded before the end, if salvaged
}

// remains returns what the process leaves.
func (s *session) remains(mode wire.Mode) remains {
	left := remains{
		statement: s.header(wire.HeaderStatement), stdout: content(s.stdout), stderr: content(s.stderr),
	}
	if !mode.Records() {
		return left
	}
	stream := make([]byte, s.p.Limits.EventBytes-wire.HeaderSize)
	if _, err := s.events.ReadAt(stream, wire.HeaderSize); err != nil {
		return left
	}
	// Unwritten memory is zero. The last event may be half written, or may have lost its own zeros here, so a decoder's
	// error about it is expected.
	left.salvaged, left.events = true, bytes.Clone(bytes.TrimRight(stream, "\x00"))
	return left
}

// cut returns the outcome of a sequence without an answer. Only the number of statements that ran is known.
func (s *session) cut(e ending, left remains, statements int, mode wire.Mode) Played {
	spectrum := &spectra.Spectrum{End: e.End, Burst: e.burst, Salvaged: true, Stdout: left.stdout}
	ran := int(min(left.statement, uint64(max(statements-1, 0))))
	done := Played{Spectrum: spectrum, Clock: e.clock, Results: make([]StepResults, ran)}
	spectrum.Steps = make([]spectra.StepOutcome, statements)
	for i := range min(ran+1, len(spectrum.Steps)) {
		spectrum.Steps[i].Ran = true
	}
	if e.Kind != wire.EndCrashed && e.Kind != wire.EndBlocked {
		spectrum.Stderr = left.stderr
	}
	if s.p.raw {
		done.reply = &reply{hello: s.greeting, end: e, left: left}
	}
	if mode.Records() && left.salvaged {
		done.stream, done.naming, done.variables, done.cut = left.events, s.naming(), s.p.Compare.Vars, true
		if !s.p.raw {
			done.trace(left.events, len(s.points), s.number)
		}
		done.traced = false
	}
	return done
}

// end describes the end of a process in words without addresses and goroutine numbers.
func (s *session) end(exit sandbox.Exit) spectra.End {
	if exit.Exceeded != "" {
		// The place in the sequence depends on the clock, as with any other limit on time.
		return spectra.End{Kind: wire.EndTimeout, Detail: "exceeds the limit on the " + exit.Exceeded}
	}
	if exit.Signal != "" {
		return spectra.End{Kind: wire.EndCrashed, Detail: exit.Signal}
	}
	if exit.Code == 2 {
		line := firstLine(s.stderr, "fatal error: ", "panic: ", "runtime: out of memory")
		if strings.HasPrefix(line, "fatal error: all goroutines are asleep") {
			return spectra.End{Kind: wire.EndBlocked, Detail: "all goroutines are asleep"}
		}
		if line != "" {
			return spectra.End{Kind: wire.EndCrashed, Detail: line}
		}
	}
	return spectra.End{Kind: wire.EndExited, Detail: fmt.Sprintf("exit status %d", exit.Code)}
}

// Uninitialised is the error of a program whose packages can't be initialised, because of one of them.
type Uninitialised struct {
	Package string // the import path of the one
	File    string // in which it fails, without its folder; "": unknown
	Reason  string // such as "fails: panic: …"
	Output  string // of the program, as the end of a sentence
	InBoth  bool   // in neither version; who compares them sets it
}

func (e *Uninitialised) Error() string {
	const text = "nothing can be run, because the initialisation of package %s %s%s"
	return fmt.Sprintf(text, e.Package, e.Reason, e.Output)
}

// stillborn explains the end of a driver before its first frame. The target's packages are initialised before the
// driver does anything.
func (s *session) stillborn(ctx context.Context, reason error) error {
	over, silent := errors.AsType[silence](reason)
	if silent {
		s.process.Kill()
	}
	exit, err := s.pipe.end(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if silent {
		err = over
	}
	text := content(s.stderr)
	failed := &Uninitialised{Output: complaint(text)}
	failed.Package, failed.File = initialiser(text)
	failed.Package = cmp.Or(s.initialising(), failed.Package)
	switch {
	case exit.Err != nil:
		return fmt.Errorf("sandbox: %w", exit.Err)
	case err != nil:
		failed.Reason = "does not end: " + err.Error()
	case exit.Exceeded != "":
		failed.Reason = "exceeds the limit on the " + exit.Exceeded
	case failed.Package == "" && exit.Signal != "":
		return fmt.Errorf("driver does not start: %s%s", exit.Signal, failed.Output)
	case exit.Signal != "":
		failed.Reason = "ends the program with " + exit.Signal
	case int(s.header(wire.HeaderStatus)) == wire.StatusFault || failed.Package == "" && exit.Code == 0 && text == "":
		return fmt.Errorf("driver does not start: %w%s", reason, failed.Output)
	default:
		failed.Reason = fmt.Sprintf("ends the program with status %d", exit.Code)
		if line := firstLine(s.stderr, "panic: ", "fatal error: "); exit.Code == 2 && line != "" {
			failed.Reason = "fails: " + line
		}
	}
	if failed.Package == "" {
		return fmt.Errorf("nothing can be run, because the initialisation %s%s", failed.Reason, failed.Output)
	}
	return failed
}

// initialising returns the package with tests that is being initialised; "": none is.
func (s *session) initialising() string {
	name := make([]byte, wire.MostPackage)
	if _, err := s.events.ReadAt(name, wire.HeaderPackage); err != nil {
		return ""
	}
	name, _, _ = bytes.Cut(name, []byte{0})
	return string(name)
}

// initialiser returns the package whose initialisation is in a stack trace, and the file of that.
func initialiser(trace string) (where, file string) {
	for line := range strings.Lines(trace) {
		if where != "" {
			name, _, _ := strings.Cut(path.Base(strings.TrimSpace(line)), ":")
			return where, name
		}
		call, _, _ := strings.Cut(strings.TrimSpace(line), "(")
		slash := strings.LastIndexByte(call, '/') + 1
		dot := strings.IndexByte(call[slash:], '.')
		if dot < 0 || strings.HasPrefix(call, "runtime.") {
			continue
		}
		importPath, name := call[:slash+dot], call[slash+dot+1:]
		// A literal in the value of a package variable, init.func1, may run at any time.
		if name == "init" || strings.HasPrefix(name, "init.") && !strings.HasPrefix(name, "init.func") {
			where = importPath
		}
	}
	return where, ""
}
