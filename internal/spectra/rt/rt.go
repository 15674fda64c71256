// Package rt is the runtime that is compiled into the target: the probes of instrumented code, and the recorder that
// writes their events.
//
// In the target its import path is zspectra. Package state computes the states of events, package driver plays
// sequences.
//
// In: calls of Enter, Exit, Go and Tick from instrumented code, registrations of instrumented packages, a configuration
// from the driver. Out: events in a buffer, in the format of package wire.
//
// A probe calls no code of the target, except observers, which were proven to write nothing (aside.go). It changes no
// reachable value and keeps no pointer after it returns. It allocates only when tables grow, or for observers. No clock
// is part of an event. The package never writes to standard output or starts a goroutine, and no panic leaves it.
//
// The driver runs the target on one P without preemption by time, so a walk is atomic. On Go releases without that
// (hooks_plain.go), a probe that finds another probe at work yields until that one ends; where the target asks for
// several threads, a walk may see what another thread is changing.
package rt

import (
	"runtime"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/memory"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/state"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// On is true while a recording runs. Instrumented code reads it before every Enter.
var On bool

// A Point is where the executions of one function are recorded. Instrumented packages hold one
// array of them.
type Point struct {
	id    uint32
	run   uint32         // the recording that spent is of
	spent int64          // nodes of its states
	plan  state.Plan     // its slots, as they were met last
	head  uint64         // the beginning of its entries: the event, the point, no flags
	size  int            // bytes of it
	order []state.Choice // the slots of its states; nil = all
	vars  []*Var
	texts bool // of its slots that were met last
	bare  bool // no values of its states are kept
	near  bool // its states are walked as long as there are nodes
}

// A Var is a package-level variable of the target.
type Var struct {
	Name  string
	Ptr   any // pointer to the variable
	index int // in the configuration
}

// A Package is the registration of an instrumented package.
type Package struct {
	Path     string
	Points   []Point
	Counters []uint8
	Vars     []Var
}

// An Operation is a function that sequences may call.
type Operation struct {
	Name    string
	Func    any  // or a pointer to the package variable that the operation sets
	Pointee bool // its receiver is given as a value where it takes a pointer, or the other way round
}

// A Type is a type that sequences may name.
type Type struct {
	Name string
	Zero any // nil pointer to the type
}

// What the target registered, in the order of its package initialisation.
var (
	Packages   []Package
	Operations []Operation
	Types      []Type
	points     uint32
)

// Command is set while the running operation is a whole program: its status is the operation's result then, and its
// process plays nothing else.
var Command bool

// Register is called once by every instrumented package while it is initialised.
func Register(p Package) {
	for i := range p.Points {
		p.Points[i].id = points + uint32(i)
	}
	points += uint32(len(p.Points))
	Packages = append(Packages, p)
}

// RegisterOperations adds operations to the table.
func RegisterOperations(ops []Operation) { Operations = append(Operations, ops...) }

// RegisterTypes adds types to the table.
func RegisterTypes(types []Type) { Types = append(Types, types...) }

// A Frame is the open execution of an instrumented function. It lies in that function's frame.
type Frame struct {
	point   *Point
	run     uint32 // the recording it belongs to
	in      uint16 // slots at entry
	skipped bool   // the state at entry was not walked, so that at exit is not either
}

// Enter records the entry of a function. The slots are pointers to the receiver, the parameters
// and the captured variables; they do not escape.
//
//go:noinline
func Enter(p *Point, slots ...any) Frame {
	r := &recorder
	r.busy.lock()
	f := Frame{point: p, run: r.run, in: uint16(len(slots))}
	if r.room() && !r.enterWords(p, hide(slots)) {
		reserve()
		if p.order != nil && state.Impossible(p.order, hide(slots)) {
			f.run = 0
		} else {
			f.skipped = !r.enter(p, hide(slots))
		}
		runtime.KeepAlive(unsafe.SliceData(slots)) // a walk holds numbers, which keep nothing alive
	}
	r.busy.unlock()
	return f
}

// Exit records how the function was left: the same pointers as at entry, then pointers to the
// results. It must be deferred first thing in the function.
//
//go:noinline
func (f *Frame) Exit(slots ...any) {
	r := &recorder
	if !On || f.run != r.run {
		return
	}
	how, value := leaving(noescape(unsafe.Pointer(f)))
	r.busy.lock()
	if r.room() && (how != wire.ExitReturn || !r.exitWords(f.point, hide(slots))) {
		reserve()
		r.exit(f, how, value, hide(slots))
		runtime.KeepAlive(unsafe.SliceData(slots))
	}
	r.busy.unlock()
}

// Go records that the next statement starts a goroutine. Where the runtime reports every goroutine that is started
// (started.go), it does nothing.
func Go() {
	if On && !Patched {
		r := &recorder
		r.busy.lock()
		if r.room() {
			r.buf = wire.AppendUint(append(r.buf, wire.EventGo), 0)
		}
		r.busy.unlock()
	}
}

// steps is the rest of the sequence's budget of executed loop bodies and function entries.
var steps = int64(1) << 62

// limit is called when the budget is used up; the driver sets it. It does not return while recording.
var limit = func() {}

// Tick counts one step.
func Tick() {
	steps--
	if steps < 0 {
		limit()
	}
}

// enough is the stack that a walk needs.
const enough = 16 << 10

// reserve has the stack grow before a walk. Afterwards the slots are numbers, which don't move with it.
func reserve() {
	if spare() < enough {
		deepen(enough / 4096)
	}
}

//go:noinline
func deepen(frames int) byte {
	var frame [4096]byte
	if frames > 0 {
		frame[frames] = deepen(frames - 1)
	}
	return frame[frames/2]
}

// hide returns the slots so that escape analysis doesn't follow them: the probes keep no pointer.
func hide(slots []any) []memory.Interface {
	return unsafe.Slice((*memory.Interface)(noescape(unsafe.Pointer(unsafe.SliceData(slots)))), len(slots))
}

// hidden returns a slot as numbers. The caller keeps it alive.
func hidden(slot *any) memory.Interface { return *(*memory.Interface)(unsafe.Pointer(slot)) }

// noescape hides a pointer from escape analysis.
//
//go:nosplit
func noescape(p unsafe.Pointer) unsafe.Pointer { return memory.At(uintptr(p)) }
