package rt

import (
	"runtime"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/state"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// record is the recording of one sequence.
type record struct {
	busy   gate
	run    uint32 // rises with every recording
	last   uint64 // goroutine of the last event
	driver uint64 // goroutine that runs the statements
	buf    []byte // a part of memory that survives the process, given by the driver
	high   int    // no event starts above this length
	full   bool   // an event had no room
	loop   bool   // begin anew instead
	values bool   // keep values, not only digests
	before uint64 // tickets up to this one are of earlier recordings
	panic  any    // the panic value while it is walked
	nodes  int64  // nodes that the states of this recording may still visit
	spent  int64  // nodes that they did visit
	begun  int64  // steps when it began
	kept   int    // nodes of states with values, where only some points keep them
	tally  *Tally
	walk   state.Walker
}

var recorder = record{tally: new(Tally)}

// A Tally counts the states of a recording.
type Tally struct {
	States    uint64
	Truncated uint64
}

// Count has later recordings count into t, which may lie in memory that outlives the process.
func Count(t *Tally) { recorder.tally = t }

// Begin starts a recording into buf, which must have room for limit bytes and one more event.
func Begin(buf []byte, limit int, values bool, nodes int64) {
	r := &recorder
	r.run++
	r.last = 0
	r.buf = buf[:0]
	r.high = limit
	r.full = false
	r.loop = false
	r.values = values
	r.nodes = nodes
	r.spent, r.begun, r.kept = 0, steps, 0
	r.driver, r.before = 0, lastTicket()
	On = true
}

// Loop starts an endless recording of digests into buf, which must have room for limit bytes and
// one more event: what is in it is dropped whenever it is full. Measurements of whole programs use it.
func Loop(buf []byte, limit int) {
	Begin(buf, limit, false, 1<<62)
	recorder.loop = true
}

// Length returns the number of bytes recorded so far.
func Length() int { return len(recorder.buf) }

// Visited returns the number of nodes that the states so far had, when the recording began with a budget of them.
func Visited(budget int64) int64 { return budget - recorder.nodes }

// End stops the recording and returns the events. It reports as full that events are missing.
func End() (events []byte, full bool) {
	On = false
	return recorder.buf, recorder.full
}

// Mark records that the driver is about to run a statement of the sequence.
func Mark(statement int) {
	if r := &recorder; On && r.room() {
		r.driver = r.last
		r.buf = wire.AppendUint(append(r.buf, wire.EventStep), uint64(statement))
	}
}

// Spend charges the sequence's budget for work other than that of the target's code.
func Spend(n int64) {
	if steps -= n; steps < 0 {
		limit()
	}
}

// SetSteps sets the sequence's budget of steps, and what is called when it is used up.
func SetSteps(n int64, exceeded func()) {
	steps = n
	limit = exceeded
}

// Steps returns the rest of the budget.
func Steps() int64 { return steps }

// room reports whether another event, of the goroutine that asks, may be written.
func (r *record) room() bool {
	if len(r.buf) > r.high {
		r.overflow()
	}
	return !r.full && r.goroutine()
}

func (r *record) overflow() {
	r.full = !r.loop
	if r.loop {
		r.buf = r.buf[:0]
		r.last = 0
	}
}

// enter records an entry. It reports whether the state was walked.
func (r *record) enter(p *Point, slots []memory.Interface) bool {
	w := &r.walk
	w.Reset(r.values && !p.bare)
	walked := r.affords(p)
	if walked {
		r.look(p, slots)
		p.learn(slots)
	} else {
		w.Truncate()
	}
	r.buf = wire.AppendUint(append(r.buf, wire.EventEnter), uint64(p.id))
	line := 0
	if r.values {
		line = callLine()
	}
	r.state(p, w, line)
	return walked
}

func (r *record) exit(f *Frame, how byte, value any, slots []memory.Interface) {
	w, p := &r.walk, f.point
	w.Reset(r.values && !p.bare)
	switch {
	case f.skipped:
		w.Truncate()
	case how == wire.ExitReturn:
		r.look(p, slots)
		p.learn(slots)
	default:
		r.leave(f, how, value, slots)
	}
	r.buf = append(r.buf, wire.EventExit, how)
	r.state(p, w, 0)
}

// look walks the slots of a function and the package variables that it may touch.
func (r *record) look(p *Point, slots []memory.Interface) {
	defer r.survive(faults(true))
	r.walk.Slots(p.order, slots)
	r.globals(p)
}

// survive is deferred where the target's memory is read. A value may refer to memory that is gone, such as that of a
// file that is mapped no more: the target does not look there, so it is not to end because a walk does.
func (r *record) survive(before bool) {
	faults(before)
	if recover() != nil {
		r.walk.Abandon()
		r.panic = nil
	}
}

// leave walks the slots of a function that is left without results, and the package variables.
func (r *record) leave(f *Frame, how byte, value any, slots []memory.Interface) {
	defer r.survive(faults(true))
	r.walk.Slots(f.point.order, slots[:min(int(f.in), len(slots))])
	if how == wire.ExitPanic {
		r.panic = value
		slot := any(&r.panic)
		r.walk.Slot(wire.SlotPanic, hidden(&slot))
		r.panic = nil
	}
	r.globals(f.point)
}

// globals walks the package variables that the point's function may touch.
func (r *record) globals(p *Point) {
	for _, v := range p.vars {
		r.walk.Global(v.index, hidden(&v.Ptr))
	}
}

// state writes the result of the walker: the digest and, where they are kept, the values and the line of the call, if
// it is known. Where only some points keep values, they do so while there is room for the digests of others.
func (r *record) state(p *Point, w *state.Walker, line int) {
	r.pay(p, w)
	flags := byte(0)
	if w.Truncated() {
		flags |= wire.StateTruncated
	}
	valued := r.values && !p.bare && (!someValued || r.keeps(w))
	if valued {
		flags |= wire.StateValues
	}
	if line > 0 {
		flags |= wire.StateSite
	}
	h := w.Hash()
	r.buf = wire.AppendWord(wire.AppendWord(append(r.buf, flags), h.A), h.B)
	if valued {
		tokens := w.Tokens()
		if len(r.buf)+len(tokens) > r.high {
			r.full = true
			tokens = nil
		}
		r.buf = wire.AppendUint(r.buf, uint64(len(tokens)))
		r.buf = append(r.buf, tokens...)
	}
	if line > 0 {
		r.buf = wire.AppendUint(r.buf, uint64(line))
	}
}

// keeps reports whether there is room for the values of another state besides the digests of others, and takes it.
func (r *record) keeps(w *state.Walker) bool {
	n := r.kept + w.Nodes()
	if n > wire.ValuedNodes || len(r.buf)+len(w.Tokens()) > r.high/4*3 {
		return false
	}
	r.kept = n
	return true
}

// callLine finds the line of the call in the function that called the instrumented one.
func callLine() int {
	var pcs [16]uintptr
	n := runtime.Callers(2, pcs[:])
	frames := runtime.CallersFrames(pcs[:n])
	user := 0
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "zspectra.") && !strings.Contains(f.Function, "spectra/rt.") {
			user++
		}
		if user == 2 {
			return f.Line
		}
		if !more {
			return 0
		}
	}
}
