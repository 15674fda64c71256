//go:build !zspectra_runtime

package rt

// observing reports whether observers are called; a variable so that tests can.
var observing = false

func leave() bool { return true }

func comeBack() {}

func stackSize() uintptr { return 0 }
