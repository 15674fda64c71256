package search

import (
	"context"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// About batchTime passes between two looks at what sequences did, and at what they compared. A batch has leastBatch of
// them and more, as each starts processes.
const (
	batchTime  = time.Second
	leastBatch = 24
)

// A pace says how many sequences the next batch has, by how long the last one took: where calls are slow, the generator
// learns from the first ones as well, and ends in time.
type pace struct{ most, next int }

func newPace(most int) *pace { return &pace{most: most, next: min(leastBatch, most)} }

func (p *pace) batch() int { return p.next }

// took notes how long a batch of n sequences took. The next one has at most twice as many as the last one could have.
// The few sequences that are played between two batches say how long a process takes to start, and nothing of others.
func (p *pace) took(n int, elapsed time.Duration) {
	if n >= min(leastBatch, p.most) {
		fit := int(batchTime * time.Duration(n) / max(elapsed, 1))
		p.next = min(p.most, max(leastBatch, min(fit, 2*p.next)))
	}
}

// timed returns a function that executes a batch and notes how long that took.
func (p *pace) timed(
	execute func(context.Context, []sequence.Sequence) ([]generate.Outcome, error),
) func(context.Context, []sequence.Sequence) ([]generate.Outcome, error) {
	return func(ctx context.Context, batch []sequence.Sequence) ([]generate.Outcome, error) {
		begun := time.Now()
		defer func() { p.took(len(batch), time.Since(begun)) }()
		return execute(ctx, batch)
	}
}
