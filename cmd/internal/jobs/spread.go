package jobs

import (
	"context"
	"sync"
	"time"
)

// Spread does n pieces. One after the other is done here; at the same time workers do as many others as they have slots
// for. A piece that failed there is done here. An error of a piece that was done here ends all. Without workers all
// pieces are done here, in their order.
func (c *Crew) Spread(ctx context.Context, n int, here, there func(ctx context.Context, piece int) error) error {
	return spread(ctx, c.Slots, n, here, there)
}

func spread(
	ctx context.Context, slots func() int, n int, here, there func(ctx context.Context, piece int) error,
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := &pieces{left: n}
	p.changed = sync.NewCond(&p.mu)
	first, more := p.takeHere() // the others go to workers as soon as there are any
	var away sync.WaitGroup
	defer away.Wait()
	defer cancel()
	away.Go(func() { p.handOut(ctx, slots, &away, there) })
	for piece := first; more; piece, more = p.takeHere() {
		if err := here(ctx, piece); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// again is the time between two looks at whether workers came.
const again = 500 * time.Millisecond

// handOut hands pieces to workers until none is left.
func (p *pieces) handOut(
	ctx context.Context, slots func() int, away *sync.WaitGroup, there func(ctx context.Context, piece int) error,
) {
	ticker := time.NewTicker(again)
	defer ticker.Stop()
	for ctx.Err() == nil {
		for {
			piece, more := p.takeAway(slots())
			if !more {
				break
			}
			away.Go(func() { p.give(piece, there(ctx, piece)) })
		}
		if p.taken() {
			return
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
}

// Pieces are those that nobody took, and those that workers failed in.
type pieces struct {
	mu      sync.Mutex
	changed *sync.Cond
	next    int
	left    int // that nobody took
	failed  []int
	away    int // at workers
}

// takeHere returns a piece to do here, and waits for one while workers may fail.
func (p *pieces) takeHere() (piece int, more bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.failed) == 0 && p.left == 0 && p.away > 0 {
		p.changed.Wait()
	}
	if len(p.failed) > 0 {
		piece, p.failed = p.failed[0], p.failed[1:]
		return piece, true
	}
	return p.take()
}

func (p *pieces) take() (piece int, more bool) {
	if p.left == 0 {
		return 0, false
	}
	p.next, p.left = p.next+1, p.left-1
	return p.next - 1, true
}

// takeAway returns a piece for a worker, if fewer are away than there are slots.
func (p *pieces) takeAway(slots int) (piece int, more bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.away >= slots {
		return 0, false
	}
	if piece, more = p.take(); more {
		p.away++
	}
	return piece, more
}

// give ends a piece of a worker.
func (p *pieces) give(piece int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.away--; err != nil {
		p.failed = append(p.failed, piece)
	}
	p.changed.Broadcast()
}

// taken reports whether all pieces were taken.
func (p *pieces) taken() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.left == 0
}
