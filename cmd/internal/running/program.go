package running

// This file runs a program of tests.

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/sandbox"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// A program is the tests of one package.
type program struct {
	*Input
	path   string
	worker int
	order  order
}

// Limits of one process. Steps end it where it is, so that its notes count; the others leave nothing of the program.
const (
	steps     = 2_000_000
	ofOne     = 200 // different calls of one function that are noted
	memory    = 4 << 20
	processor = 8 * time.Second
	idle      = 3 * time.Second // waiting in all
	wall      = time.Minute
)

// processes is how many run at most until all tests have had their turn.
const processes = 4

// otherSeed is the seed of the second run. What depends on it, or on where memory lies, is no value.
const otherSeed = 2

// twice runs a program under two seeds, and returns the notes of all processes. Where one was ended by a clock there
// are no notes, and no error.
func (p *program) twice(ctx context.Context, dir, binary, goroot string) (notes [2][][]byte, err error) {
	for i, seed := range []uint64{wire.MainSeed, otherSeed} {
		of, err := p.whole(ctx, dir, binary, goroot, seed)
		if errors.Is(err, errLate) {
			p.Env.Detailf("tests of %s: %v", p.path, err)
			return [2][][]byte{}, nil
		}
		if err != nil {
			return notes, err
		}
		notes[i] = of
	}
	return notes, nil
}

var errLate = errors.New("they take too long, or do not end: what they call is not used")

// whole runs a program until all of its tests had their turn: where one used up the steps, those behind it run in
// another process.
func (p *program) whole(ctx context.Context, dir, binary, goroot string, seed uint64) (notes [][]byte, err error) {
	var skipped []string
	for range processes {
		of, output, more, err := p.once(ctx, dir, binary, goroot, seed, skipped)
		if err != nil {
			return nil, err
		}
		notes = append(notes, of)
		begun := begun(output)
		if !more || len(begun) == 0 {
			break
		}
		skipped = append(skipped, begun...)
	}
	return notes, nil
}

// beginning is what a program of tests prints when one begins.
var beginning = regexp.MustCompile(`(?m)^=== RUN   (\w+)$`)

// begun returns the tests that began.
func begun(output string) (names []string) {
	for _, match := range beginning.FindAllStringSubmatch(output, -1) {
		names = append(names, match[1])
	}
	return names
}

// once runs a process, without some tests. It returns its notes and what it printed, and reports whether it used up its
// steps.
func (p *program) once(
	ctx context.Context, dir, binary, goroot string, seed uint64, skipped []string,
) (notes []byte, output string, more bool, err error) {
	scratch, err := os.MkdirTemp(dir, "run-")
	if err != nil {
		return nil, "", false, fmt.Errorf("scratch folder: %w", err)
	}
	shared, err := p.shared(dir)
	if err != nil {
		return nil, "", false, fmt.Errorf("memory of notes: %w", err)
	}
	defer shared.Close()
	limits := replay.DefaultLimits()
	late, cancel := context.WithTimeout(ctx, wall)
	defer cancel()
	args := []string{"-test.short", "-test.timeout=0", "-test.v"}
	if len(skipped) > 0 {
		args = append(args, "-test.skip=^("+strings.Join(skipped, "|")+")$")
	}
	output, exit, waited, err := p.Env.RunBusy(late, p.worker, sandbox.Config{
		Binary: binary, Scratch: scratch, ReadOnly: []string{goroot + "/lib/time", p.Target.Dir}, Args: args,
		Env:            append(replay.Environment(seed), wire.CallsVariable+"=3"),
		FixedAddresses: seed == wire.MainSeed, Files: []*os.File{shared},
		Limits: sandbox.Limits{
			Memory: limits.Memory, Total: limits.Total, FileSize: limits.FileSize, Disk: limits.Disk,
			Processes: limits.Processes, OpenFiles: 256, CPU: processor,
		},
	}, idle)
	switch {
	case ctx.Err() != nil:
		return nil, "", false, ctx.Err()
	case err != nil:
		return nil, "", false, err
	case waited, late.Err() != nil, exit.Signal == "SIGXCPU", exit.Signal == "SIGKILL":
		return nil, "", false, errLate
	}
	notes, err = noted(shared)
	return notes, output, exit.Code == wire.StatusFresh, err
}

// shared makes the memory of a run, with its order.
func (p *program) shared(dir string) (*os.File, error) {
	var w wire.Writer
	w.Text(p.Target.Package(p.path).Dir)
	w.Uint(steps)
	w.Uint(ofOne)
	w.Count(len(p.order))
	for _, f := range p.order {
		w.Text(f.path)
		w.Numbers(f.points)
	}
	head := make([]byte, wire.CallsHead, wire.CallsHead+len(w))
	binary.LittleEndian.PutUint64(head[wire.CallsOrder:], uint64(len(w)))
	f, err := os.CreateTemp(dir, "notes-")
	if err != nil {
		return nil, err
	}
	err = f.Truncate(memory + int64(len(w)))
	if err == nil {
		_, err = f.WriteAt(append(head, w...), 0)
	}
	if err != nil {
		f.Close()
	}
	return f, err
}

// noted returns the notes in the memory of a run. A target can have made the file smaller.
func noted(f *os.File) ([]byte, error) {
	var head [wire.CallsHead]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return nil, fmt.Errorf("notes: %w", err)
	}
	size := min(binary.LittleEndian.Uint64(head[wire.CallsNoted:]), memory)
	notes := make([]byte, size)
	n, err := f.ReadAt(notes, wire.CallsHead)
	if err == io.EOF {
		err = nil
	}
	return notes[:n], err
}

// packed and unpacked turn the notes of both runs into one text, and back.
func packed(runs [2][][]byte) []byte {
	var w wire.Writer
	for _, processes := range runs {
		w.Count(len(processes))
		for _, notes := range processes {
			w.Bytes(notes)
		}
	}
	return w
}

func unpacked(text []byte) (runs [2][][]byte) {
	r := wire.NewReader(text)
	for i := range runs {
		for range r.Items() {
			runs[i] = append(runs[i], r.Bytes())
		}
	}
	return runs
}
