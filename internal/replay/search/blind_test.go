package search

import (
	"context"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// TestBlind: what ran new code is kept, and the generator learns nothing of any sequence.
func TestBlind(t *testing.T) {
	played := []generate.Outcome{
		{Coverage: []uint32{1, 2}, Steps: make([]generate.Step, 2)}, {Coverage: []uint32{2}}, {Missing: true},
		{Coverage: []uint32{3}, Panicked: true},
	}
	batch := make([]sequence.Sequence, len(played))
	for i := range batch {
		batch[i].Statements = make([]sequence.Statement, i+1)
	}
	b := &blind{ran: map[uint32]bool{}, execute: func(
		context.Context, []sequence.Sequence,
	) ([]generate.Outcome, error) {
		return played, nil
	}}
	outcomes, err := b.play(t.Context(), batch)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range outcomes {
		if !o.Missing || len(o.Coverage)+len(o.Steps) > 0 {
			t.Errorf("outcome %d tells %v", i, o)
		}
	}
	if n := len(b.found.Kept); n != 2 || len(b.found.Kept[1].Sequence.Statements) != 4 {
		t.Errorf("%d sequences are kept, want the first and the last", n)
	}
	if s := b.found.Stats; s.Sequences != 3 || s.Kept != 2 || s.Steps != 2 {
		t.Errorf("got %+v", s)
	}
}
