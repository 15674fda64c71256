package rt

// AtExit is called when the target asks for the end of its process, if it is set. It returns what the detail of that
// end says behind its status. It may panic instead, and so end what the running goroutine does.
var AtExit func(code int) (more string)

// Again is set by the driver. It ends the process without an answer: the running sequence, which is not the first one
// in it, is played in another process.
var Again func()

// Self returns the number of the running goroutine.
func Self() uint64 { return goid() }
