//go:build zspectra_runtime

package driver

import (
	"internal/testlog"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
)

// asked hears of what package os is asked for, as the log of package testing does.
type asked struct{}

func (asked) Getenv(name string) { rt.Asked(name) }
func (asked) Stat(string)        {}
func (asked) Open(string)        {}
func (asked) Chdir(string)       {}

// listen has the names of variables of the environment noted that the target asks for.
func listen() { testlog.SetLogger(asked{}) }
