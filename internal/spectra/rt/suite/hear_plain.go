//go:build !zspectra_runtime

package suite

import "os"

// hear does nothing: only code of the standard library can hear of what package os is asked for.
func hear(func(name string), func(f *os.File, name string)) {}
