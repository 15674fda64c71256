// Package contract makes sequences that show whether types keep what Go expects of some of their methods.
//
// In: operations, and sequences that make values. Out: probes, which call such methods on these values, and of what was
// seen of a probe the checks: short sequences, each of which breaks one contract or keeps it. Which contracts a method
// has is told by its name and signature alone:
//
//	Equal                  a value equals itself; two values are equal both ways or neither
//	Cmp, Compare, Less     two values are in one order both ways, three are in a line
//	String, Error, MarshalX and those above do not panic
//	UnmarshalX             reads what MarshalX wrote into a new value, which writes and equals the same
//	Validate               a method that does not fail leaves a valid value valid
//	any                    no index out of range, write to a nil map, or failed type assertion
//
// Nothing is broken by values that came along with an error, are nil, or mention NaN, nor by a panic where somebody
// passed nil or what may hold one. The same input has the same probes and checks, in the same order and of limited
// number. Nothing is played here.
package contract

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A Contract is what is expected of a method.
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

// Input says what is looked at.
type Input struct {
	Operations []*api.Operation
	Types      []api.Type // types that a sequence may name
	Made       []Made
}

// A Made is a sequence that was played and is worth looking at, those that are worth most first.
type Made struct {
	Sequence sequence.Sequence
	Panics   bool // its last call may panic
}

// A Step is what was seen of a statement that returned or panicked.
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

// A Probe is a sequence that may show that contracts are broken.
type Probe struct {
	Sequence sequence.Sequence
	checks   func(seen []run) []Check
}

// Checks returns what is worth a look of its own, from what was seen of the probe on some versions: what seems to break
// a contract on one of them, and some of what differs.
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
	made      int                  // statements that make values
	described []sequence.Statement // what else tells whether values are numbers
	broken    func(run) (detail string, broken bool)
}

// Described returns the sequence with the texts of its values behind it: some say that they are no number.
func (c *Check) Described() sequence.Sequence {
	return sequence.Sequence{Statements: slices.Concat(c.Sequence.Statements, c.described)}
}

// Applies reports whether the values were made that the contract is about.
func (c *Check) Applies(steps []Step) bool {
	r := run{c.Sequence.Statements, steps}
	return r.sound(c.made) && !run{nil, steps[min(len(steps), len(c.Sequence.Statements)):]}.unordered()
}

// Broken reports whether a version breaks the contract, and says how in a few words. The steps are those of the
// sequence, with those of its description or without.
func (c *Check) Broken(steps []Step) (detail string, broken bool) {
	if !c.Applies(steps) {
		return "", false
	}
	return c.broken(run{c.Sequence.Statements, steps})
}

// alone returns the probe that is the check itself.
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

// mostProbes is how many probes there are at most.
const mostProbes = 400

// Plan returns the probes.
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
