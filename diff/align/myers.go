package align

// This file defines the alignment of long sequences after Myers, "An O(ND) Difference Algorithm and
// Its Variations" (1986): linear space by halving at the middle of an optimal path, and bounded
// time by giving up on the optimum when the sequences differ too much.

// patience bounds the differences that one halving looks through.
const patience = 1 << 7

type myers struct {
	match func(i, j int) bool
	pairs []Pair
}

// walk pairs the elements of old[i0:i1] and new[j0:j1] in ascending order.
func (m *myers) walk(i0, i1, j0, j1 int) {
	for i0 < i1 && j0 < j1 && m.match(i0, j0) {
		m.pairs = append(m.pairs, Pair{i0, j0})
		i0, j0 = i0+1, j0+1
	}
	tail := 0
	for i0 < i1 && j0 < j1 && m.match(i1-1, j1-1) {
		i1, j1, tail = i1-1, j1-1, tail+1
	}
	if i0 < i1 && j0 < j1 {
		i, j := m.middle(i0, i1, j0, j1)
		m.walk(i0, i, j0, j)
		m.walk(i, i1, j, j1)
	}
	for k := range tail {
		m.pairs = append(m.pairs, Pair{i1 + k, j1 + k})
	}
}

// A front is the set of points that paths with a number of differences reach, by diagonal.
type front struct {
	reach  []int
	origin int // index of diagonal 0
}

func newFront(limit int) front { return front{make([]int, 2*limit+3), limit + 1} }

func (f front) at(k int) *int { return &f.reach[f.origin+k] }

// middle returns a point that an optimal path passes, or a promising one when there are too many
// differences. It is never a corner, so both halves are smaller. Both ends of the box differ.
func (m *myers) middle(i0, i1, j0, j1 int) (int, int) {
	n, o := i1-i0, j1-j0
	delta := n - o
	limit := min((n+o+1)/2, patience)
	forward, backward := newFront(limit+max(delta, -delta)), newFront(limit+max(delta, -delta))
	*forward.at(1), *backward.at(1) = 0, 0
	for d := 0; d <= limit; d++ {
		for k := -d; k <= d; k += 2 {
			x := forward.advance(k, d)
			for x < n && x-k < o && x-k >= 0 && m.match(i0+x, j0+x-k) {
				x++
			}
			*forward.at(k) = x
			if c := delta - k; delta%2 != 0 && -d < c && c < d && x+*backward.at(c) >= n {
				return inside(i0, i1, j0, j1, x, x-k)
			}
		}
		for k := -d; k <= d; k += 2 {
			x := backward.advance(k, d)
			for x < n && x-k < o && x-k >= 0 && m.match(i1-1-x, j1-1-x+k) {
				x++
			}
			*backward.at(k) = x
			if c := delta - k; delta%2 == 0 && -d <= c && c <= d && x+*forward.at(c) >= n {
				return inside(i0, i1, j0, j1, n-x, o-(x-k))
			}
		}
	}
	return forward.furthest(limit, i0, i1, j0, j1)
}

// advance takes one step from the better of the two neighbouring diagonals.
func (f front) advance(k, d int) int {
	if k == -d || k != d && *f.at(k - 1) < *f.at(k + 1) {
		return *f.at(k + 1)
	}
	return *f.at(k - 1) + 1
}

// furthest returns the point of f that got furthest from its corner, within the box.
func (f front) furthest(limit, i0, i1, j0, j1 int) (int, int) {
	x, y := 0, 0
	for k := -limit; k <= limit; k += 2 {
		i := min(*f.at(k), i1-i0)
		j := min(max(i-k, 0), j1-j0)
		if i+j > x+y {
			x, y = i, j
		}
	}
	return inside(i0, i1, j0, j1, x, y)
}

// inside turns an offset into a point of the box that is neither its first nor its last corner.
func inside(i0, i1, j0, j1, x, y int) (int, int) {
	i, j := min(max(i0+x, i0), i1), min(max(j0+y, j0), j1)
	switch {
	case i == i0 && j == j0:
		if i1-i0 > j1-j0 {
			return i + 1, j
		}
		return i, j + 1
	case i == i1 && j == j1:
		if i1-i0 > j1-j0 {
			return i - 1, j
		}
		return i, j - 1
	}
	return i, j
}
