// Package align pairs the corresponding elements of two sequences.
//
// In: an old and a new sequence. Problem.Align also takes a weight function and an order. Out: pairs of indexes,
// ascending on both sides.
//
// The same input has the same pairs. A sequence aligned with itself pairs every element with itself. The package is
// pure.
//
//	Problem.Align  for elements that match more or less well, such as calls. Short sequences get the
//	               alignment of greatest total weight. Long ones get a good alignment in bounded time
//	               and linear space. Exchanging old and new only exchanges the indexes of each pair.
//	Equal          for elements that are equal or not, such as lines: the shortest edit script, with
//	               a limit for sequences that have little in common
//	Exact          like Equal, without a limit, for short sequences
//	Gaps           the runs of elements that the pairs leave over
package align

import "slices"

// A Pair is two elements that correspond, by their indexes.
type Pair struct {
	Old, New int
}

// Full is the weight of two elements that match as well as can be.
const Full = 2

// A Problem describes how elements are compared.
type Problem[T any] struct {
	// Weight returns Full for a perfect match, less for a worse one, and 0 if two elements can't be
	// paired. Its first argument may be from either sequence, so it must be symmetric.
	Weight func(T, T) int
	// Compare orders elements. If it returns 0, the weight is Full. It decides ties.
	Compare func(T, T) int
}

// exact is the number of cells up to which the table of all prefixes is filled.
const exact = 1 << 18

// patience is the limit on the edits of one search in larger sequences.
const patience = 1 << 8

// Align returns the corresponding elements of old and new.
func (p Problem[T]) Align(old, new []T) []Pair {
	// Ties are broken by position, so it would matter which side is which. An order that doesn't depend
	// on the sides makes the result of exchanged sides the mirror image.
	swapped := len(old) > len(new) || len(old) == len(new) && slices.CompareFunc(old, new, p.Compare) > 0
	if swapped {
		old, new = new, old
	}
	a := aligner[T]{Problem: p, old: old, new: new}
	a.gap(0, len(old), 0, len(new), Full)
	if swapped {
		for i, pair := range a.pairs {
			a.pairs[i] = Pair{Old: pair.New, New: pair.Old}
		}
	}
	return a.pairs
}

type aligner[T any] struct {
	Problem[T]
	old, new []T
	pairs    []Pair
}

func (a *aligner[T]) weight(i, j int) int { return a.Weight(a.old[i], a.new[j]) }

func (a *aligner[T]) pair(i, j int) { a.pairs = append(a.pairs, Pair{i, j}) }

// gap aligns old[i0:i1] with new[j0:j1]. If that is too large for the table, pairs of the given weight
// divide it, and the rest is aligned with lower weights.
func (a *aligner[T]) gap(i0, i1, j0, j1, weight int) {
	for i0 < i1 && j0 < j1 && a.weight(i0, j0) >= Full {
		a.pair(i0, j0)
		i0, j0 = i0+1, j0+1
	}
	tail := 0
	for i0 < i1 && j0 < j1 && a.weight(i1-1, j1-1) >= Full {
		i1, j1, tail = i1-1, j1-1, tail+1
	}
	switch {
	case i0 == i1 || j0 == j1 || weight == 0:
	case (i1-i0+1)*(j1-j0+1) <= exact:
		a.table(i0, i1, j0, j1)
	default:
		a.anchored(i0, i1, j0, j1, weight)
	}
	for k := range tail {
		a.pair(i1+k, j1+k)
	}
}

// anchored adds the pairs that Myers' algorithm finds with one weight, and aligns the elements between
// them.
func (a *aligner[T]) anchored(i0, i1, j0, j1, weight int) {
	e := edits{match: func(i, j int) bool { return a.weight(i, j) >= weight }, limit: patience}
	e.walk(box{i0, i1, j0, j1})
	i, j := i0, j0
	for _, anchor := range append(e.pairs, Pair{i1, j1}) {
		a.gap(i, anchor.Old, j, anchor.New, weight-1)
		if anchor.Old < i1 {
			a.pair(anchor.Old, anchor.New)
		}
		i, j = anchor.Old+1, anchor.New+1
	}
}

// table finds the greatest total weight from the weights of all pairs of suffixes. It pairs elements as
// early as possible.
func (a *aligner[T]) table(i0, i1, j0, j1 int) {
	width := j1 - j0 + 1
	best := make([]int32, (i1-i0+1)*width)
	for i := i1 - 1; i >= i0; i-- {
		row := best[(i-i0)*width:]
		for j := j1 - 1; j >= j0; j-- {
			c := j - j0
			skip := max(row[c+width], row[c+1])
			if w := a.weight(i, j); w > 0 {
				skip = max(skip, row[c+width+1]+int32(w))
			}
			row[c] = skip
		}
	}
	for i, j := i0, j0; i < i1 && j < j1; {
		at := (i-i0)*width + j - j0
		w := a.weight(i, j)
		switch {
		case w > 0 && best[at] == best[at+width+1]+int32(w):
			a.pair(i, j)
			i, j = i+1, j+1
		case best[at] == best[at+1]:
			j++
		default:
			i++
		}
	}
}
