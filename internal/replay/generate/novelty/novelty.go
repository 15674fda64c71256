// Package novelty remembers the outcomes of sequences and recognises new ones.
//
// Input: outcomes of sequences. Output: whether an outcome covers new code, ends in a new way, returns a new value or
// leaves a new state, and how often a difference between the versions was seen.
//
// It remembers only what it was asked about. Of very many values and states it remembers the latest. The order of the
// questions decides which of two equal outcomes is the first. Nothing is drawn, played or changed.
package novelty

import (
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// An Outcome is the outcome of one sequence, as Execute returns it.
type Outcome struct {
	Steps      []Step   // one for each statement that returned or panicked, but none for one that ended the process
	End        wire.End // how the sequence ended
	Panicked   bool     // its last step panicked, whatever came afterwards
	Missing    bool     // it was not executed, so nothing is known
	Rejected   bool     // a statement could not be carried out: no such type, wrong argument
	Coverage   []uint32 // counters hit for the first time in the process; their numbers are stable over the run
	Difference string   // difference between the versions; "": none, or unknown
	Unsure     bool     // Difference may be chance
	Played     any      // data of Execute, returned with a kept sequence
}

// A Step is the outcome of one statement.
type Step struct {
	Results []Result // of a variable (Let): the variable, if anything
	Panic   string   // type and text; "": none
	// State is the exit state: a digest of everything that the receiver and the other reference arguments reach after
	// the call; zero if unknown. With unknown states, only a random share of the calls that merely change their
	// arguments is built upon.
	State [2]uint64
	Entry Entry
}

// An Entry is the entry state of a statement's call, if Execute records it.
type Entry struct {
	State     [2]uint64   // like Step.State, but before the call
	Arguments [][2]uint64 // digest of each argument by itself, without the called function value
}

// A Result is one result of a call.
type Result struct {
	Digest   [2]uint64
	Nil      bool
	ErrorSet bool   // an error that is not nil
	Dynamic  string // canonical dynamic type of a result of interface type
	Huge     bool   // a number or length that makes later calls slow
}

// Killed reports whether a statement ended the sequence without a panic of its own.
func (o *Outcome) Killed() bool { return !o.Panicked && !o.Rejected && o.End != wire.EndDone }

// Failed reports whether one of the results is a non-nil error.
func Failed(results []Result) bool {
	for i := range results {
		if results[i].ErrorSet {
			return true
		}
	}
	return false
}

// digests is the minimum number of remembered behaviours, values and states, of each.
const digests = 1 << 16

// Seen holds the observations so far; of very many values and states, the latest.
type Seen struct {
	coverage map[uint32]bool
	behaved  *Recent[behaviour]
	values   *Recent[valueOf]    // by operation and result
	known    *Recent[typedValue] // by type
	states   *Recent[[2]uint64]
	apart    map[string]int // difference → number of sequences with it
}

// A behaviour is the way in which a call of an operation, or of a function value of some type, ended: its panic, the
// end of the process, or the class of its results.
type behaviour struct {
	operation    string // "" for statements that call nothing
	functionType string // of function values, else ""
	way          string
}

type valueOf struct {
	operation any
	result    int
	digest    [2]uint64
}

type typedValue struct {
	typ    any
	digest [2]uint64
}

// New returns an empty Seen.
func New() *Seen {
	return &Seen{
		coverage: map[uint32]bool{}, behaved: NewRecent[behaviour](digests), values: NewRecent[valueOf](digests),
		known: NewRecent[typedValue](digests), states: NewRecent[[2]uint64](digests), apart: map[string]int{},
	}
}

// Hits notes the coverage. It reports whether any of it is new, and whether any of it is in changed code.
func (s *Seen) Hits(o *Outcome, changed func(counter uint32) bool) (isNew, inChanged bool) {
	for _, id := range o.Coverage {
		if !s.coverage[id] {
			s.coverage[id] = true
			isNew = true
		}
		inChanged = inChanged || changed != nil && changed(id)
	}
	return isNew, inChanged
}

// First reports whether a behaviour of an operation, or of function values of a type, is new.
func (s *Seen) First(operation, functionType, way string) bool {
	return s.behaved.Add(behaviour{operation, functionType, way})
}

// Value reports whether a result of an operation is new.
func (s *Seen) Value(operation any, result int, digest [2]uint64) bool {
	return s.values.Add(valueOf{operation, result, digest})
}

// Known reports whether a value of a type is new.
func (s *Seen) Known(typ any, digest [2]uint64) bool {
	return s.known.Add(typedValue{typ, digest})
}

// State reports whether a state is new.
func (s *Seen) State(digest [2]uint64) bool {
	return s.states.Add(digest)
}

// Differences notes a difference between the versions, and returns how often it was noted.
func (s *Seen) Differences(way string) int {
	s.apart[way]++
	return s.apart[way]
}

// Way describes the results of a step by their classes, without their values.
func Way(step *Step) string {
	class := make([]byte, 0, 32)
	for _, r := range step.Results {
		flag := byte('v')
		switch {
		case r.Nil:
			flag = 'n'
		case r.ErrorSet:
			flag = 'e'
		}
		class = append(append(append(class, flag), r.Dynamic...), ';')
	}
	return string(class)
}

// IsNilPanic reports whether nil may have caused a panic.
func IsNilPanic(text string) bool {
	return strings.Contains(text, "nil pointer") || strings.Contains(text, "nil map") ||
		strings.Contains(text, "nil func")
}

// Normalised removes numbers and quoted texts from a panic's text: they depend on the values, not on the cause.
func Normalised(text string) string {
	var b strings.Builder
	quote := rune(0)
	for _, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
			continue
		case r == '"' || r == '`':
			quote = r
		case '0' <= r && r <= '9' || r == '-':
			if r = '0'; strings.HasSuffix(b.String(), "0") {
				continue
			}
		}
		if b.Len() > 200 {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}
