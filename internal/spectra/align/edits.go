package align

import "slices"

// A box is old[i0:i1] and new[j0:j1].
type box struct{ i0, i1, j0, j1 int }

func (b box) empty() bool { return b.i0 == b.i1 || b.j0 == b.j1 }

// edits collects the pairs of matching elements of two sequences, in ascending order.
type edits struct {
	match    func(i, j int) bool
	limit    int   // on insertions and removals of one search
	old, new []int // numbers of the elements, equal for those that match; nil: there are none
	pairs    []Pair
}

// walk aligns a box. If that takes too many edits, the box is divided at elements that occur once on both
// sides. Without numbers it is divided where the search got furthest.
func (e *edits) walk(b box) {
	for !b.empty() && e.match(b.i0, b.j0) {
		e.pairs = append(e.pairs, Pair{b.i0, b.j0})
		b.i0, b.j0 = b.i0+1, b.j0+1
	}
	tail := 0
	for !b.empty() && e.match(b.i1-1, b.j1-1) {
		b.i1, b.j1, tail = b.i1-1, b.j1-1, tail+1
	}
	if !b.empty() {
		e.search(b)
	}
	for k := range tail {
		e.pairs = append(e.pairs, Pair{b.i1 + k, b.j1 + k})
	}
}

func (e *edits) search(b box) {
	s := search{box: b}
	x, y, done := s.run(e)
	switch {
	case done || e.old == nil:
		e.pairs = append(e.pairs, s.pairs(x, y)...)
		e.walk(box{b.i0 + x, b.i1, b.j0 + y, b.j1})
	default:
		e.cut(b)
	}
}

// cut divides a box at elements that occur once on both sides, and aligns the parts. If there are none,
// nothing is paired.
func (e *edits) cut(b box) {
	anchors := increasing(once(e.old[b.i0:b.i1], e.new[b.j0:b.j1]))
	if len(anchors) == 0 {
		return
	}
	rest := b
	for _, a := range anchors {
		e.walk(box{rest.i0, b.i0 + a.Old, rest.j0, b.j0 + a.New})
		e.pairs = append(e.pairs, Pair{b.i0 + a.Old, b.j0 + a.New})
		rest.i0, rest.j0 = b.i0+a.Old+1, b.j0+a.New+1
	}
	e.walk(rest)
}

// once returns the elements that occur once on both sides, in the order of old.
func once(old, new []int) []Pair {
	const several = -1
	place := func(numbers []int) map[int]int {
		at := map[int]int{}
		for i, n := range numbers {
			if _, seen := at[n]; seen {
				i = several
			}
			at[n] = i
		}
		return at
	}
	inOld, inNew := place(old), place(new)
	var pairs []Pair
	for i, n := range old {
		if j, ok := inNew[n]; ok && j != several && inOld[n] != several {
			pairs = append(pairs, Pair{i, j})
		}
	}
	return pairs
}

// increasing returns a longest subsequence of pairs that ascends on the new side too.
func increasing(pairs []Pair) []Pair {
	var ends []int // ends[n]: last pair of the best subsequence of length n+1
	before := make([]int, len(pairs))
	for i, p := range pairs {
		at, _ := slices.BinarySearchFunc(ends, p.New, func(end, new int) int { return pairs[end].New - new })
		before[i] = -1
		if at > 0 {
			before[i] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, i)
		} else {
			ends[at] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	run := make([]Pair, len(ends))
	for i, at := ends[len(ends)-1], len(ends)-1; at >= 0; i, at = before[i], at-1 {
		run[at] = pairs[i]
	}
	return run
}

// A search extends paths from the first corner of a box by one edit a round. On each diagonal it keeps
// the path that got furthest. Diagonal k has the points x, y with x-y = k, counted from that corner.
type search struct {
	box
	rounds [][]int32 // before each round, how far the diagonals that it reads were reached
}

// run returns the last corner, and true, if a path gets there within the limit. Else it returns the point
// to which a path with that many edits got furthest, which is not the first corner.
func (s *search) run(e *edits) (x, y int, done bool) {
	n, o := s.i1-s.i0, s.j1-s.j0
	limit := min(n+o, e.limit)
	reach := make([]int32, 2*limit+3) // diagonal 0 in the middle
	middle := limit + 1
	for d := 0; d <= limit; d++ {
		s.rounds = append(s.rounds, slices.Clone(reach[middle-d-1:middle+d+2]))
		for k := -d; k <= d; k += 2 {
			x := int(step(reach[middle+k-1], reach[middle+k+1], k, d))
			y := x - k
			for x < n && y < o && e.match(s.i0+x, s.j0+y) {
				x, y = x+1, y+1
			}
			reach[middle+k] = int32(x)
			if x >= n && y >= o {
				return n, o, true
			}
		}
	}
	for k := -limit; k <= limit; k += 2 {
		i := int(reach[middle+k])
		if j := i - k; i <= n && j <= o && i+j > x+y {
			x, y = i, j
		}
	}
	return x, y, false
}

// step returns the further of a removal (from diagonal k-1) and an insertion (from k+1).
func step(below, above int32, k, d int) int32 {
	if k == -d || k != d && below < above {
		return above
	}
	return below + 1
}

// pairs returns the pairs on the path to a point that the last round reached.
func (s *search) pairs(x, y int) []Pair {
	var pairs []Pair
	for d := len(s.rounds) - 1; d >= 0; d-- {
		k := x - y
		below, above := s.rounds[d][d+k], s.rounds[d][d+k+2]
		start := int(step(below, above, k, d))
		if d == 0 {
			start = 0
		}
		for x > start {
			x, y = x-1, y-1
			pairs = append(pairs, Pair{s.i0 + x, s.j0 + y})
		}
		if k == -d || k != d && below < above {
			y-- // the edit before was an insertion
		} else {
			x--
		}
	}
	slices.Reverse(pairs)
	return pairs
}
