package jobs

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// Spread does n pieces. One after the other is done here; at the same time workers do as many others as they have slots
// for. A piece that failed there is done here, and so is one that a worker still does when nothing else is left: the
// first result counts, and both would be the same. An error of a piece that was done here ends all. Without workers all
// pieces are done here, in their order.
func (c *Crew) Spread(ctx context.Context, n int, here, there func(ctx context.Context, piece int) error) error {
	return spread(ctx, c.Slots, n, here, there)
}

func spread(
	ctx context.Context, slots func() int, n int, here, there func(ctx context.Context, piece int) error,
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := &pieces{left: n, away: map[int]*away{}}
	piece, during, more := p.takeHere(ctx) // the others go to workers as soon as there are any
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	group.Go(func() { p.handOut(ctx, slots, &group, there) })
	for ; more; piece, during, more = p.takeHere(ctx) {
		if err := p.end(piece, here(during, piece)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// again is the time between two looks at whether workers came.
const again = 500 * time.Millisecond

// handOut hands pieces to workers until none is left.
func (p *pieces) handOut(
	ctx context.Context, slots func() int, group *sync.WaitGroup, there func(ctx context.Context, piece int) error,
) {
	ticker := time.NewTicker(again)
	defer ticker.Stop()
	for ctx.Err() == nil {
		for {
			piece, ctx, more := p.takeAway(ctx, slots())
			if !more {
				break
			}
			group.Go(func() { p.give(piece, there(ctx, piece)) })
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

// Pieces are those that nobody took, those that workers do, and those that they failed in.
type pieces struct {
	mu     sync.Mutex
	next   int
	left   int // that nobody took
	failed []int
	away   map[int]*away
}

// An away is a piece that a worker was given.
type away struct {
	there context.CancelFunc
	here  context.CancelFunc // nil: it is not done here as well
	given bool               // the worker has done it
}

// takeHere returns a piece to do here, with the context that ends when a worker has done it.
func (p *pieces) takeHere(ctx context.Context) (piece int, of context.Context, more bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.failed) > 0 {
		piece, p.failed = p.failed[0], p.failed[1:]
		return piece, ctx, true
	}
	if piece, more := p.take(); more || len(p.away) == 0 {
		return piece, ctx, more
	}
	first := slices.Min(slices.Collect(maps.Keys(p.away)))
	of, p.away[first].here = context.WithCancel(ctx)
	return first, of, true
}

// end ends a piece that was done here. If a worker was faster, it is no error that it was not.
func (p *pieces) end(piece int, err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.away[piece]
	if a == nil {
		return err
	}
	a.here()
	if a.given {
		err = nil
	}
	a.there()
	delete(p.away, piece)
	return err
}

func (p *pieces) take() (piece int, more bool) {
	if p.left == 0 {
		return 0, false
	}
	p.next, p.left = p.next+1, p.left-1
	return p.next - 1, true
}

// takeAway returns a piece for a worker, if fewer are away than there are slots.
func (p *pieces) takeAway(ctx context.Context, slots int) (piece int, of context.Context, more bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.away) >= slots {
		return 0, nil, false
	}
	if piece, more = p.take(); more {
		a := &away{}
		of, a.there = context.WithCancel(ctx)
		p.away[piece] = a
	}
	return piece, of, more
}

// give ends a piece of a worker.
func (p *pieces) give(piece int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch a := p.away[piece]; {
	case a == nil: // it was done here meanwhile
	case a.here == nil:
		a.there()
		delete(p.away, piece)
		if err != nil {
			p.failed = append(p.failed, piece)
		}
	case err == nil:
		a.given = true
		a.here()
	}
}

// taken reports whether all pieces were taken.
func (p *pieces) taken() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.left == 0
}
