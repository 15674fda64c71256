package archive

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Begins reports whether an archive begins here, whatever the version of its format. It consumes nothing.
func Begins(from *bufio.Reader) bool {
	head, _ := from.Peek(len(magic) - 1)
	return string(head) == magic[:len(magic)-1]
}

// All is the index that stands for all sequences of an archive.
const All = -1

// ErrNoSequence is returned by Print when the archive doesn't have the sequence.
var ErrNoSequence = errors.New("no such sequence")

// Print writes the header of an archive, and then all of its sequences or the one with the given index,
// as text: their statements, their executions with the values or digests of the states, and their
// outcomes. If the archive turns out to be damaged, everything before the damage has been written. Print
// holds one sequence at a time, and reads no further than it has to.
func Print(to io.Writer, r *Reader, index int) error {
	p := printer{out: bufio.NewWriter(to), values: r.Header.Values}
	p.header(r)
	for {
		s, err := r.Next()
		if err == nil && index != All && s.Index != index {
			continue
		}
		if err == nil {
			_, err = r.Spectrum(s)
			p.sequence(s)
		}
		if failed := p.out.Flush(); failed != nil {
			return fmt.Errorf("print archive: %w", failed)
		}
		switch {
		case err == io.EOF && index == All:
			return nil
		case err == io.EOF:
			return ErrNoSequence
		case err != nil || index != All:
			return err
		}
	}
}

// A printer writes indented lines. Errors of writing are found when its writer is flushed.
type printer struct {
	out    *bufio.Writer
	values bool // states have values
}

// deepest is how far lines are indented. Those of deeper calls stand there too.
const deepest = 500

func (p *printer) line(depth int, format string, args ...any) {
	fmt.Fprintf(p.out, "%s%s\n", strings.Repeat("  ", min(depth, deepest)), fmt.Sprintf(format, args...))
}

func (p *printer) header(r *Reader) {
	h, states := r.Header, "digests"
	if h.Values {
		states = "values"
	}
	p.line(0, "module %s, %s version, commit %s", h.Module, h.Side, h.Commit)
	p.line(0, "recorded with %s and seed %d: the %s of states", h.Go, h.Seed, states)
	p.line(0, "%d functions and literals, %d package variables", len(r.Points), len(r.Variables))
}

func (p *printer) sequence(s *Sequence) {
	o := s.Outcome
	p.line(0, "\nsequence %d", s.Index)
	p.line(0, "%s\n", strings.TrimSuffix(s.Text, "\n"))
	for i, step := range o.Steps {
		p.step(i, step)
	}
	for i, e := range o.Stray {
		p.line(0, "goroutine %d of which it is not known what started it", i)
		p.execution(e, 1)
	}
	p.left(0, o.Goroutines)
	p.outputs(o)
	if o.Truncated {
		p.line(0, "the recording is incomplete: there were too many events")
	}
	p.line(0, "end %s", o.End)
}

func (p *printer) step(i int, step spectra.StepOutcome) {
	switch {
	case !step.Ran:
		p.line(0, "step %d did not run", i)
	case step.Panic != "":
		p.line(0, "step %d %s", i, step.Panic)
	default:
		p.line(0, "step %d", i)
	}
	for _, e := range step.Calls {
		p.execution(e, 1)
	}
	for n, result := range step.Results {
		p.line(1, "result %d = %s", n, result.Text)
	}
}

// execution prints an execution and, below it, its callees.
func (p *printer) execution(e *spectra.Execution, depth int) {
	if e.Go {
		p.line(depth, "go")
	}
	p.line(depth, "%s %s", e.Symbol, e.How)
	p.state(depth+1, "entry", e.Entry)
	if e.How != spectra.Open {
		p.state(depth+1, "exit", e.Exit)
	}
	for _, child := range e.Children {
		p.execution(child, depth+1)
	}
	p.left(depth+1, e.Goroutines)
}

func (p *printer) state(depth int, at string, s spectra.State) {
	if !p.values {
		p.line(depth, "%s %016x%016x", at, s.Digest[0], s.Digest[1])
	}
	for leaf := range spectra.Leaves(s.Slots()) {
		p.line(depth, "%s %s = %s", at, leaf.Path, leaf.Text)
	}
	if s.Truncated {
		p.line(depth, "%s is larger than what is recorded of a state", at)
	}
}

// left prints goroutines that have not ended when the sequence ends.
func (p *printer) left(depth int, list []spectra.Goroutine) {
	for _, l := range list {
		start := l.Start
		if start == "" {
			start = "an unknown function"
		}
		if l.Waiting {
			p.line(depth, "left behind: goroutine of %s, which waits: %s", start, l.Reason)
		} else {
			p.line(depth, "left behind: goroutine of %s, which can run", start)
		}
	}
}

// outputs prints what the sequence left besides its results: output, files, goroutines.
func (p *printer) outputs(o *spectra.Spectrum) {
	for i, call := range o.StubCalls {
		during := ""
		if call.Step >= 0 {
			during = fmt.Sprintf(" in step %d", call.Step)
		}
		p.line(0, "stub call %d%s %s", i, during, call.Text)
	}
	if o.Stdout != "" {
		p.line(0, "standard output %q", o.Stdout)
	}
	if o.Stderr != "" {
		p.line(0, "standard error %q", o.Stderr)
	}
	for _, f := range o.Files {
		p.line(0, "file %s of %d bytes %016x%016x", f.Name, f.Size, f.Digest[0], f.Digest[1])
	}
	if o.Leaked > 0 {
		p.line(0, "goroutines left behind %d", o.Leaked)
	}
}
