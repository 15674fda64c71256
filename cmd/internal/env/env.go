// Package env prepares what all stages of a run share: options, folders, sandboxes, players, progress and log.
//
// In: the options of the user. Out: an Environment, which knows nothing of the two versions; workers, each with a
// sandbox of its own; players, which play sequences on both versions. It writes only to the folders that it names, and
// Close removes the temporary one. Work that is divided among workers is numbered, so that results do not depend on
// which worker was faster.
package env

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/fleet"
	"github.com/spectradiff/spectradiff/internal/replay/footprint"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// An Environment holds the resources of a run: cache, sandboxes, workers, temporary folder.
type Environment struct {
	*replay.Workers
	Store *cache.Cache      // entries that outlive the run
	Go    *gocommand.Runner // nil before Confine

	unconfined bool             // go on if confinement is not available
	commands   *sandbox.Sandbox // of go commands; nil before Confine

	temporary *Temporary

	nats  fleet.Options
	tool  string
	fleet *fleet.Client // nil: nobody else plays

	interrupted atomic.Bool
}

// Options are the options of the user that concern the environment.
type Options struct {
	Jobs      int            // workers; at least 1
	NoSandbox bool           // go on if confinement is not available
	Cache     cache.Settings // where versions and drivers are kept for later runs, and how much of them
	Verbose   bool           // Log gets details, such as what was not instrumented
	Tool      string         // version of the tool
	Nats      fleet.Options  // the server with workers, which play too; without an address nobody else plays

	// Progress is called at the start of each stage and during it. The total is 0 if it is not known. Log
	// gets one line without a line end. Both may be nil. Both may be called from several goroutines.
	Progress func(stage string, done, total int)
	Log      func(format string, args ...any)

	Timed func(replay.Clock) // as replay.Workers has it
}

// Open opens the cache and makes the temporary folder.
func Open(o Options) (*Environment, error) {
	e := &Environment{
		Workers: &replay.Workers{
			Jobs: o.Jobs, Verbose: o.Verbose, Progress: o.Progress, Log: o.Log, Timed: o.Timed,
		},
		unconfined: o.NoSandbox, nats: o.Nats, tool: o.Tool,
	}
	err := sandbox.Supported()
	if err != nil {
		return nil, err
	}
	if e.Store, err = cache.Open(o.Cache, e.Detailf); err != nil {
		return nil, err
	}
	if e.temporary, err = NewTemporary(e.Logf); err != nil {
		e.Store.Finish(context.Background())
		return nil, err
	}
	e.Temp = e.temporary.Path
	e.Measure()
	return e, nil
}

// Confine opens a sandbox for each worker, and one for go commands, which may run beside drivers. It returns the layers
// that confine them.
func (e *Environment) Confine(ctx context.Context) (sandbox.Layers, error) {
	for range max(e.Jobs, 1) {
		s, err := sandbox.Open(sandbox.Options{Unconfined: e.unconfined})
		if err != nil {
			return sandbox.Layers{}, fmt.Errorf("sandbox: %w", err)
		}
		e.Sandboxes = append(e.Sandboxes, s)
	}
	var err error
	e.commands, err = sandbox.Open(sandbox.Options{Unconfined: e.unconfined})
	if err != nil {
		return sandbox.Layers{}, fmt.Errorf("sandbox: %w", err)
	}
	if e.Go, err = gocommand.NewRunner(ctx, e.commands, e.Temp); err == nil && e.nats.URL != "" {
		err = e.join(ctx)
	}
	return e.commands.Layers(), err
}

// salt returns a text that stands for the program of the tool: two builds may have the same version.
func (e *Environment) salt(tool string) string {
	program, err := programHash()
	if err != nil {
		program = e.Temp // which no other run has
	}
	return tool + " " + program
}

// Builder returns a builder of drivers for a version of the tool.
func (e *Environment) Builder(tool string) *Builder {
	b := &Builder{env: e, salt: e.salt(tool)}
	if e.nats.URL != "" { // more is proven at the same time than is built here
		b.turns = make(chan struct{}, max(e.Jobs, 1)+1)
	}
	return b
}

// Footprints returns what is kept between runs of what tests run, which depends on the programs that they may start.
func (e *Environment) Footprints(tool string) *footprint.Store {
	return &footprint.Store{Cache: e.Store, Salt: e.salt(tool) + " " + sandbox.Programs()}
}

// A Builder compiles drivers as the environment confines go commands, which it does not from the start.
type Builder struct {
	env  *Environment
	salt string

	selections build.Selections
	linking    sync.RWMutex
	turns      chan struct{} // those who build; nil: any number may
}

// turn waits until another build may begin.
func (b *Builder) turn() (end func()) {
	if b.turns == nil {
		return func() {}
	}
	b.turns <- struct{}{}
	return func() { <-b.turns }
}

// BuildBoth builds the drivers of both versions.
func (b *Builder) BuildBoth(
	ctx context.Context, requests spectra.Pair[build.Request],
) (spectra.Pair[*build.Binary], error) {
	defer b.turn()()
	return b.builder().BuildBoth(ctx, requests)
}

// Build builds one driver.
func (b *Builder) Build(ctx context.Context, r build.Request) (*build.Binary, error) {
	defer b.turn()()
	return b.builder().Build(ctx, r)
}

// Exports returns how the dependencies of drivers are compiled.
func (b *Builder) Exports(ctx context.Context, dir string, env []string, folders gocommand.Folders) load.Exports {
	return b.builder().Exports(ctx, dir, env, folders)
}

// GoTree returns the go command that tests may start.
func (b *Builder) GoTree(
	ctx context.Context, dir string, env []string, folders gocommand.Folders,
) (*build.GoTree, error) {
	defer b.turn()()
	return b.builder().GoTree(ctx, dir, env, folders)
}

func (b *Builder) builder() *build.Builder {
	return &build.Builder{
		Cache: b.env.Store, Go: b.env.Go, Salt: b.salt, Log: b.env.Detailf, Selections: &b.selections,
		Linking: &b.linking,
	}
}

// Interrupt makes the run end soon, because somebody waits for that: it stops playing, and Close leaves to later runs
// what they can do as well. Any goroutine may call it.
func (e *Environment) Interrupt() {
	e.interrupted.Store(true)
	e.End()
}

// Close ends the sandboxes, removes the temporary folder, and releases the entries of the cache, which it trims unless
// the context is over or the run was interrupted.
func (e *Environment) Close(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if e.interrupted.Load() {
		cancel()
	}
	switch {
	case e.fleet == nil:
	case ctx.Err() != nil:
		e.fleet.CloseSoon()
	default:
		e.fleet.Close()
	}
	e.StopMeasuring()
	for _, s := range e.Sandboxes {
		_ = s.Close()
	}
	if e.commands != nil {
		_ = e.commands.Close()
	}
	e.temporary.Remove()
	e.Store.Finish(ctx)
}
