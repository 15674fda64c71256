package replay

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// An answer holds the parts of an outcome. The zero answer is that of an empty sequence.
type answer struct {
	index    uint64
	end      byte
	detail   string
	steps    func(*wire.Writer)
	stubs    func(*wire.Writer)
	stdout   string
	files    func(*wire.Writer)
	used     uint64
	visited  uint64
	coverage func(*wire.Writer)
	events   []byte
	operands func(*wire.Writer)
	entries  func(*wire.Writer)
}

func none(w *wire.Writer) { w.Count(0) }

func (a answer) body() []byte {
	var w wire.Writer
	part := func(write func(*wire.Writer)) {
		if write == nil {
			write = none
		}
		write(&w)
	}
	w.Uint(a.index)
	w.Byte(a.end)
	w.Bool(false) // goexit
	w.Bool(false) // rejected
	w.Bool(false) // burst
	w.Bool(false) // outside
	w.Text(a.detail)
	part(a.steps)
	part(a.stubs)
	w.Text(a.stdout)
	w.Text("")
	part(a.files)
	w.Uint(a.used)
	w.Uint(a.visited)
	w.Bool(false) // full
	part(a.coverage)
	w.Bool(false) // watched blocks ran before
	w.Bytes(a.events)
	part(a.operands)
	part(a.entries)
	return w
}

// many returns a list of n entries of that many zeros.
func many(n, size int) func(*wire.Writer) {
	return func(w *wire.Writer) {
		w.Count(n)
		*w = append(*w, make([]byte, n*size)...)
	}
}

// The smallest sizes of the entries of an answer.
const (
	emptyStep   = 1 + 1 + 16 + 1
	emptyOutput = 16 + 1
	emptyFile   = 1 + 1 + 16
	emptyResult = 16 + 3 + 1 + emptyOutput
	noOperand   = 5
	emptyEntry  = 16 + 1
)

// results writes one step with n results.
func results(n int) func(*wire.Writer) {
	return func(w *wire.Writer) {
		w.Count(1)
		*w = append(*w, make([]byte, emptyStep-1)...)
		many(n, emptyResult)(w)
	}
}

func answered() *session {
	return &session{
		p:     &Player{Limits: Limits{Steps: 1000, EventBytes: 1 << 16}},
		block: []uint32{4, 5, 6},
	}
}

// TestForgedOutcome checks that an answer with more than the request or a driver allows is refused.
func TestForgedOutcome(t *testing.T) {
	text := strings.Repeat("x", 1<<17)
	for _, c := range []struct {
		reason string
		answer answer
		want   string // part of the error, "" is none
	}{
		{"nothing but an end", answer{}, ""},
		{"as much as was asked for", answer{
			steps: many(2, emptyStep), stubs: many(wire.StubCalls, emptyOutput), files: many(wire.Files, emptyFile),
			coverage: many(6, 1), used: 1000, events: make([]byte, 1<<16), operands: many(wire.Operands, noOperand),
			entries: many(2, emptyEntry),
		}, ""},
		{"more entries than statements", answer{entries: many(3, emptyEntry)}, "more than was asked for"},
		{"more arguments than a call has", answer{entries: func(w *wire.Writer) {
			w.Count(1)
			*w = append(*w, make([]byte, emptyEntry-1)...)
			many(maxResults+1, 16)(w)
		}}, "more than was asked for"},
		{"more operands", answer{operands: many(wire.Operands+1, noOperand)}, "more than was asked for"},
		{"a long operand", answer{operands: func(w *wire.Writer) {
			w.Count(1)
			w.Uint(1)
			w.Bool(false)
			w.Bool(false)
			w.Text(text[:wire.OperandText+1])
			w.Text("")
		}}, "more than was asked for"},
		{"a place that there is none of", answer{operands: func(w *wire.Writer) {
			w.Count(1)
			w.Uint(1 << 32)
			*w = append(*w, make([]byte, noOperand-1)...)
		}}, "too large"},
		{"another sequence", answer{index: 1}, "another sequence"},
		{"an end that there is none of", answer{end: byte(wire.EndBlocked) + 1}, "too large"},
		{"a time limit, which is not the driver's to say", answer{end: byte(wire.EndTimeout)}, "too large"},
		{"more steps than statements", answer{steps: many(3, emptyStep)}, "more than was asked for"},
		{"more results than a call has", answer{steps: results(maxResults + 1)}, "more than was asked for"},
		{"more calls of stubs", answer{stubs: many(wire.StubCalls+1, emptyOutput)}, "more than was asked for"},
		{"more files", answer{files: many(wire.Files+1, emptyFile)}, "more than was asked for"},
		{"more blocks than there are", answer{coverage: many(7, 1)}, "more than was asked for"},
		{"more events than there is room for", answer{events: make([]byte, 1<<16+1)}, "more than was asked for"},
		{"a long detail", answer{detail: text}, "more than was asked for"},
		{"long output", answer{stdout: text}, "more than was asked for"},
		{"more steps than the limit", answer{used: 3000}, "too large"},
		{"a negative number of steps", answer{used: math.MaxUint64}, "too large"},
		{"more nodes than the limits", answer{visited: 1 << 40}, "too large"},
		{"a negative number of nodes", answer{visited: math.MaxUint64}, "too large"},
	} {
		_, err := answered().outcome(c.answer.body(), asked{statements: 2})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.reason, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %q", c.reason, err, c.want)
		}
	}
}

