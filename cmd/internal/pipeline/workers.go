package pipeline

// This file shares work out to the sandboxes.

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// each does n pieces of work at the same time, each in the sandbox of the worker it is given, and
// shows how many are done unless stage is "". The first error ends it.
func (r *run) each(ctx context.Context, n int, stage string, do func(ctx context.Context, worker, i int) error) error {
	workers := make(chan int, len(r.sandboxes))
	for worker := range r.sandboxes {
		workers <- worker
	}
	done := make(chan int, n)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(r.cfg.Jobs, 1))
	for i := range n {
		g.Go(func() error {
			worker := <-workers
			defer func() { workers <- worker }()
			err := do(ctx, worker, i)
			done <- i
			if stage != "" {
				r.progress(stage, len(done), n)
			}
			return err
		})
	}
	return g.Wait()
}
