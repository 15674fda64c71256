// Package bisect finds where, on a line of versions, what several things show changes its value, with few questions.
//
// In: a line of versions, the values of each thing at both ends, how likely it changes where, and a function that
// answers what things show at a version. Out: the flips of each thing. A flip lies between two neighbouring versions
// that show different values, so every flip is true whatever the weights say; weights only save questions. A version is
// asked once at most, for all things together, because a version that was built once is cheap to play again. The same
// input and the same answers lead to the same questions. The package is pure: it knows no repository, and builds
// nothing.
//
// # Which version is asked next
//
// The one with the highest expected information over all things: of each thing that differs between the answered
// versions around it, the entropy of how this version splits what is likely there. For one thing without weights that
// is halving; measuring at the median of what is believed is the probabilistic bisection algorithm (Horstein, 1963;
// Waeber, Frazier and Henderson, 2013), here with answers that are never wrong. Fonte (An and others, ICSE 2023) gives
// commits scores by the code that they touch, and weights a bisection by them.
//
// # Versions that can't tell
//
// They lie side by side: what breaks the build stays until it is mended. How many they are nobody knows, so w of them
// are believed to reach on for a distance d with the chance w/(w+d), and what a version is expected to tell counts for
// as much as it is likely to tell. The choice then moves away by about as much as is known to be broken, farther each
// time, until something tells, and comes back to the edges by halving. As git bisect skip it moves away from what can't
// be tested; git draws how far from random numbers.
//
// # Values that come and go back
//
// Halving sees one flip between two values, and none between equal ones, though there may be more: a fault was brought
// in, mended by chance, and brought in again (Bendík, Beneš and Černá, Finding Regressions in Projects under Version
// Control Systems, 2017). So a thing names the steps that touch it, and both sides of these are asked in any case.
package bisect

import (
	"context"
	"fmt"
	"iter"
	"math/bits"
)

// An Answer is what a thing shows at a version.
type Answer struct {
	Value      string // equal values are the same behaviour
	Untestable string // why it can't be told there; "": Value counts
}

// A Thing is something whose value may change along the line.
type Thing struct {
	Old, New Answer // at the first and at the last version; both have values

	// Weights says by version i from 1, how likely the value changes between i-1 and i, relative to others; none is
	// negative. Index 0 is not used. nil: all are alike.
	Weights []float64

	// Tell lists steps, by the version i that they lead to, whose two sides are asked in any case because they touch
	// the thing itself. Flips in these steps are found whatever lies around them. Where both sides of all that lies
	// between two of these steps can't tell, other versions there are asked.
	Tell []int
}

// Input is the line, and what is looked for.
type Input struct {
	Versions int    // how many; 0 is the oldest
	Same     []bool // by version i, that it behaves as i-1: it is never asked, and has the same answers; nil: none does
	Things   []Thing

	// Ask answers what things show at a version, in the order of things. An error ends the search.
	Ask func(ctx context.Context, version int, things []int) ([]Answer, error)

	// Ahead is told before a version is asked which ones will probably be asked next, the likeliest first: for those
	// who can get more answers at the same time. It decides nothing of the search; nil: nobody is told.
	Ahead func(version int, likely iter.Seq[int])

	// Report is told how many versions were asked, and how many this will probably be in the end; nil: nobody is.
	Report func(asked, expected int)
}

// A Flip is a change of the value of a thing. It certainly lies in the step to To if no version is between From and To;
// else it lies in one of the steps after From up to To. Of versions that behave alike From is the last and To the
// first.
type Flip struct {
	From, To      int
	Before, After string // the values at From and To
	Between       []int  // the versions between them; those that were asked are untestable
	Open          bool   // the search ended before versions between were asked
}

// Result is what a search found.
type Result struct {
	Flips      [][]Flip       // by thing, ascending
	Asked      []int          // versions, in the order of the questions
	Untestable map[int]string // by version that was asked, why it could not tell of a thing, of the first such thing
}

// Halving returns how many questions halving needs for one thing whose value changes in one of so many steps, each
// version being able to tell.
func Halving(steps int) int { return bits.Len(uint(max(steps, 1) - 1)) }

// Find asks versions until all flips are told, or given up, and both sides of all steps of Tell are known. Questions of
// Tell come first, those that tell more before others. They are asked anyway, so every other question is chosen with
// their answers known, and some need not be asked any more; the other way round nothing would be saved.
//
// When ctx ends, Find returns what it knows by then, and no error. When a question fails it returns that, and the
// error.
func Find(ctx context.Context, in Input) (Result, error) {
	s, err := newSearch(in)
	if err != nil {
		return Result{}, err
	}
	s.report()
	for ctx.Err() == nil {
		class, more := s.next()
		if !more {
			break
		}
		if s.Ahead != nil {
			s.Ahead(s.first[class], s.likely(class))
		}
		if err = s.ask(ctx, class); err != nil {
			break
		}
		s.report()
	}
	if ctx.Err() != nil {
		err = nil
	}
	return s.result(), err
}

// ask asks the first version of a class for all things.
func (s *search) ask(ctx context.Context, class int) error {
	version, things := s.first[class], make([]int, len(s.Things))
	for i := range things {
		things[i] = i
	}
	answers, err := s.Ask(ctx, version, things)
	if err != nil {
		return fmt.Errorf("asking version %d: %w", version, err)
	}
	if len(answers) != len(things) {
		return fmt.Errorf("asking version %d: %d answers for %d things", version, len(answers), len(things))
	}
	s.asked = append(s.asked, version)
	s.answers[class] = answers
	return nil
}

// result tells what is known.
func (s *search) result() Result {
	r := Result{Flips: make([][]Flip, len(s.Things)), Asked: s.asked, Untestable: map[int]string{}}
	for thing := range s.Things {
		for _, g := range s.gaps(thing) {
			r.Flips[thing] = append(r.Flips[thing], s.flip(thing, g))
		}
	}
	for class, answers := range s.answers {
		for _, a := range answers {
			if v := s.first[class]; a.Untestable != "" && r.Untestable[v] == "" {
				r.Untestable[v] = a.Untestable
			}
		}
	}
	return r
}

// flip returns the flip in a gap. The last version of a class is the one before the next class.
func (s *search) flip(thing int, g gap) Flip {
	f := Flip{
		From: s.first[g.from+1] - 1, To: s.first[g.to],
		Before: s.answers[g.from][thing].Value, After: s.answers[g.to][thing].Value,
		Open: g.open(),
	}
	for v := f.From + 1; v < f.To; v++ {
		f.Between = append(f.Between, v)
	}
	return f
}