// TestForgedMemory checks that a decoded answer takes a small multiple of its bytes.
func TestForgedMemory(t *testing.T) {
	const size = 4 << 20
	for reason, a := range map[string]answer{
		"steps":     {steps: many(size/emptyStep, emptyStep)},
		"results":   {steps: results(size / emptyResult)},
		"stubs":     {stubs: many(size/emptyOutput, emptyOutput)},
		"files":     {files: many(size/emptyFile, emptyFile)},
		"coverage":  {coverage: many(size, 1)},
		"entries":   {entries: many(size/emptyEntry, emptyEntry)},
		"no events": {events: make([]byte, size)},
	} {
		body := a.body()
		s := answered()
		s.p.Limits.EventBytes = size
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = s.outcome(body, asked{statements: size})
		runtime.ReadMemStats(&after)
		if total := after.TotalAlloc - before.TotalAlloc; total > 30*size {
			t.Errorf("%s: %d bytes for %d", reason, total, len(body))
		}
	}
}

// TestForgedGoroutines checks that digesting ends early for a recording of nothing but goroutines and tickets.
func TestForgedGoroutines(t *testing.T) {
	var goroutines, tickets, left wire.Writer
	for i := range uint64(2 * spectra.MaxNodes) {
		goroutines.Byte(wire.EventGoroutine)
		goroutines.Uint(i)
		goroutines.Uint(0)
		goroutines.Uint(0)
		tickets.Byte(wire.EventGo)
		tickets.Uint(i + 1)
		left.Byte(wire.EventLeft)
		left.Uint(0)
		left.Uint(i)
		left = append(left, 0, 0, 0)
	}
	for reason, stream := range map[string][]byte{"goroutines": goroutines, "tickets": tickets, "left": left} {
		p := &Played{}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p.trace(stream, len(points), func(uint32) (uint32, bool) { return 0, true })
		runtime.ReadMemStats(&after)
		if total := after.TotalAlloc - before.TotalAlloc; total > 500*spectra.MaxNodes {
			t.Errorf("%s: %d bytes for %d", reason, total, len(stream))
		}
		if p.traced {
			t.Errorf("%s: there is a digest", reason)
		}
		p.Spectrum = &spectra.Spectrum{}
		p.stream, p.naming = stream, answered().naming()
		if whole := p.Recorded(); !whole.Truncated || whole.End.Kind != wire.EndDone {
			t.Errorf("%s: truncated %v, end %v", reason, whole.Truncated, whole.End)
		}
	}
}

// TestForgedHello checks that a driver must have the packages of the table, each once.
func TestForgedHello(t *testing.T) {
	hello := func(paths ...string) []byte {
		var w wire.Writer
		w.Bool(true)
		w.Text("go1.26.0")
		w.Count(len(paths))
		for _, path := range paths {
			w.Text(path)
			w.Count(1)
			w.Count(2)
		}
		w.Count(0)
		return w
	}
	table := Table{{Path: "m/a", Points: make([]spectra.Point, 1), Blocks: 2}, {Path: "m/b", Points: nil, Blocks: 2}}
	for _, c := range []struct {
		reason string
		body   []byte
		want   string // part of the error, "" is none
	}{
		{"a package of the table", hello("m/a"), ""},
		{"another one", hello("m/c"), "m/c with 1 points and 2 blocks is not in the table"},
		{"with another number of points", hello("m/b"), "m/b with 1 points and 2 blocks is not in the table"},
		{"one that is there twice", hello("m/a", "m/a"), "m/a is there twice"},
		{"more packages", hello("m/a", "m/a", "m/a"), "more than was asked for"},
		{"a count of which there is nothing", []byte{1, 0, 0xff, 0xff, 0x7f}, "ends too early"},
	} {
		err := (&session{p: &Player{Table: table}}).hello(c.body)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.reason, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %q", c.reason, err, c.want)
		}
	}
}
