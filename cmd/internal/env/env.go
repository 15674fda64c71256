// Package env is what the stages of a run use: where to write, sandboxes and players, progress and log.
//
// In: what the user asked for. Out: an Environment, which knows nothing of the two versions; workers,
// each with a sandbox of its own; players, which play sequences on both versions. It writes only to the
// folders that it names, and Close removes the temporary one. Work that is shared out among workers is
// numbered, so that results do not depend on which worker was quicker.
package env

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/cache"
	"github.com/spectradiff/spectradiff/replay/sandbox"
	"github.com/spectradiff/spectradiff/spectra"
)

// An Environment is what a run may use.
type Environment struct {
	Options
	Store *cache.Cache // what outlives the run
	Temp  string       // folder that Close removes

	sandboxes []*sandbox.Sandbox
	large     sync.Mutex // held while large recordings are decoded: one after the other
}

// Options are what the user asked for of it.
type Options struct {
	Jobs      int            // workers; at least 1
	NoSandbox bool           // go on where confinement is not available
	Keep      string         // leave sources, builds and raw spectra in this folder; "" = nowhere
	Cache     cache.Settings // where versions and drivers are kept for later runs, and how much of them
	Verbose   bool           // Log gets details, such as what was not instrumented

	// Progress is called at the start of each stage and while it goes on; total is 0 where it is
	// not known. Log takes one line without a line end. Both may be nil and both may be called
	// from several goroutines.
	Progress func(stage string, done, total int)
	Log      func(format string, args ...any)
}

// Open opens the cache and makes the temporary folder.
func Open(o Options) (*Environment, error) {
	e := &Environment{Options: o}
	var err error
	if e.Store, err = cache.Open(o.Cache, e.Detailf); err != nil {
		return nil, err
	}
	if e.Temp, err = os.MkdirTemp("", "spectradiff-"); err != nil {
		return nil, fmt.Errorf("temporary folder: %w", err)
	}
	return e, nil
}

// Confine opens a sandbox for each worker, and returns the layers that confine them.
func (e *Environment) Confine() (sandbox.Layers, error) {
	for range max(e.Jobs, 1) {
		s, err := sandbox.Open(sandbox.Options{Unconfined: e.NoSandbox})
		if err != nil {
			return sandbox.Layers{}, fmt.Errorf("sandbox: %w", err)
		}
		e.sandboxes = append(e.sandboxes, s)
	}
	return e.sandboxes[0].Layers(), nil
}

// Close ends the sandboxes, removes the temporary folder and lets go of the cache.
func (e *Environment) Close(ctx context.Context) {
	for _, s := range e.sandboxes {
		_ = s.Close()
	}
	_ = os.RemoveAll(e.Temp)
	e.Store.Finish(ctx)
}

// Logf writes one line of the log.
func (e *Environment) Logf(format string, args ...any) {
	if e.Log != nil {
		e.Log(format, args...)
	}
}

// Detailf logs what only --verbose asks for.
func (e *Environment) Detailf(format string, args ...any) {
	if e.Verbose {
		e.Logf(format, args...)
	}
}

// Report says how far a stage is; total is 0 where it is not known.
func (e *Environment) Report(stage string, done, total int) {
	if e.Progress != nil {
		e.Progress(stage, done, total)
	}
}

// Both does something for each version, at the same time.
func Both[T any](ctx context.Context, do func(context.Context, spectra.Side) (T, error)) (spectra.Pair[T], error) {
	var results spectra.Pair[T]
	g, ctx := errgroup.WithContext(ctx)
	for _, s := range spectra.Sides() {
		g.Go(func() (err error) {
			*results.Of(s), err = do(ctx, s)
			return err
		})
	}
	return results, g.Wait()
}

// Each does n pieces of work at the same time, each in the sandbox of the worker it is given, and
// shows how many are done unless stage is "". The first error ends it.
func (e *Environment) Each(
	ctx context.Context, n int, stage string, do func(ctx context.Context, worker, i int) error,
) error {
	jobs := max(e.Jobs, 1)
	workers := make(chan int, jobs)
	for worker := range jobs {
		workers <- worker
	}
	done := make(chan int, n)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(jobs)
	for i := range n {
		g.Go(func() error {
			worker := <-workers
			defer func() { workers <- worker }()
			err := do(ctx, worker, i)
			done <- i
			if stage != "" {
				e.Report(stage, len(done), n)
			}
			return err
		})
	}
	return g.Wait()
}

// largeEvents is how many bytes of events may be decoded beside others: as trees they take some
// twenty times as much.
const largeEvents = 4 << 20

// Alone waits until no other large recordings are decoded, if these are large, and returns what ends
// that.
func (e *Environment) Alone(list ...*replay.Played) (end func()) {
	size := 0
	for _, p := range list {
		size += len(p.Events())
	}
	if size < largeEvents {
		return func() {}
	}
	e.large.Lock()
	return e.large.Unlock
}

// Stopwatch returns what tells the time since it was made.
func Stopwatch() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}
