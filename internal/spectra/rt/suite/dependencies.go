package suite

import (
	"errors"
	"io"
	"reflect"
	"regexp"
	"time"
)

// dependencies are what package testing asks the main package of a test for, in any release of Go. Nothing is
// profiled or logged, and fuzz targets run with their corpus only.
type dependencies struct {
	path string
	part *part // of the test that runs; nil: those that the flags ask for
}

// A corpusEntry has the type of the entries of a corpus in package testing.
type corpusEntry = struct {
	Parent     string
	Path       string
	Data       []byte
	Values     []any
	Generation int
	IsSeed     bool
}

var errUnused = errors.New("not available in a driver")

func (d dependencies) ImportPath() string { return d.path }
func (d dependencies) ModulePath() string { return d.path }
func (d dependencies) MatchString(pat, str string) (bool, error) {
	if d.part == nil {
		return regexp.MatchString(pat, str)
	}
	return d.part.matches(pat, str), nil
}
func (d dependencies) SetPanicOnExit0(bool)                        {}
func (d dependencies) StartCPUProfile(io.Writer) error             { return errUnused }
func (d dependencies) StopCPUProfile()                             {}
func (d dependencies) StartTestLog(io.Writer)                      {}
func (d dependencies) StopTestLog() error                          { return nil }
func (d dependencies) WriteProfileTo(string, io.Writer, int) error { return errUnused }
func (d dependencies) RunFuzzWorker(func(corpusEntry) error) error { return errUnused }
func (d dependencies) ResetCoverage()                              {}
func (d dependencies) SnapshotCoverage()                           {}

func (d dependencies) CoordinateFuzzing(
	time.Duration, int64, time.Duration, int64, int, []corpusEntry, []reflect.Type, string, string,
) error {
	return errUnused
}

func (d dependencies) InitRuntimeCoverage() (
	mode string, tearDown func(string, string) (string, error), snap func() float64,
) {
	return "", nil, nil
}
