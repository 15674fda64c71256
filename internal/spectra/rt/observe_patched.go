//go:build zspectra_runtime

package rt

import _ "unsafe" // for go:linkname

// observing reports whether observers are called.
var observing = true

// leave prepares for a call of an observer: the goroutine leaves its bubble, and the state of the
// random numbers is noted. It fails where the goroutine is bound to its thread.
//
//go:linkname leave runtime.zspectra_leave
func leave() bool

// comeBack undoes what leave did.
//
//go:linkname comeBack runtime.zspectra_return
func comeBack()

// stackSize is the size of the running stack.
//
//go:linkname stackSize runtime.zspectra_stack
func stackSize() uintptr
