// Package archive writes and reads .spectra files: the recorded events of sequences with all that is needed to decode
// them without their build.
//
// In: the points and package variables of a build, and for each sequence its text, outcome and events. Out: a
// compressed file. Reading it returns the same data, sequence by sequence.
//
// The same input has the same bytes. Memory for writing and reading does not depend on the number of sequences or
// events. A damaged or incomplete file, or one in another format, returns an error that names the problem, never a
// wrong spectrum.
//
// The package knows neither builds nor the syntax of sequences. docs/spectra-format.md describes the format.
package archive

import (
	"errors"
	"hash/crc32"
	"io"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// magic starts every file; its last byte is the version of the format.
const magic = "spectra\x02"

// Kinds of records.
const (
	recordHeader   = 'H' // once, first
	recordPoint    = 'P' // for each point, in the order of their numbers in events
	recordVariable = 'V' // for each package variable, likewise
	recordSequence = 'S' // begins a sequence
	recordEvents   = 'E' // a piece of its events
	recordEnd      = 'Z' // ends it, with what its pieces must add up to
	recordFinish   = 'F' // once, last, with the number of sequences
)

const (
	pieceSize  = 64 << 10
	maxRecord  = 16 << 20  // bytes of a record: a sequence's text and outcome are in one
	maxEvents  = 64 << 20  // bytes of a sequence's events that are decoded
	maxNamed   = 128 << 20 // bytes of memory for the points and variables
	perNamed   = 64        // of these, what each of them and each slot takes besides its record
	maxList    = 1 << 16   // entries of a list in a record
	windowSize = 4 << 20   // how far back repeated bytes are found
)

// ErrFormat is wrapped by every error about the content of a file.
var ErrFormat = errors.New("not a complete archive of spectra")

var checkTable = crc32.MakeTable(crc32.Castagnoli)

// A Header describes the build and the settings under which the spectra were recorded.
type Header struct {
	Module string
	Side   string // "old" or "new"
	Commit string
	Go     string // version of the toolchain
	Seed   uint64 // of the runtime
	Values bool   // states have values, not only digests
}

// A Sequence is a sequence that was played, without its executions.
type Sequence struct {
	Index   int
	Text    string
	Outcome *spectra.Spectrum // its steps have no calls; Burst and Salvaged are not kept
}

// naming resolves the numbers in events.
func naming(points []*spectra.Point, variables []string) spectra.Naming {
	return spectra.Naming{
		Point: func(id uint32) *spectra.Point {
			if uint64(id) >= uint64(len(points)) {
				return nil
			}
			return points[id]
		},
		Global: func(i int) string {
			if i >= len(variables) {
				return "?"
			}
			return variables[i]
		},
	}
}

// Spectrum decodes the executions of the sequence that Next returned into its outcome. On an error the
// spectrum holds what was decoded until then. If the sequence ended its process, its last event may be
// half written; that is not an error. Neither is that there is more than can be decoded: the spectrum is then cut.
func (r *Reader) Spectrum(s *Sequence) (*spectra.Spectrum, error) {
	stream, failed := io.ReadAll(io.LimitReader(r.Events(), maxEvents))
	events, err := spectra.Decode(stream, naming(r.Points, r.Variables))
	events.Attach(s.Outcome)
	switch {
	case failed != nil:
		return s.Outcome, failed
	case len(stream) == maxEvents, errors.Is(err, spectra.ErrLarge):
		s.Outcome.Truncated = true
	case err != nil && !s.Outcome.Truncated && s.Outcome.End.Kind == wire.EndDone:
		return s.Outcome, err
	}
	return s.Outcome, nil
}
