// Package diff compares the spectra of two versions for one sequence.
//
// In: two recorded spectra, which functions the versions have in common, and a mask of what is known to be unstable.
// Out: a Comparison: the aligned deviation-propagation call tree, the list of deviations with the values that differ,
// and which spectra expose them.
//
// A spectrum compared with itself has no deviations. Exchanging old and new mirrors the result. What is truncated or
// masked is neither equal nor different. A function that only one version has is no deviation: its executions are
// transparent, and their callees count as callees of the caller. The same input always has the same result. The package
// is pure: it never runs, reads or changes anything.
package diff

import (
	"fmt"

	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Options say how two spectra are compared.
type Options struct {
	// Common maps the functions that both versions have with the same signature, by their new
	// names to their old ones. nil: every function is common under its own name.
	Common map[spectra.Symbol]spectra.Symbol
	// Mask has the places that are not compared, with functions by their new names. A state with masked parts
	// is compared by the values of the others; recorded without values, it is neither equal nor different.
	Mask *noise.Mask
	// Introduced is the part of Mask that became unstable with the new version: its values differ between runs
	// of the new version, and were never seen to differ between runs of the old one. Mask hides these sites,
	// because their values say nothing; but that they vary is a change, so each that this run touches is
	// reported as a deviation of kind KindNondeterminism. noise.Known.Introduced computes it. nil: nothing.
	Introduced *noise.Mask
	// Endless says that a run which a clock ended is known not to end. It is compared up to there, as one that
	// crashed.
	Endless bool

	deviating bool // equal parts of the runs are left out of the tree, and nothing is said of exposure
}

// A Comparison is the result for one sequence.
type Comparison struct {
	// Root stands for the driver: it has no executions, its children are the driven calls in
	// order, then goroutines that no driven call started.
	Root       *Node
	Deviations []*Deviation
	Exposure   Exposure
	Outputs    []OutputDifference
	// Incomparable is the reason why the spectra can't be compared; there are no deviations then. "" = they
	// were compared.
	Incomparable string

	left map[*Node]Effect // of driven calls that end in another state
}

// An Exposure holds which kinds of spectra show that the runs differ.
type Exposure struct {
	Hit, Count, Trace, Output bool
}

// Compare compares the recordings of one sequence on the old and on the new version.
func Compare(old, new *spectra.Spectrum, options Options) *Comparison {
	result := &Comparison{Root: &Node{Class: Same}}
	if result.Incomparable = options.incomparable(spectra.Old, old); result.Incomparable == "" {
		result.Incomparable = options.incomparable(spectra.New, new)
	}
	if result.Incomparable != "" {
		return result
	}
	c := newComparer(old, new, options)
	c.build(result.Root)
	c.bringIn(result.Root)
	result.Outputs = c.outputs(old, new)
	result.Deviations = c.list(result, new)
	if !c.deviating {
		result.Exposure = c.exposure(old, new, result)
		result.left = leftBehind(result.Root, result.Outputs)
	}
	return result
}

func (o Options) incomparable(side spectra.Side, s *spectra.Spectrum) string {
	switch {
	case s.End.Kind == wire.EndTimeout && !o.Endless:
		return fmt.Sprintf("the %s version did not end within the time limit", side)
	case s.Truncated:
		return fmt.Sprintf("the recording of the %s version was cut at its limit of events", side)
	}
	return ""
}

// A comparer holds the facts about every execution while two spectra are compared.
type comparer struct {
	Options
	ends    spectra.Pair[spectra.End]
	counted bool                              // the goroutines that are left, in both runs
	newName map[spectra.Symbol]spectra.Symbol // by old name; nil with Common
	runs    spectra.Pair[*run]
	alike   map[spectra.Digest]spectra.Digest // old digest → new digest, of states with the same values
}

func newComparer(old, new *spectra.Spectrum, options Options) *comparer {
	c := &comparer{
		Options: options, ends: spectra.Pair[spectra.End]{Old: old.End, New: new.End},
		alike: map[spectra.Digest]spectra.Digest{}, counted: counted(old) && counted(new),
	}
	if options.Common != nil {
		c.newName = make(map[spectra.Symbol]spectra.Symbol, len(options.Common))
		for name, oldName := range options.Common {
			c.newName[oldName] = name
		}
	}
	c.runs.Old = c.learn(old, c.oldFunction)
	c.runs.New = c.learn(new, c.newFunction)
	return c
}

// A naming returns the new name of a function of one version, and whether both versions have it.
type naming func(spectra.Symbol) (name spectra.Symbol, common bool)

// oldFunction is the naming of the old version.
func (c *comparer) oldFunction(s spectra.Symbol) (spectra.Symbol, bool) {
	if c.Common == nil {
		return s, true
	}
	if name, ok := c.newName[s]; ok {
		return name, true
	}
	return s, false
}

// newFunction is the naming of the new version.
func (c *comparer) newFunction(s spectra.Symbol) (spectra.Symbol, bool) {
	if c.Common == nil {
		return s, true
	}
	_, ok := c.Common[s]
	return s, ok
}
