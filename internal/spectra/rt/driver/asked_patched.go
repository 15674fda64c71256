//go:build zspectra_runtime

package driver

import (
	"internal/testlog"
	"os"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
)

// asked hears of what package os is asked for, as the log of package testing does, and tells others.
type asked struct {
	variable func(name string)             // nil: nobody
	file     func(f *os.File, name string) // likewise
}

// Getenv is told of a variable of the environment before it is looked at.
func (a *asked) Getenv(name string) {
	rt.Asked(name)
	if a.variable != nil {
		a.variable(name)
	}
}

// Opened is told of a file that was opened for reading. The patched package os calls it.
func (a *asked) Opened(f *os.File, name string) {
	if a.file != nil {
		a.file(f, name)
	}
}

// Tell sets who is told.
func (a *asked) Tell(variable func(string), file func(*os.File, string)) {
	a.variable, a.file = variable, file
}

func (*asked) Stat(string)  {}
func (*asked) Open(string)  {}
func (*asked) Chdir(string) {}

// listen has the names of variables of the environment noted that the target asks for.
func listen() { testlog.SetLogger(&asked{}) }
