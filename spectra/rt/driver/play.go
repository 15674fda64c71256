package driver

// This file plays one sequence and answers with its outcome.

import (
	"encoding/binary"
	"reflect"
	"runtime"
	"strconv"

	"github.com/spectradiff/spectradiff/spectra/rt"
)

// mode says what is recorded.
type mode byte

const (
	modeOff     mode = 0
	modeDigests mode = 1
	modeValues  mode = 2
)

// How a sequence ended, as far as the driver itself sees it.
const (
	endDone    = 0
	endGoexit  = 1 // a driven call ended the goroutine
	endBlocked = 2 // the driven goroutine can never go on
	endInvalid = 3 // a statement does not fit the target
	endExited  = 4 // the target asked its process to end; the detail is its exit code
	endCrashed = 5 // a panic that nobody recovered from, not of a driven call
	endLimit   = 6 // the steps are used up
)

// run is the playing of one sequence.
type run struct {
	d        *driver
	program  []byte // the sequence as it came
	r        *decoder
	results  [][]reflect.Value
	steps    []step
	stubs    []visible
	end      byte
	detail   string
	calling  bool // a driven call is under way
	finished bool
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

// hugeNodes is the size from which a value is no longer worth reusing.
const hugeNodes = 20000

// play runs a sequence and answers. fresh says that the process must not play another one.
func (d *driver) play(index uint64, program []byte, m mode) (fresh bool, err error) {
	d.header(index + 1)
	yield()
	d.cover.begin()
	p := &run{d: d, program: program, r: &decoder{b: program}}
	d.ration()
	rt.Reseed()
	clear(d.memory[rt.HeaderSize : rt.HeaderSize+d.used])
	if m != modeOff {
		rt.Begin(d.memory[rt.HeaderSize:], len(d.memory)-rt.HeaderSize-spare, m == modeValues, d.nodes)
	}
	d.playing, d.reply = p, func() error { return d.answer(index, p, m) }
	fresh = d.bubble(p.main, func() {
		d.playing = nil
		err = d.reply()
	})
	if err != nil {
		return false, err
	}
	d.header(0)
	return !d.scratch.clean() || fresh, nil
}

// abandon answers for a sequence that can't go on, and ends the process with it.
func (d *driver) abandon(end byte, detail string) {
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
func (d *driver) limit() { d.abandon(endLimit, "") }

// exited is called when the target asks for the end of the process.
func (d *driver) exited(code int) { d.abandon(endExited, strconv.Itoa(code)) }

// panicked is called when a panic is about to end the process.
func (d *driver) panicked(value any) {
	if d.playing != nil {
		rt.On = false
		d.abandon(endCrashed, "panic: "+panicText(value))
	}
}

// fresh ends the process after the answer was sent.
func (d *driver) fresh() { d.exit(rt.StatusFresh) }

// yield lets goroutines that run in no bubble, such as workers that were started by an init
// function, go on until they wait: with one P they do so now or at the next system call, whose time
// nobody knows.
func yield() {
	for range 4 {
		runtime.Gosched()
	}
}

func (d *driver) header(sequence uint64) {
	d.sequence = sequence
	binary.LittleEndian.PutUint64(d.memory[rt.HeaderSequence:], sequence)
}

// answer stops the recording and sends the outcome.
func (d *driver) answer(index uint64, p *run, m mode) error {
	if !p.finished && p.end == endDone {
		p.end = endBlocked
	}
	var events []byte
	var full bool
	if m != modeOff {
		if p.end <= endBlocked {
			rt.Left()
		}
		events, full = rt.End()
		d.used = len(events)
	}
	used := d.steps - d.left()
	rt.SetSteps(1<<62, d.limit)
	e := newFrame()
	e.uint(index)
	e.byte(p.end)
	e.string(p.detail)
	e.uint(uint64(len(p.steps)))
	for i := range p.steps {
		p.steps[i].encode(&e)
	}
	e.uint(uint64(len(p.stubs)))
	for i := range p.stubs {
		p.stubs[i].encode(&e)
	}
	d.scratch.encode(&e)
	e.uint(uint64(used))
	e.bool(full)
	d.cover.encode(&e)
	e.uint(uint64(len(events)))
	e.b = append(e.b, events...)
	return d.pipes.send(rt.FrameOutcome, e.b)
}

func (s *step) encode(e *encoder) {
	e.bool(s.panicked)
	e.string(s.panic)
	e.digest(s.a, s.b)
	e.uint(uint64(len(s.results)))
	for i := range s.results {
		r := &s.results[i]
		e.digest(r.a, r.b)
		e.bool(r.nil)
		e.bool(r.failed)
		e.bool(r.huge)
		e.string(r.dynamic)
		r.visible.encode(e)
	}
}

// main runs the statements; it is the first function of the sequence's goroutine.
func (p *run) main() {
	defer p.over()
	for i := range p.r.count() {
		binary.LittleEndian.PutUint64(p.d.memory[rt.HeaderStatement:], uint64(i))
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
		p.end, p.finished, p.calling = endGoexit, true, false
	}
	for range settleRounds {
		settle(p.d.bubbles)
		yield()
	}
}

// settleRounds is how often goroutines outside of the bubble may wake others in it.
const settleRounds = 2

// statement runs the next statement; it returns false when the sequence ends with it.
func (p *run) statement() bool {
	c, err := p.prepare()
	if err == nil && p.r.err != nil {
		err = p.r.err
	}
	if err != nil {
		p.end, p.detail = endInvalid, err.Error()
		return false
	}
	out, s := p.call(c)
	p.results = append(p.results, out)
	p.steps = append(p.steps, s)
	return !s.panicked
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
			s = step{panicked: true, panic: panicText(x)}
			rt.On = on
		}
	}()
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

// reached is the digest of what the references among the arguments reach.
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

// describe looks at a result. A function's digest says nothing of what it captured, so its history
// stands in: two that came about in different ways count as different.
func (p *run) describe(v reflect.Value) result {
	pointer := reflect.New(v.Type())
	pointer.Elem().Set(v)
	r := result{nil: isNil(v), visible: show(v)}
	var nodes int
	r.a, r.b, nodes = rt.DigestOf(pointer)
	r.huge = nodes > hugeNodes
	if !r.nil && (v.Kind() == reflect.Func || v.Kind() == reflect.Interface && v.Elem().Kind() == reflect.Func) {
		a, b := rt.Sum(p.program)
		r.a, r.b = r.a^a, r.b^b^uint64(len(p.results))
	}
	if v.Kind() == reflect.Interface && !v.IsNil() {
		r.dynamic = rt.TypeName(v.Elem().Type())
		r.failed = v.Type() == errorType
	}
	return r
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}
