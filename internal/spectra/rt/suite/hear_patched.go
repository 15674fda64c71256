//go:build zspectra_runtime

package suite

import (
	"internal/testlog"
	"os"
)

// hear has functions told of variables of the environment that are asked for, and of files that were opened for
// reading, with the names by which they were. Nil: nobody is told.
func hear(asked func(name string), opened func(f *os.File, name string)) {
	if log, ok := testlog.Logger().(interface {
		Tell(asked func(string), opened func(*os.File, string))
	}); ok {
		log.Tell(asked, opened)
	}
}
