package pipeline

// This file defines what all stages use: what was asked for, where to write, sandboxes, progress.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/build"
	"github.com/spectradiff/spectradiff/replay/sandbox"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra"
)

// An environment is what a run may use. It knows nothing of the versions.
type environment struct {
	Config
	cache     string // folder that outlives the run
	temp      string // folder that close removes
	sandboxes []*sandbox.Sandbox
	large     *sync.Mutex // held while large recordings are decoded: one after the other

	// builder and player are the real ones, except in tests.
	builder builder
	player  func(*replay.Player) player
}

// A builder compiles drivers.
type builder interface {
	Build(context.Context, build.Request) (*build.Binary, error)
}

// A player plays sequences on one version, as replay.Player says.
type player interface {
	Play(context.Context, []sequence.Sequence, replay.Mode, uint64) ([]replay.Played, error)
	Variables(context.Context, uint64) ([]replay.Variable, error)
}

// openEnvironment finds the cache and makes the temporary folder.
func openEnvironment(cfg Config) (*environment, error) {
	env := &environment{Config: cfg, large: new(sync.Mutex), player: func(p *replay.Player) player { return p }}
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	env.cache = filepath.Join(base, "spectradiff")
	if err := os.MkdirAll(env.cache, 0o777); err != nil {
		return nil, fmt.Errorf("cache folder: %w", err)
	}
	if env.temp, err = os.MkdirTemp("", "spectradiff-"); err != nil {
		return nil, fmt.Errorf("temporary folder: %w", err)
	}
	env.builder = &build.Maker{Cache: env.cache, Salt: salt(cfg.Tool), Log: env.detail}
	return env, nil
}

// confine opens a sandbox for each worker, and returns the layers that confine them.
func (env *environment) confine() (sandbox.Layers, error) {
	for range max(env.Jobs, 1) {
		s, err := sandbox.Open(sandbox.Options{Unconfined: env.NoSandbox})
		if err != nil {
			return sandbox.Layers{}, fmt.Errorf("sandbox: %w", err)
		}
		env.sandboxes = append(env.sandboxes, s)
	}
	return env.sandboxes[0].Layers(), nil
}

// close ends the sandboxes and removes the temporary folder.
func (env *environment) close() {
	for _, s := range env.sandboxes {
		_ = s.Close()
	}
	_ = os.RemoveAll(env.temp)
}

func (env *environment) log(format string, args ...any) {
	if env.Log != nil {
		env.Log(format, args...)
	}
}

// detail logs what only --verbose asks for.
func (env *environment) detail(format string, args ...any) {
	if env.Verbose {
		env.log(format, args...)
	}
}

func (env *environment) progress(stage string, done, total int) {
	if env.Progress != nil {
		env.Progress(stage, done, total)
	}
}

// both does something for each version, at the same time.
func both[T any](ctx context.Context, do func(context.Context, spectra.Side) (T, error)) (spectra.Pair[T], error) {
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

// each does n pieces of work at the same time, each in the sandbox of the worker it is given, and
// shows how many are done unless stage is "". The first error ends it.
func (env *environment) each(
	ctx context.Context, n int, stage string, do func(ctx context.Context, worker, i int) error,
) error {
	jobs := max(env.Jobs, 1)
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
				env.progress(stage, len(done), n)
			}
			return err
		})
	}
	return g.Wait()
}

// largeEvents is how many bytes of events may be decoded beside others: as trees they take some
// twenty times as much.
const largeEvents = 4 << 20

// alone waits until no other large recordings are decoded, if these are large, and returns what ends
// that.
func (env *environment) alone(list ...*replay.Played) (end func()) {
	size := 0
	for _, p := range list {
		size += len(p.Events())
	}
	if size < largeEvents {
		return func() {}
	}
	env.large.Lock()
	return env.large.Unlock
}

// stopwatch returns what tells the time since it was made.
func stopwatch() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}
