package bisect

import (
	"math"
	"sort"
)

// report reports how many versions were asked, and how many are expected in the end.
func (s *search) report() {
	if s.Report != nil {
		s.Report(len(s.asked), len(s.asked)+int(math.Ceil(s.rest())))
	}
}

// A part is the probability of an open gap of a thing.
type part struct {
	thing int
	gap
}

// rest returns how many questions are expected: those that are due, and those between them, as if every version could
// tell.
func (s *search) rest() float64 {
	var parts []part
	for thing := range s.Things {
		for _, g := range s.gaps(thing) {
			if g.open() {
				parts = append(parts, part{thing, g})
			}
		}
	}
	expected, low := 0.0, 0
	for class, due := range s.due() {
		if due {
			expected++
		}
		if due || s.answers[class] != nil {
			expected += s.between(low, class, parts)
			low = class
		}
	}
	return expected
}

// between returns how many questions are expected between two classes: one if the value of any thing changes in there,
// and those on both sides of that.
func (s *search) between(low, high int, parts []part) float64 {
	if high-low < 2 {
		return 0
	}
	var within []part
	none, total := 1.0, 0.0
	for _, p := range parts {
		if p.from <= low && high <= p.to {
			share := s.share(p.thing, p.gap, low, high)
			none, total = none*(1-share), total+share
			within = append(within, p)
		}
	}
	if len(within) == 0 {
		return 0
	}
	middle := low + 1 + sort.Search(high-low-2, func(i int) bool {
		left := 0.0
		for _, p := range within {
			left += s.share(p.thing, p.gap, low, low+1+i)
		}
		return left >= total/2
	})
	return 1 - none + s.between(low, middle, within) + s.between(middle, high, within)
}
