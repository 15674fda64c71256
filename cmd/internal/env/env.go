// Package env holds what all stages of a run use: folders, sandboxes and players, progress and log.
//
// In: the options of the user. Out: an Environment, which knows nothing of the two versions; workers,
// each with a sandbox of its own; players, which play sequences on both versions. It writes only to the
// folders that it names, and Close removes the temporary one. Work that is divided among workers is
// numbered, so that results do not depend on which worker was faster.
package env

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/cache"
	"github.com/spectradiff/spectradiff/replay/gocommand"
	"github.com/spectradiff/spectradiff/replay/sandbox"
	"github.com/spectradiff/spectradiff/spectra"
)

// An Environment is what a run may use.
type Environment struct {
	Options
	Store *cache.Cache      // entries that outlive the run
	Temp  string            // folder that Close removes
	Go    *gocommand.Runner // nil before Confine

	temporary *Temporary
	clock     *clock
	sandboxes []*sandbox.Sandbox
	deadline  time.Time  // when the run stops playing; zero: never
	large     sync.Mutex // held while large recordings are decoded, so that it is done one at a time
}

// Options are the options of the user that concern the environment.
type Options struct {
	Jobs      int            // workers; at least 1
	NoSandbox bool           // go on if confinement is not available
	Keep      string         // leave sources, builds and raw spectra in this folder; "": nowhere
	Cache     cache.Settings // where versions and drivers are kept for later runs, and how much of them
	Verbose   bool           // Log gets details, such as what was not instrumented

	// Progress is called at the start of each stage and during it. The total is 0 if it is not known. Log
	// gets one line without a line end. Both may be nil. Both may be called from several goroutines.
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
	if e.temporary, err = NewTemporary(); err != nil {
		e.Store.Finish(context.Background())
		return nil, err
	}
	e.Temp = e.temporary.Path
	e.clock = newClock()
	return e, nil
}

// Confine opens a sandbox for each worker, and returns the layers that confine them. The first one also confines
// go commands.
func (e *Environment) Confine(ctx context.Context) (sandbox.Layers, error) {
	for range max(e.Jobs, 1) {
		s, err := sandbox.Open(sandbox.Options{Unconfined: e.NoSandbox})
		if err != nil {
			return sandbox.Layers{}, fmt.Errorf("sandbox: %w", err)
		}
		e.sandboxes = append(e.sandboxes, s)
	}
	var err error
	e.Go, err = gocommand.NewRunner(ctx, e.sandboxes[0], e.Temp)
	return e.sandboxes[0].Layers(), err
}

// Close ends the sandboxes, removes the temporary folder, and releases the entries of the cache.
func (e *Environment) Close(ctx context.Context) {
	e.clock.stop()
	for _, s := range e.sandboxes {
		_ = s.Close()
	}
	e.temporary.Remove()
	e.Store.Finish(ctx)
}

// Logf writes one line of the log.
func (e *Environment) Logf(format string, args ...any) {
	if e.Log != nil {
		e.Log(format, args...)
	}
}

// Detailf writes one line of the log if the log is verbose.
func (e *Environment) Detailf(format string, args ...any) {
	if e.Verbose {
		e.Logf(format, args...)
	}
}

// Report reports the progress of a stage. The total is 0 if it is not known.
func (e *Environment) Report(stage string, done, total int) {
	if e.Progress != nil {
		e.Progress(stage, done, total)
	}
}

// Both calls do for both versions at the same time, and returns the two results.
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

// Each does n pieces of work, several at the same time. Each piece gets the number of its worker, whose
// sandbox it may use. The number of finished pieces is reported as progress of the stage, unless stage is
// "". The first error ends all.
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

// largeEvents is how many bytes of events may be decoded at the same time as others. As trees they take
// some twenty times as much.
const largeEvents = 4 << 20

// Alone waits until no other large recordings are being decoded, if the given ones are large. The caller
// must call end when it has finished with them.
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

// Limit sets how long sequences are played from now on.
func (e *Environment) Limit(d time.Duration) { e.deadline = time.Now().Add(d) }

// Over reports whether that time is up. What was played until then is judged and reported.
func (e *Environment) Over() bool { return !e.deadline.IsZero() && time.Now().After(e.deadline) }

// Stopwatch returns a function that returns the time since the call of Stopwatch.
func Stopwatch() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}
