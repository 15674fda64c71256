// Package contract checks the contracts that Go expects of certain methods, such as Equal or MarshalX, and lists the
// contracts that one or both versions break.
//
// Input: operations, kept sequences that make values, and a function that plays sequences. Output: the broken
// contracts, each with the shortest sequence seen to break it, and sequences that tell the versions apart, to be
// replayed like others.
//
// A probe is a sequence that calls such methods on the made values. From the outcome of a probe follow checks: short
// sequences, each of which breaks or keeps one contract. The name and the signature of a method determine its
// contracts:
//
//	Equal                  a value equals itself; two values are equal both ways or neither
//	Cmp, Compare, Less     two values are in one order both ways, three are in a line
//	String, Error, MarshalX and those above do not panic
//	UnmarshalX             reads what MarshalX wrote into a new value, which writes and equals the same
//	Validate               a method that does not fail leaves a valid value valid
//	any                    no index out of range, write to a nil map, or failed type assertion
//
// A value breaks no contract if it came with an error, is nil, or mentions NaN. Neither does a panic if a caller passed
// nil or a value that may hold nil. A contract is listed only if it was broken twice on the same versions: among other
// sequences, and alone in a process of its own under another seed.
//
// The number of sequences is limited. The same input has the same result, in the same order, unless a clock ends a
// sequence. Nothing is recorded, and deviations are not judged.
package contract

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A Contract is a rule for the behaviour of a method.
type Contract string

// The contracts.
const (
	Reflexive     Contract = "reflexive"
	Symmetric     Contract = "symmetric"
	Antisymmetric Contract = "antisymmetric"
	Transitive    Contract = "transitive"
	NoPanic       Contract = "no-panic"
	NoFault       Contract = "no-runtime-error"
	RoundTrip     Contract = "round-trip"
	StaysValid    Contract = "stays-valid"
)

// Input is the input of Plan.
type Input struct {
	Operations []*api.Operation
	Types      []api.Type // types that a sequence may name
	Made       []Made
}

// A Made is a played sequence whose values the contracts are checked on. The most promising ones come first.
type Made struct {
	Sequence sequence.Sequence
	Panics   bool // its last call may panic
}

// A Step is the outcome of a statement that returned or panicked.
type Step struct {
	Panic   string // "": none
	Results []Result
}

// A Result is one result of a statement.
type Result struct {
	Text   string // as a caller sees it
	Digest [2]uint64
	Nil    bool
	Failed bool // an error that is not nil
}

// A Probe is a sequence that may reveal broken contracts.
type Probe struct {
	Sequence sequence.Sequence
	checks   func(seen []run) []Check
}

// Checks returns the checks for a probe, given its outcomes on some versions: for contracts that seem broken on one of
// them, and for some differences between them.
func (p *Probe) Checks(seen ...[]Step) []Check {
	var runs []run
	for _, steps := range seen {
		runs = append(runs, run{p.Sequence.Statements, steps})
	}
	return p.checks(runs)
}

// A Check is a sequence that breaks a contract or keeps it.
type Check struct {
	Contract  Contract
	Operation *api.Operation
	Sequence  sequence.Sequence
	made      int                  // number of statements that make values
	described []sequence.Statement // further statements that show whether values are NaN
	broken    func(run) (detail string, broken bool)
}

// Described returns the sequence followed by calls that describe its values as text. The texts may show that a value is
// NaN.
func (c *Check) Described() sequence.Sequence {
	return sequence.Sequence{Statements: slices.Concat(c.Sequence.Statements, c.described)}
}

// Applies reports whether the sequence made the values that the contract is about.
func (c *Check) Applies(steps []Step) bool {
	r := run{c.Sequence.Statements, steps}
	return r.sound(c.made) && !run{nil, steps[min(len(steps), len(c.Sequence.Statements)):]}.unordered()
}

// Broken reports whether the contract is broken, with a short description. Steps are the outcome of the sequence, with
// or without its description.
func (c *Check) Broken(steps []Step) (detail string, broken bool) {
	if !c.Applies(steps) {
		return "", false
	}
	return c.broken(run{c.Sequence.Statements, steps})
}

// alone returns the check as a probe.
func (c Check) alone() Probe {
	return Probe{c.Sequence, func(seen []run) []Check {
		for _, r := range seen {
			if _, broken := c.Broken(r.steps); broken || !r.same(seen[0], c.made) {
				return []Check{c}
			}
		}
		return nil
	}}
}

// mostProbes is the maximum number of probes.
const mostProbes = 400

// Plan returns the probes for some operations and made values.
func Plan(in Input) []Probe {
	p := newPlanner(in)
	var list []Probe
	for _, s := range p.subjects() {
		list = append(list, p.relations(s)...)
		list = append(list, p.texts(s)...)
		list = append(list, p.codecs(s)...)
		list = append(list, p.validity(s)...)
	}
	list = append(list, p.faults()...)
	return list[:min(len(list), mostProbes)]
}
