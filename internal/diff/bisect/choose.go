package bisect

import (
	"cmp"
	"math"
	"slices"
)

// next returns the class to ask: of those that are due, else of all, the one that tells most. Of several the one that
// is farthest from all that were asked is taken, then the lowest.
func (s *search) next() (class int, more bool) {
	gains, candidates := s.gains(), s.due()
	if !slices.Contains(candidates, true) {
		for class, gain := range gains {
			candidates[class] = gain >= 0
		}
	}
	best := -1
	for class, candidate := range candidates {
		if candidate && (best < 0 || s.better(class, best, gains) > 0) {
			best = class
		}
	}
	return best, best >= 0
}

// better compares two classes by what they tell.
func (s *search) better(x, y int, gains []float64) int {
	if by := cmp.Compare(gains[x], gains[y]); by != 0 {
		return by
	}
	return cmp.Compare(s.distance(x), s.distance(y))
}

// distance returns how far a class is from the nearest that was asked. The ends of the line always were.
func (s *search) distance(class int) int {
	d := 0
	for s.answers[class-d] == nil && s.answers[class+d] == nil {
		d++
	}
	return d
}

// grain is what gains are rounded to, so that processors that round otherwise choose alike.
const grain = 1e-9

// gains returns by class how many bits its answers are expected to tell; -1: it lies in no gap that is open, or was
// asked.
func (s *search) gains() []float64 {
	gains := make([]float64, len(s.first))
	for class := range gains {
		gains[class] = -1
	}
	for thing := range s.Things {
		for _, g := range s.gaps(thing) {
			for class := g.from + 1; class < g.to && g.open(); class++ {
				if s.answers[class] == nil {
					split := s.share(thing, g, g.from, class)
					gains[class] = max(gains[class], 0) + g.chance(class)*entropy(split)
				}
			}
		}
	}
	for class, gain := range gains {
		gains[class] = math.Round(gain / grain)
	}
	return gains
}

// share returns which part of the probability of a gap lies on the steps between two of its classes.
func (s *search) share(thing int, g gap, from, to int) float64 {
	mass := s.mass[thing]
	return (mass[to] - mass[from]) / (mass[g.to] - mass[g.from])
}

// chance returns how likely a class of a gap can tell. Outside of those that can't, it must lie behind their end, which
// lies before what tells at the end of the gap. Between two of them it must lie behind the ends of both.
func (g gap) chance(class int) float64 {
	if len(g.vain) == 0 {
		return 1
	}
	first, last := g.vain[0], g.vain[len(g.vain)-1]
	ends := func(distance int) float64 { return float64(distance) / float64(last-first+1+distance) }
	switch next, _ := slices.BinarySearch(g.vain, class); next {
	case 0:
		return ends(first-class) / ends(first-g.from)
	case len(g.vain):
		return ends(class-last) / ends(g.to-last)
	default:
		return ends(class-g.vain[next-1]) * ends(g.vain[next]-class)
	}
}

// entropy returns how many bits it tells which of two things is true, of which one has the probability p.
func entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -p*math.Log2(p) - (1-p)*math.Log2(1-p)
}

// due reports by class whether Tell demands that it is asked next, and it was not: both sides of each segment, and one
// class after the other in it while nothing in it could tell.
func (s *search) due() []bool {
	due := make([]bool, len(s.first))
	for thing, segments := range s.segments {
		for _, part := range segments {
			low, high := s.answers[part.low] == nil, s.answers[part.high] == nil
			due[part.low], due[part.high] = due[part.low] || low, due[part.high] || high
			if class, more := s.silent(thing, part); !low && !high && more {
				due[class] = true
			}
		}
	}
	return due
}

// silent returns the class of a segment to ask next, the one farthest from those that were asked, if none of these
// could tell, and it is worth asking on.
func (s *search) silent(thing int, part segment) (class int, more bool) {
	class, vain := part.low, 0
	for c := part.low; c <= part.high; c++ {
		switch {
		case s.tells(thing, c):
			return 0, false
		case s.answers[c] != nil:
			vain++
		case s.distance(c) > s.distance(class):
			class = c
		}
	}
	return class, vain < mostVain && s.answers[class] == nil
}
