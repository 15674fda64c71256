// Package pipeline is the whole flow of a comparison, and the only package that knows every stage:
//
//	plan       what the revisions are, what changed, which packages and functions both versions have
//	built      both versions instrumented and compiled, and what of their states is compared
//	generated  the sequences that both versions will play
//	played     what is noise, and which sequences deviate
//	judged     which of those deviate alone, in fresh processes, and the roots of what deviates
//	tried      which of the roots are causes
//	report     all of it as one value
//
// Every stage is a function from the values of the stages before it to a value of its own. Nothing
// changes such a value once its stage is over. A stage that finds nothing left to do ends the flow
// early; the report is then made of what is known.
//
// In: a Config. Out: a finished report, or an error that says which stage failed on what. It
// writes only below the cache folder and a temporary folder that it removes; the repository is
// read, never touched. With the same Config (and Sequences set) the report is the same but for its
// durations.
package pipeline

import (
	"context"
	"errors"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/emit"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Run compares two versions.
func Run(ctx context.Context, cfg Config) (*report.Report, error) {
	task, err := newTask(cfg)
	if err != nil {
		return nil, err
	}
	defer task.env.Close(ctx)
	return compare(ctx, task)
}

// compare runs the stages one after the other.
func compare(ctx context.Context, task *task) (*report.Report, error) {
	task.env.Stage("load")
	plan, err := makePlan(ctx, task)
	task.env.Stage("build")
	built, err := then(err, func() (*built, error) { return buildVersions(ctx, task, plan) })
	task.env.Limit(runTimes*task.cfg.budget() + runLeast)
	task.env.Stage("generate")
	generated, err := then(err, func() (*generated, error) { return generateSequences(ctx, task, built) })
	played, err := then(err, func() (*judge.Played, error) {
		return judge.Play(ctx, task.env.Workers, generated.subject(task))
	})
	judged, err := then(err, func() (*judge.Judged, error) { return judge.Judge(ctx, task.env.Workers, played) })
	tried, err := then(err, func() (*tried, error) { return proveRoots(ctx, task, generated, judged) })
	inside, err := then(err, func() (*judge.Judged, error) { return judgeInside(ctx, task, generated, judged) })
	if err != nil && !errors.Is(err, errOver) {
		return nil, err
	}
	task.env.Store.SealModuleFiles()
	findings, err := emitTests(ctx, task, built, built.shown(tried, inside))
	if err != nil {
		return nil, err
	}
	task.env.Stage("report")
	if built != nil {
		plan = built.plan // without what could not be built
	}
	r, err := makeReport(task.cfg, results{plan, built, generated, played, tried, findings})
	if err != nil {
		return nil, err
	}
	if err := keepCorpus(task, generated, tried); err != nil {
		return nil, err
	}
	reportStages(r, task.env)
	return r, nil
}

// emitTests writes a test for each finding, if that is wanted.
func emitTests(ctx context.Context, t *task, b *built, findings []*diff.Finding) ([]*diff.Finding, error) {
	if t.cfg.Emit == "" || len(findings) == 0 { // without findings, there may be no build
		return findings, nil
	}
	t.env.Stage("emit")
	return emit.Tests(ctx, t.env.Workers, emit.Config{
		Go:      t.env.Go,
		Loaded:  b.targets(),
		Surface: b.callable, Samples: b.declared.Named, Folder: t.cfg.Emit,
		Revision: spectra.MakePair(func(s spectra.Side) string { return b.given.Of(s).Commit.Revision }),
	}, findings)
}

// A run plays sequences for runTimes its budget and runLeast at most, loading and building left aside. What was not
// played until then is counted, and the report says so.
const (
	runTimes = 10
	runLeast = time.Minute
)

// A task is what a run was asked for, and what its stages use.
type task struct {
	cfg Config
	env *env.Environment

	// builder and players make the real ones, except in tests.
	builder builder
	players func(spectra.Pair[replay.Player]) *replay.Players
}

// A builder compiles drivers.
type builder interface {
	BuildBoth(context.Context, spectra.Pair[build.Request]) (spectra.Pair[*build.Binary], error)
	Build(context.Context, build.Request) (*build.Binary, error)
}

// A runBuilder compiles drivers as the run's environment confines go commands, which it does not from the start.
type runBuilder struct {
	cfg Config
	env *env.Environment
}

// BuildBoth builds the drivers of both versions.
func (b runBuilder) BuildBoth(
	ctx context.Context, requests spectra.Pair[build.Request],
) (spectra.Pair[*build.Binary], error) {
	return b.builder().BuildBoth(ctx, requests)
}

// Build builds one driver.
func (b runBuilder) Build(ctx context.Context, r build.Request) (*build.Binary, error) {
	return b.builder().Build(ctx, r)
}

func (b runBuilder) builder() *build.Builder {
	return &build.Builder{Cache: b.env.Store, Go: b.env.Go, Salt: build.Salt(b.cfg.Tool), Log: b.env.Detailf}
}

func newTask(cfg Config) (*task, error) {
	e, err := env.Open(env.Options{
		Jobs: cfg.Jobs, NoSandbox: cfg.NoSandbox, Cache: cfg.Cache,
		Verbose: cfg.Verbose, Progress: cfg.Progress, Log: cfg.Log,
	})
	if err != nil {
		return nil, err
	}
	return &task{cfg: cfg, env: e, builder: runBuilder{cfg, e}, players: e.Players}, nil
}

// errOver says that there is nothing left to do: what is known makes the report.
var errOver = errors.New("nothing left to compare")

// then runs a stage unless the one before it ended the flow.
func then[T any](err error, stage func() (*T, error)) (*T, error) {
	if err != nil {
		return nil, err
	}
	return stage()
}
