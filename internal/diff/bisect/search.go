package bisect

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// doubt is the part of the probability that is spread evenly over all steps, because weights are guesses. Without it a
// flip at a step of little weight could take as many questions as there are versions. With it such a flip takes
// log2(1/doubt) more than halving does, and a few; a flip at a step of much weight costs log2(1/(1-doubt)), 0.2, more.
const doubt = 1.0 / 8

// mostVain is how many untestable versions may lie in a gap before it is given up. Both edges of a hundred versions
// side by side are found with fewer; what is left then is spent on versions between those.
const mostVain = 12

// A search is what is known of a line. Its versions are numbered by class: a class is a version with those after it
// that behave alike.
type search struct {
	Input
	first    []int       // by class
	answers  [][]Answer  // by class, those of all things; nil: it was not asked
	mass     [][]float64 // by thing and class, how likely the value changes in the steps up to there
	segments [][]segment // by thing
	asked    []int       // versions
}

// A segment is the classes from one step of Tell to the next.
type segment struct{ low, high int }

// A gap lies between two neighbours of those classes that told different values of a thing.
type gap struct {
	from, to int
	vain     []int // the classes between that were asked, and could not tell
}

func newSearch(in Input) (*search, error) {
	if in.Versions < 1 || in.Same != nil && len(in.Same) != in.Versions {
		return nil, fmt.Errorf("%d versions, and for %d is said whether they behave alike", in.Versions, len(in.Same))
	}
	s := &search{Input: in}
	for v := range in.Versions {
		if v == 0 || in.Same == nil || !in.Same[v] {
			s.first = append(s.first, v)
		}
	}
	s.answers = make([][]Answer, len(s.first))
	s.answers[0] = make([]Answer, len(in.Things))
	s.answers[s.newest()] = make([]Answer, len(in.Things))
	for i, thing := range in.Things {
		if err := s.add(i, thing); err != nil {
			return nil, fmt.Errorf("thing %d: %w", i, err)
		}
	}
	return s, nil
}

// newest returns the class of the last version.
func (s *search) newest() int { return len(s.first) - 1 }

func (s *search) add(i int, t Thing) error {
	if t.Old.Untestable != "" || t.New.Untestable != "" {
		return errors.New("both ends of the line must have values")
	}
	if s.newest() == 0 && t.Old != t.New {
		return errors.New("its ends differ, and all versions are said to behave alike")
	}
	s.answers[0][i], s.answers[s.newest()][i] = t.Old, t.New
	mass, err := s.spread(t.Weights)
	if err != nil {
		return err
	}
	segments, err := s.divide(t.Tell)
	s.mass, s.segments = append(s.mass, mass), append(s.segments, segments)
	return err
}

// spread makes probabilities of weights, and sums them up.
func (s *search) spread(weights []float64) ([]float64, error) {
	if weights != nil && len(weights) != s.Versions {
		return nil, fmt.Errorf("%d weights for %d versions", len(weights), s.Versions)
	}
	total := 0.0
	weight := func(class int) float64 { return weights[s.first[class]] }
	for class := 1; class <= s.newest() && weights != nil; class++ {
		if !(weight(class) >= 0) { // it may be NaN
			return nil, fmt.Errorf("version %d has the weight %v", s.first[class], weight(class))
		}
		total += weight(class)
	}
	if math.IsInf(total, 1) {
		return nil, errors.New("the sum of the weights is infinite")
	}
	mass := make([]float64, len(s.first))
	for class := 1; class <= s.newest(); class++ {
		p := 1 / float64(s.newest())
		if total > 0 {
			p = doubt*p + (1-doubt)*weight(class)/total
		}
		mass[class] = mass[class-1] + p
	}
	return mass, nil
}

// divide makes segments of steps. A step between versions that behave alike is none.
func (s *search) divide(steps []int) ([]segment, error) {
	lows := []int{0}
	for _, v := range steps {
		if v < 1 || v >= s.Versions {
			return nil, fmt.Errorf("no step of %d versions leads to version %d", s.Versions, v)
		}
		if class, found := slices.BinarySearch(s.first, v); found {
			lows = append(lows, class)
		}
	}
	slices.Sort(lows)
	lows = slices.Compact(lows)
	segments := make([]segment, len(lows))
	for i, low := range lows {
		segments[i] = segment{low, s.newest()}
		if i > 0 {
			segments[i-1].high = low - 1
		}
	}
	return segments, nil
}

// tells reports whether a class was asked, and could tell of a thing.
func (s *search) tells(thing, class int) bool {
	return s.answers[class] != nil && s.answers[class][thing].Untestable == ""
}

// gaps lists the gaps of a thing.
func (s *search) gaps(thing int) (list []gap) {
	g := gap{}
	for class := 1; class <= s.newest(); class++ {
		switch {
		case s.tells(thing, class):
			if s.answers[g.from][thing].Value != s.answers[class][thing].Value {
				g.to = class
				list = append(list, g)
			}
			g = gap{from: class}
		case s.answers[class] != nil:
			g.vain = append(g.vain, class)
		}
	}
	return list
}

// closed reports whether everything in a gap was asked.
func (g gap) closed() bool { return g.to-g.from-1 == len(g.vain) }

// open reports whether it is worth asking what lies in a gap.
func (g gap) open() bool { return !g.closed() && len(g.vain) < mostVain }
