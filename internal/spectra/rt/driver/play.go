package driver

import (
	"encoding/binary"
	"errors"
	"reflect"
	"runtime"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// run is the playing of one sequence.
type run struct {
	d        *driver
	program  []byte // the sequence as it came
	r        wire.Reader
	results  [][]reflect.Value
	steps    []step
	tries    bool    // it is only tried out: no call is handed a huge text
	enters   bool    // what calls are handed is looked at
	entries  []entry // one for each statement that began, if enters is set
	stubs    []stubCall
	end      wire.End
	detail   string
	calling  bool // a driven call is under way
	finished bool
	goexit   bool   // a driven call ended the goroutine
	rejected bool   // a statement does not fit the target; the detail says how
	burst    bool   // the time bubble failed, not the target
	polls    uint64 // sockets, pipes and terminals that were opened before
	assigned []assigned
}

// step is the outcome of one statement.
type step struct {
	panicked bool
	panic    string
	a, b     uint64 // digest of what the arguments reach after the call
	results  []result
}

// result is one result of a driven call.
type result struct {
	a, b    uint64
	nil     bool
	failed  bool // a non-nil error
	huge    bool
	dynamic string
	visible visible
}

// A stubCall is a call of a stub.
type stubCall struct {
	visible
	step int // the statement that was running
}

// noStep stands for no statement, or several. No sequence has so many.
const noStep = 1<<31 - 1

// From these sizes, in nodes and bytes, values and texts are no longer worth reusing.
const (
	hugeNodes = 20_000
	hugeText  = 16 << 10
)

// play runs a sequence and answers. It reports as fresh that the process must not play another one.
func (d *driver) play(index uint64, program []byte, m wire.Mode) (fresh bool, err error) {
	d.header(index + 1)
	yield()
	d.cover.begin()
	p := &run{
		d: d, program: program, r: wire.NewReader(program),
		enters: m == wire.ModeEntries, tries: m == wire.ModeOutcomes, polls: rt.Polls(),
	}
	d.ration()
	rt.Reseed()
	clear(d.memory[wire.HeaderSize : wire.HeaderSize+d.used])
	if m.Records() {
		rt.Begin(d.memory[wire.HeaderSize:], len(d.memory)-wire.HeaderSize-spare, m == wire.ModeValues, d.nodes)
	}
	rt.Note(m == wire.ModeOperands)
	d.playing, d.reply = p, func() error { return d.answer(index, p, m) }
	fresh = d.bubble(p.main, func() {
		d.playing = nil
		err = d.reply()
	})
	p.restore()
	if err != nil {
		return false, err
	}
	d.header(0)
	return !d.scratch.clean() || fresh || rt.Command, nil
}

// abandon answers for a sequence that can't go on, and ends the process with it.
func (d *driver) abandon(end wire.End, detail string) {
	p := d.playing
	if p == nil {
		return // what was left behind does not matter any more
	}
	d.playing = nil
	p.end, p.detail, p.finished = end, detail, true
	if p.calling {
		p.steps = append(p.steps, step{})
	}
	if err := d.reply(); err != nil {
		d.fault(err)
	}
	d.fresh()
}

// limit is called when the running sequence has used up its steps.
func (d *driver) limit() { d.abandon(wire.EndStepLimit, "") }

// exited is called when the target asks for the end of the process.
func (d *driver) exited(code int) {
	if p := d.playing; p != nil && p.calling && rt.Command {
		p.calling = false
		p.steps = append(p.steps, step{results: []result{status(code)}})
		d.abandon(wire.EndDone, "")
	}
	detail := strconv.Itoa(code)
	if rt.AtExit != nil && d.playing != nil {
		detail += rt.AtExit(code)
	}
	d.abandon(wire.EndExited, detail)
}

// status describes the status with which a command ends: nil, or an error.
func status(code int) result {
	r := result{nil: code == 0, failed: code != 0, visible: visible{text: "nil"}}
	r.a, r.b = digest.Of([]byte(strconv.Itoa(code)))
	if code != 0 {
		r.visible.text = wire.StatusText + strconv.Itoa(code)
	}
	r.visible.a, r.visible.b = r.a, r.b
	return r
}

// panicked is called when a panic is about to end the process.
func (d *driver) panicked(value any) {
	if d.playing != nil {
		rt.On = false
		d.playing.burst = d.playing.burst || burst(value)
		d.abandon(wire.EndCrashed, "panic: "+panicText(value))
	}
}

// fresh ends the process after the answer was sent.
func (d *driver) fresh() { d.exit(wire.StatusFresh) }

// yield lets goroutines that run in no bubble, such as workers that were started by an init
// function, go on until they wait: with one P they do so now or at the next system call, whose time
// nobody knows.
func yield() {
	for range 4 {
		runtime.Gosched()
	}
}

func (d *driver) header(sequence uint64) {
	binary.LittleEndian.PutUint64(d.memory[wire.HeaderSequence:], sequence)
}

// answer stops the recording and sends the outcome.
func (d *driver) answer(index uint64, p *run, m wire.Mode) error {
	if !p.finished && p.end == wire.EndDone {
		p.end = wire.EndBlocked
	}
	var events []byte
	var full bool
	var visited int64
	if m.Records() {
		if !p.rejected && (p.end == wire.EndDone || p.end == wire.EndBlocked) && !rt.Command {
			rt.Left()
		}
		events, full = rt.End()
		d.used, visited = len(events), rt.Visited(d.nodes)
	}
	used := d.steps - d.left()
	rt.SetSteps(1<<62, d.limit)
	e := wire.NewFrame()
	e.Uint(index)
	e.Byte(byte(p.end))
	e.Bool(p.goexit)
	e.Bool(p.rejected)
	e.Bool(p.burst)
	e.Bool(rt.Polls() != p.polls)
	e.Text(cut(p.detail))
	e.Count(len(p.steps))
	for i := range p.steps {
		p.steps[i].encode(&e)
	}
	e.Count(len(p.stubs))
	for i := range p.stubs {
		p.stubs[i].encode(&e)
		e.Uint(uint64(p.stubs[i].step))
	}
	d.scratch.encode(&e)
	e.Uint(uint64(used))
	e.Uint(uint64(visited))
	e.Bool(full)
	d.cover.encode(&e)
	e.Bytes(events)
	encodeOperands(&e, rt.Noted)
	rt.Note(false)
	e.Count(len(p.entries))
	for i := range p.entries {
		p.entries[i].encode(&e)
	}
	return d.pipes.send(wire.FrameOutcome, e)
}

func encodeOperands(e *wire.Writer, list []rt.Operand) {
	e.Count(len(list))
	for _, o := range list {
		e.Uint(uint64(o.Site))
		e.Bool(o.Number)
		e.Bool(o.Alone)
		e.Text(o.Left)
		e.Text(o.Right)
	}
}

// cut returns what is kept of a text.
func cut(s string) string { return s[:min(len(s), wire.LongText)] }

func (s *step) encode(e *wire.Writer) {
	e.Bool(s.panicked)
	e.Text(s.panic)
	e.Digest([2]uint64{s.a, s.b})
	e.Count(len(s.results))
	for i := range s.results {
		r := &s.results[i]
		e.Digest([2]uint64{r.a, r.b})
		e.Bool(r.nil)
		e.Bool(r.failed)
		e.Bool(r.huge)
		e.Text(cut(r.dynamic))
		r.visible.encode(e)
	}
}

// main runs the statements. It is the first function of the sequence's goroutine.
func (p *run) main() {
	defer p.over()
	for i := range p.r.Count() {
		binary.LittleEndian.PutUint64(p.d.memory[wire.HeaderStatement:], uint64(i))
		rt.Mark(i)
		if !p.statement() {
			break
		}
	}
	p.finished = true
}

// over waits until every other goroutine of the sequence has ended or waits. It is called when the
// statements have run, and when one of them ended their goroutine.
func (p *run) over() {
	if !p.finished {
		p.goexit, p.finished, p.calling = true, true, false
	}
	for range settleRounds {
		settle(p.d.bubbles)
		yield()
	}
}

// settleRounds is how often goroutines outside of the bubble may wake others in it.
const settleRounds = 2

// statement runs the next statement. It reports whether the sequence goes on after it.
func (p *run) statement() bool {
	c, err := p.prepare()
	if err == nil {
		err = p.r.Err()
	}
	if errors.Is(err, errNil) {
		c, err = call{run: dereference}, nil
	}
	if err != nil {
		p.rejected, p.detail = true, err.Error()
		return false
	}
	out, s := p.call(c)
	p.results = append(p.results, out)
	p.steps = append(p.steps, s)
	return !s.panicked
}

// note keeps a call of a stub.
func (p *run) note(v visible) {
	if n := len(p.stubs); n == wire.StubCalls {
		last := &p.stubs[n-1]
		last.visible, last.step = last.with(&v), noStep
		return
	}
	s := stubCall{v, noStep}
	if p.calling {
		s.step = len(p.steps)
	}
	p.stubs = append(p.stubs, s)
}

// call makes a driven call and describes what came of it.
func (p *run) call(c call) (out []reflect.Value, s step) {
	done := false
	defer func() {
		if done {
			return
		}
		if x := recover(); x != nil {
			on := rt.On
			rt.On = false
			p.calling = false
			p.burst = p.burst || burst(x)
			s = step{panicked: true, panic: panicText(x)}
			rt.On = on
		}
	}()
	if p.enters {
		p.enter(c.args)
	}
	p.calling = true
	out = c.run()
	p.calling, done = false, true
	on := rt.On
	rt.On = false
	for _, v := range out {
		s.results = append(s.results, p.describe(v))
	}
	s.a, s.b = reached(c.args)
	rt.On = on
	return out, s
}

// reached returns the digest of what the references among the arguments reach.
func reached(args []reflect.Value) (a, b uint64) {
	var pointers []reflect.Value
	for _, v := range args {
		switch v.Kind() {
		case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface, reflect.Struct:
			p := reflect.New(v.Type())
			p.Elem().Set(v)
			pointers = append(pointers, p)
		}
	}
	if len(pointers) == 0 {
		return 0, 0
	}
	return rt.DigestOfAll(pointers)
}

// describe looks at a result. A function's digest doesn't have what it captured, so its history stands in: two that
// came about in different ways count as different.
func (p *run) describe(v reflect.Value) result {
	pointer := reflect.New(v.Type())
	pointer.Elem().Set(v)
	r := result{nil: isNil(v), visible: show(v)}
	var nodes int
	r.a, r.b, nodes = rt.DigestOf(pointer)
	r.huge = nodes > hugeNodes || isHugeText(v)
	if !r.nil && (v.Kind() == reflect.Func || v.Kind() == reflect.Interface && v.Elem().Kind() == reflect.Func) {
		a, b := digest.Of(p.program)
		r.a, r.b = r.a^a, r.b^b^uint64(len(p.results))
	}
	if v.Kind() == reflect.Interface && !v.IsNil() {
		r.dynamic = names.Type(v.Elem().Type())
		r.failed = v.Type() == errorType
	}
	return r
}

func isHugeText(v reflect.Value) bool { return v.Kind() == reflect.String && v.Len() > hugeText }

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.Interface,
		reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}
