package generate

import (
	"errors"
	"slices"
	"testing"
)

// A text is a thing whose size is its length.
type text string

func (t text) Size() int { return len(t) }

// TestHill checks that a goal has turns while it makes progress. Then the others have theirs. Reached goals and those
// without progress have none.
func TestHill(t *testing.T) {
	h := newHill[text]()
	h.Note([]Distance{{Goal: 4, Value: 0.5, Wanted: []string{"x"}}, {Goal: 9, Value: 0.3}}, "a")
	next := func(want text) {
		t.Helper()
		if got, _, ok := h.next(); got != want || ok != (want != "") {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	next("a")
	if !h.Note([]Distance{{Goal: 4, Value: 0.4}}, "nearer") {
		t.Error("a thing that is nearer is not taken for one")
	}
	if h.Note([]Distance{{Goal: 4, Value: 0.4}}, "small") || h.Note([]Distance{{Goal: 4, Value: 0.6}}, "far") {
		t.Error("a thing that is not nearer is taken for one")
	}
	next("small")
	next("a") // the turn of the other goal
	next("small")
	if !h.Note([]Distance{{Goal: 4, Value: 0}}, "there") {
		t.Error("a thing that reaches the goal is not taken for one")
	}
	h.Note([]Distance{{Goal: 4, Value: 0.1}}, "again")
	for range patience - 1 {
		next("a")
	}
	next("")
	h.Note([]Distance{{Goal: 9, Value: 0.2}}, "b")
	next("b")
}

// TestWalk checks that a walk reaches a wanted text step by step and keeps each nearer step.
func TestWalk(t *testing.T) {
	const goal = "steps"
	look := func(list []text) (all [][]Distance, err error) {
		for _, one := range list {
			at := 0
			for at < min(len(one), len(goal)) && one[at] == goal[at] {
				at++
			}
			rest := len(goal) - at
			all = append(all, []Distance{{1, float64(rest) / 10, []string{goal[at:min(at+1, len(goal))]}}})
		}
		return all, nil
	}
	h := newHill[text]()
	first, _ := look([]text{""})
	h.Note(first[0], "")
	var kept []text
	err := h.Walk(func(from text, wanted []string) []text {
		return []text{"x" + from, from + text(wanted[0])}
	}, look, func(list []text) error {
		kept = append(kept, list...)
		return nil
	})
	if want := []text{"s", "st", "ste", "step", "steps"}; err != nil || !slices.Equal(kept, want) {
		t.Errorf("%v, kept %q, want %q", err, kept, want)
	}
	if err := h.Walk(nil, nil, nil); err != nil {
		t.Errorf("without goals: %v", err)
	}
}

// TestWalkFails checks that an error ends the walk.
func TestWalkFails(t *testing.T) {
	h, fails := newHill[text](), errors.New("fails")
	h.Note([]Distance{{Goal: 1, Value: 1}}, "a")
	err := h.Walk(func(from text, _ []string) []text { return []text{from} }, func([]text) ([][]Distance, error) {
		return nil, fails
	}, nil)
	if !errors.Is(err, fails) {
		t.Errorf("got %v", err)
	}
}
