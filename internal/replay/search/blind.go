package search

import (
	"context"

	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A blind is a search without feedback: it keeps what ran new code, and tells the generator of nothing.
type blind struct {
	execute func(context.Context, []sequence.Sequence) ([]generate.Outcome, error)
	ran     map[uint32]bool
	found   generate.Generated
}

// play plays a batch. To the generator all of it looks as if it had not been played.
func (b *blind) play(ctx context.Context, batch []sequence.Sequence) ([]generate.Outcome, error) {
	outcomes, err := b.execute(ctx, batch)
	for i, o := range outcomes {
		outcomes[i] = generate.Outcome{Missing: true}
		if o.Missing {
			continue
		}
		b.found.Stats.Sequences++
		b.found.Stats.Steps += len(o.Steps)
		if b.adds(o.Coverage) {
			b.found.Kept = append(b.found.Kept, generate.Kept{
				Sequence: batch[i], Reason: generate.NewCoverage, Played: o.Played,
			})
			b.found.Stats.Kept++
		}
	}
	return outcomes, err
}

// adds notes the blocks that ran, and reports whether some of them are new.
func (b *blind) adds(coverage []uint32) bool {
	before := len(b.ran)
	for _, id := range coverage {
		b.ran[id] = true
	}
	return len(b.ran) > before
}
