//go:build !zspectra_runtime

package driver

// listen does nothing: only code of the standard library can hear of what package os is asked for.
func listen() {}
