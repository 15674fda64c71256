package rt

// AtExit is called when the target asks for the end of its process, if it is set. It returns what the detail of that
// end says behind its status.
var AtExit func(code int) (more string)
