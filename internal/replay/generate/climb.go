package generate

import "slices"

// A Distance says how far something is from a goal.
type Distance struct {
	Goal   int
	Value  float64  // between 0, where the goal is reached, and 1
	Wanted []string // texts of which more would help
}

const (
	patience     = 12 // turns without getting nearer, after which a goal is left
	turns        = 2  // of a walk
	turnsOnTheGo = 10 // likewise, while they come nearer
)

// A Thing is what may be near a goal.
type Thing interface{ Size() int }

// A Hill has the nearest thing for each goal.
type Hill[T Thing] struct {
	slopes  map[int]*slope[T] // nil for goals that were reached
	order   []int             // goals in the order in which they were seen
	current int               // index of the goal that is gone on with
}

type slope[T Thing] struct {
	thing  T
	value  float64
	wanted []string
	failed int // turns since it came nearer
}

// New returns a hill without goals.
func newHill[T Thing]() *Hill[T] { return &Hill[T]{slopes: map[int]*slope[T]{}} }

// Note notes how far a thing is from goals, and reports whether it is nearer to one of them than all before. Of things
// that are equally near, the smallest is kept.
func (h *Hill[T]) Note(list []Distance, thing T) (nearer bool) {
	for _, d := range list {
		s, known := h.slopes[d.Goal]
		switch {
		case !known:
			s = &slope[T]{value: d.Value, thing: thing, wanted: d.Wanted}
			h.slopes[d.Goal], h.order = s, append(h.order, d.Goal)
		case s == nil:
			continue
		case d.Value < s.value:
			*s = slope[T]{value: d.Value, thing: thing, wanted: d.Wanted}
			nearer = true
		case d.Value == s.value && thing.Size() < s.thing.Size():
			s.thing, s.wanted = thing, d.Wanted
		}
		if d.Value == 0 {
			h.slopes[d.Goal], nearer = nil, true
		}
	}
	return nearer
}

// Walk takes some turns. In each, steps from the nearest thing of a goal are looked at; those that come nearer than all
// before are kept.
func (h *Hill[T]) Walk(
	steps func(from T, wanted []string) []T, look func([]T) ([][]Distance, error), keep func([]T) error,
) error {
	nearer := false
	for turn := 0; turn < turns || nearer && turn < turnsOnTheGo; turn++ {
		from, wanted, ok := h.next()
		if !ok {
			return nil
		}
		list := steps(from, wanted)
		distances, err := look(list)
		if err != nil {
			return err
		}
		var found []T
		for i := range min(len(list), len(distances)) {
			if h.Note(distances[i], list[i]) {
				found = append(found, list[i])
			}
		}
		if nearer = len(found) > 0; nearer {
			err = keep(found)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// next returns the nearest thing of the goal whose turn it is, and what it lacks. It returns false if there is no goal
// that is worth a turn.
func (h *Hill[T]) next() (thing T, wanted []string, ok bool) {
	for i := range h.order {
		at := (h.current + i) % len(h.order)
		s := h.slopes[h.order[at]]
		if s == nil || s.failed == patience || s.failed > 0 && i == 0 && h.others(at) {
			continue
		}
		s.failed++
		h.current = at
		return s.thing, s.wanted, true
	}
	return thing, nil, false
}

// others reports whether there is another goal that is worth a turn.
func (h *Hill[T]) others(than int) bool {
	return slices.ContainsFunc(h.order, func(goal int) bool {
		s := h.slopes[goal]
		return goal != h.order[than] && s != nil && s.failed < patience
	})
}
