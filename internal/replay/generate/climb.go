package generate

import "slices"

// A Distance is the branch distance of a sequence to a goal. A goal is a side of a branch that no sequence has taken.
type Distance struct {
	Goal   int
	Value  float64  // between 0, where the goal is reached, and 1
	Wanted []string // texts whose presence brings the goal nearer
}

const (
	patience     = 12 // turns without progress after which a goal is skipped
	turns        = 2  // maximum number of turns of a walk
	turnsOnTheGo = 10 // the same while they make progress
)

// A Thing may be near a goal.
type Thing interface{ Size() int }

// A Hill climbs towards goals: it has the nearest thing for each goal, and takes the goals in turn. It stays with a
// goal while that makes progress. A goal without progress for some turns is skipped until something comes nearer. The
// same calls lead to the same choices.
type Hill[T Thing] struct {
	slopes  map[int]*slope[T] // nil for reached goals
	order   []int             // goals in the order of their first Distance
	current int               // index of the current goal
}

type slope[T Thing] struct {
	thing  T
	value  float64
	wanted []string
	failed int // turns since the last progress
}

// newHill returns a hill without goals.
func newHill[T Thing]() *Hill[T] { return &Hill[T]{slopes: map[int]*slope[T]{}} }

// Note notes the distances of a thing, and reports whether it is nearer to a goal than any before. Of equally near
// things it keeps the smallest.
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

// Walk takes some turns. In each it tries steps from the nearest thing of a goal and keeps those that come nearer.
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

// next returns the nearest thing of the next goal and the texts that it lacks. It returns false if no goal is worth a
// turn.
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

// others reports whether another goal is worth a turn.
func (h *Hill[T]) others(than int) bool {
	return slices.ContainsFunc(h.order, func(goal int) bool {
		s := h.slopes[goal]
		return goal != h.order[than] && s != nil && s.failed < patience
	})
}
