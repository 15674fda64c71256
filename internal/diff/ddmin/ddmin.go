// Package ddmin finds, of many changes, few that are enough to show something: delta debugging (Zeller and Hildebrandt,
// Simplifying and Isolating Failure-Inducing Input, 2002).
//
// In: changes that show it together, by numbers, and a function that tries some of them. Out: some of them that show
// it, from which no single one can be left out: without it nothing is shown, or that can't be told. What was tried is
// not tried again. The same answers lead to the same trials. The package is pure, and knows nothing of changes.
package ddmin

import (
	"fmt"
	"slices"
)

// An Outcome is what a trial shows.
type Outcome int

// The outcomes. A trial is Unresolved where it can't tell, as when the changes do not compile without others.
const (
	Unresolved Outcome = iota
	Shown
	NotShown
)

// Minimise returns the changes that are left of those in all. It takes for granted that all of them show it, and that
// none alone show nothing. When a trial fails it returns what is left so far, and the error.
func Minimise(all []int, try func(some []int) (Outcome, error)) ([]int, error) {
	m := minimiser{try: try, parts: true, known: map[string]Outcome{}}
	return m.minimise(all)
}

// Fewest does the same in fewer trials, for those that take long: it tries complements only, as a part that is enough
// by itself is found as the complement of the others.
func Fewest(all []int, enough func(some []int) (bool, error)) ([]int, error) {
	try := func(some []int) (Outcome, error) {
		if is, err := enough(some); err != nil || !is {
			return NotShown, err
		}
		return Shown, nil
	}
	m := minimiser{try: try, known: map[string]Outcome{}}
	return m.minimise(all)
}

type minimiser struct {
	try   func([]int) (Outcome, error)
	parts bool // these are tried before complements
	known map[string]Outcome
}

func (m *minimiser) minimise(all []int) ([]int, error) {
	left := slices.Clone(all)
	for n := 2; len(left) > 1; {
		smaller, parts, err := m.round(left, n)
		switch {
		case err != nil:
			return left, err
		case smaller != nil:
			left, n = smaller, max(min(parts, len(smaller)), 2)
		case n >= len(left):
			return left, nil
		default:
			n = min(2*n, len(left))
		}
	}
	return left, nil
}

// round divides changes into n parts. It returns the first part that shows it, else the first complement of one, and
// into how many parts that is divided next; nil if none does.
func (m *minimiser) round(left []int, n int) (smaller []int, parts int, err error) {
	part := func(i int) (from, to int) { return i * len(left) / n, (i + 1) * len(left) / n }
	for i := 0; i < n && m.parts; i++ {
		from, to := part(i)
		if shown, err := m.shown(left[from:to]); shown || err != nil {
			return slices.Clone(left[from:to]), 2, err
		}
	}
	for i := range n { // of two they are the parts, and known
		from, to := part(i)
		rest := slices.Concat(left[:from], left[to:])
		if shown, err := m.shown(rest); shown || err != nil {
			return rest, n - 1, err
		}
	}
	return nil, 0, nil
}

func (m *minimiser) shown(some []int) (bool, error) {
	key := fmt.Sprint(some)
	outcome, tried := m.known[key]
	if !tried {
		var err error
		if outcome, err = m.try(some); err != nil {
			return false, err
		}
		m.known[key] = outcome
	}
	return outcome == Shown, nil
}
