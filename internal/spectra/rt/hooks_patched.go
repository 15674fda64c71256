//go:build zspectra_runtime

package rt

import (
	"runtime"
	"unsafe"
	_ "unsafe" // for go:linkname
)

// Patched reports whether the runtime's hooks are compiled in.
const Patched = true

// A gate is closed while a probe is at work. One thread runs at a time, so an atomic operation would be for nothing.
type gate bool

func (g *gate) lock() {
	for *g {
		runtime.Gosched()
	}
	*g = true
}

func (g *gate) unlock() { *g = false }

//go:linkname goid runtime.zspectra_goid
func goid() uint64

//go:linkname birth runtime.zspectra_birth
func birth() uint64

// parentgoid is not needed here: the ticket that birth returns names the place, too.
func parentgoid() uint64 { return 0 }

//go:linkname lastTicket runtime.zspectra_last
func lastTicket() uint64

// Polls counts the sockets, pipes and terminals that were opened.
//
//go:linkname Polls runtime.zspectra_polled
func Polls() uint64

// Arrived wakes the goroutines whose sockets and pipes are ready, and reports whether there are any.
//
//go:linkname Arrived runtime.zspectra_arrived
func Arrived() bool

//go:linkname onStart runtime.zspectra_onstart
func onStart(started func(goroutine, born, ticket uint64))

//go:linkname onEnd runtime.zspectra_onend
func onEnd(exit func(code int), panicked func(value any))

// OnEnd sets what is called when the target asks its process to end, and when a panic is about to
// end it.
func OnEnd(exit func(code int), panicked func(value any)) { onEnd(exit, panicked) }

//go:linkname onBubbleFailure runtime.zspectra_onbubble
func onBubbleFailure(at *uint64, status uint64)

// OnBubbleFailure has the runtime leave a status at a place that outlives the process, when it ends the
// process because something of one time bubble was used outside of it.
func OnBubbleFailure(at *uint64, status uint64) { onBubbleFailure(at, status) }

// show has programs see functions under other names.
//
//go:linkname show runtime.zspectra_show
func show(names, shown []string)

//go:linkname goroutineAt runtime.zspectra_goroutine
func goroutineAt(i int) (id, ticket uint64, alive, waiting bool, reason, start string, ok bool)

//go:linkname runtimeLeaving runtime.zspectra_leaving
func runtimeLeaving(frame unsafe.Pointer) (how byte, value any)

//go:linkname shift runtime.zspectra_shift
func shift()

func init() {
	shift()
	onStart(started)
}

//go:linkname reseed runtime.zspectra_reseed
func reseed(n uint64)

// Reseed starts the stream of random numbers anew, so that a sequence draws the same ones alone as
// among others.
func Reseed() { reseed(0) }

//go:linkname hideGoroutine runtime.zspectra_hide
func hideGoroutine()

// Hide has programs not see the goroutine that calls it, in stacks, profiles and counts of goroutines.
func Hide() { hideGoroutine() }

//go:linkname spare runtime.zspectra_spare
func spare() uintptr

// faults has the goroutine panic where memory is not there, or end the process. It returns what was before.
//
//go:linkname faults runtime.zspectra_faults
func faults(panics bool) (before bool)

//go:linkname awake runtime.zspectra_awake
func awake()

// Awake sets the clock outside of bubbles to the machine's. Before, it starts shortly before that of bubbles and
// moves only by what a program does.
func Awake() { awake() }

func leaving(frame unsafe.Pointer) (how byte, value any) { return runtimeLeaving(frame) }
