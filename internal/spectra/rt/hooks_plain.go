//go:build !zspectra_runtime

package rt

import (
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Patched reports whether the runtime's hooks are compiled in.
const Patched = false

// A gate is closed while a probe is at work. The target may have several threads run at a time.
type gate struct{ closed atomic.Bool }

func (g *gate) lock() {
	for !g.closed.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
}

func (g *gate) unlock() { g.closed.Store(false) }

// goid parses the goroutine's number from its stack trace.
func goid() uint64 {
	var b [40]byte
	n := runtime.Stack(b[:], false)
	id := uint64(0)
	for _, c := range b[len("goroutine "):n] {
		if c < '0' || c > '9' {
			break
		}
		id = id*10 + uint64(c-'0')
	}
	return id
}

// parentgoid parses the number of the goroutine that started this one, where the stack is not too
// deep to show it.
func parentgoid() uint64 {
	b := make([]byte, 16<<10)
	trace := string(b[:runtime.Stack(b, false)])
	const before = " in goroutine "
	i := strings.LastIndex(trace, before)
	if i < 0 {
		return 0
	}
	id := uint64(0)
	for _, c := range []byte(trace[i+len(before):]) {
		if c < '0' || c > '9' {
			break
		}
		id = id*10 + uint64(c-'0')
	}
	return id
}

func birth() uint64 { return 0 }

func lastTicket() uint64 { return 0 }

// Polls is not known here.
func Polls() uint64 { return 0 }

// OnEnd does nothing here: the supervisor sees the end of the process.
func OnEnd(exit func(code int), panicked func(value any)) {}

func show(names, shown []string) {}

func goroutineAt(int) (id, ticket uint64, alive, waiting bool, reason, start string, ok bool) {
	return 0, 0, false, false, "", "", false
}

// spare is not known here.
func spare() uintptr { return enough }

// faults has the goroutine panic where memory is not there, or end the process. It returns what was before.
func faults(panics bool) (before bool) { return debug.SetPanicOnFault(panics) }

// Awake does nothing here: the clock is always the machine's.
func Awake() {}

// Hide does nothing here: programs see all goroutines.
func Hide() {}

// Reseed does nothing here: random numbers differ from run to run.
func Reseed() {}

// leaving returns how the function of the frame is being left: a deferred call that the runtime makes while it
// unwinds has the runtime's panic or Goexit right above it.
func leaving(unsafe.Pointer) (how byte, value any) {
	var pcs [4]uintptr
	n := runtime.Callers(3, pcs[:])
	frames := runtime.CallersFrames(pcs[:n])
	for more := n > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case strings.Contains(f.Function, ".deferwrap"):
			continue
		case f.Function == "runtime.gopanic":
			return wire.ExitPanic, nil
		case f.Function == "runtime.Goexit":
			return wire.ExitGoexit, nil
		}
		return wire.ExitReturn, nil
	}
	return wire.ExitReturn, nil
}
