// Package novelty remembers what sequences did, and says what of an outcome was never seen before.
//
// In: outcomes of sequences. Out: whether code was hit, a way to end taken, a value returned or a state left for the
// first time, or how often the versions were told apart in a way. Only what it was asked about is remembered, and of
// very many values only the latest; the order of the questions decides which of two alike is the first. Nothing is
// drawn, played or changed here.
package novelty

import (
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// An Outcome is what Execute returns for one sequence.
type Outcome struct {
	Steps      []Step   // one for each statement that returned or panicked; one that ended the process is not among them
	End        wire.End // how the sequence ended
	Panicked   bool     // its last step panicked, whatever came after
	Missing    bool     // it was not executed, and nothing is known of it
	Rejected   bool     // a statement could not be carried out: no such type, wrong argument
	Coverage   []uint32 // counters hit for the first time in the executing process; ids are stable over the run
	Difference string   // in what way the new version does something else; "": it does not, or that isn't known
	Unsure     bool     // Apart may be chance
	Played     any      // whatever Execute wants to know again of a sequence that is kept
}

// A Step is the outcome of one statement.
type Step struct {
	Results []Result // of a variable (Let): the variable, if at all
	Panic   string   // type and text; "": none
	// State is a digest of everything that the receiver and the other reference arguments reach after the
	// call. It is zero if that isn't known. Then only a random share of the calls that merely change
	// their arguments is built upon.
	State [2]uint64
	Entry Entry
}

// An Entry is what a statement's call was handed, if Execute looks at that.
type Entry struct {
	State     [2]uint64   // like Step.State, but before the call
	Arguments [][2]uint64 // digest of each argument by itself; of a function value that is called there is none
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

// Failed reports whether one of the results is an error that is not nil.
func Failed(results []Result) bool {
	for i := range results {
		if results[i].ErrorSet {
			return true
		}
	}
	return false
}

// digests is how many behaviours, values and states are remembered at least, of each.
const digests = 1 << 16

// Seen is what was observed so far; of values and states that are very many, lately.
type Seen struct {
	coverage map[uint32]bool
	behaved  *Recent[behaviour]
	values   *Recent[valueOf]    // by operation and result
	known    *Recent[typedValue] // by type
	states   *Recent[[2]uint64]
	apart    map[string]int // sequences that tell the versions apart, by the way in which they do
}

// A behaviour is a way in which a call of an operation, or of a function value of some type, ended:
// how it panicked, that it ended the process, or the class of its results.
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

// New returns a Seen that has seen nothing.
func New() *Seen {
	return &Seen{
		coverage: map[uint32]bool{}, behaved: NewRecent[behaviour](digests), values: NewRecent[valueOf](digests),
		known: NewRecent[typedValue](digests), states: NewRecent[[2]uint64](digests), apart: map[string]int{},
	}
}

// Hits notes the coverage. It reports whether some of it is new, and whether some of it lies in changed code.
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

// First reports whether an operation, or function values of a type, behave in a way for the first time.
func (s *Seen) First(operation, functionType, way string) bool {
	return s.behaved.Add(behaviour{operation, functionType, way})
}

// Value reports whether an operation has a result for the first time.
func (s *Seen) Value(operation any, result int, digest [2]uint64) bool {
	return s.values.Add(valueOf{operation, result, digest})
}

// Known reports whether a value of a type is there for the first time.
func (s *Seen) Known(typ any, digest [2]uint64) bool {
	return s.known.Add(typedValue{typ, digest})
}

// State reports whether a state is there for the first time.
func (s *Seen) State(digest [2]uint64) bool {
	return s.states.Add(digest)
}

// Apart notes that the versions were told apart, and returns how often they were in this way.
func (s *Seen) Differences(way string) int {
	s.apart[way]++
	return s.apart[way]
}

// Way describes the results of a step without their values.
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

// IsNilPanic reports whether a nil may be the cause of a panic.
func IsNilPanic(text string) bool {
	return strings.Contains(text, "nil pointer") || strings.Contains(text, "nil map") ||
		strings.Contains(text, "nil func")
}

// Normalised removes numbers and quoted text from a panic's text. They show where it happened, not why.
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
