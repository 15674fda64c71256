package generate

import (
	"context"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TestEndless checks that the first sequence with a call that does not end is kept, that the operation is not called
// once Endless reports it, and that missing outcomes count for nothing.
func TestEndless(t *testing.T) {
	in := fixture(t)
	p := newPlayer(t, &in)
	in.Limits.Candidates = 4000
	lost, last, missing := map[string]int{}, map[string]int{}, 0
	play := in.Execute
	batches := 0
	in.Execute = func(ctx context.Context, batch []sequence.Sequence) ([]Outcome, error) {
		outcomes, err := play(ctx, batch)
		batches++
		for i, q := range batch {
			n := len(q.Statements) - 1
			operation := q.Driven(n)
			switch {
			case i%10 == 9:
				outcomes[i] = Outcome{Missing: true}
				missing++
			case operation == "m/p.Parse":
				outcomes[i] = Outcome{Steps: outcomes[i].Steps[:min(n, len(outcomes[i].Steps))], End: wire.EndTimeout}
				lost[operation]++
				last[operation] = batches
			}
		}
		return outcomes, err
	}
	in.Endless = func(operation string) bool { return lost[operation] >= 3 }
	out := run(t, in)
	if lost["m/p.Parse"] == 0 || batches < 20 {
		t.Fatalf("Parse was lost %d times in %d batches: the test shows nothing", lost["m/p.Parse"], batches)
	}
	if last["m/p.Parse"] > batches/2 {
		t.Errorf("Parse was called in batch %d of %d", last["m/p.Parse"], batches)
	}
	kept := 0
	for _, k := range out.Kept {
		if k.Reason == NewEnd && k.Sequence.Driven(len(k.Sequence.Statements)-1) == "m/p.Parse" {
			kept++
		}
	}
	if kept != 1 {
		t.Errorf("%d sequences are kept that don't end, want 1", kept)
	}
	if missing == 0 || out.Stats.Sequences+missing != len(p.played) {
		t.Errorf("%d counted and %d missing of %d", out.Stats.Sequences, missing, len(p.played))
	}
}
