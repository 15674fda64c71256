// Package pipeline runs the stages of a comparison one after the other.
//
//	plan       packages and functions that both versions have, and what changed   replay/versions, replay/plan
//	build      both versions instrumented and compiled                            replay/drivers
//	variables  package variables that differ before any call                      diff/judge
//	search     the sequences that both versions will play                         replay/search
//	judge      noise, deviations that are no noise, findings with their examples  diff/judge
//	prove      findings whose change is the cause                                 diff/proof
//	inside     what only calls from inside packages show                          diff/judge
//	tests      what tests show: searched, judged and proven in the same way        search, judge, proof
//	commands   what command lines show, likewise
//	variables  those that still differ before any call, and are proven to by a change             diff/proof
//	group      one finding for one decision of the author                         diff/group
//	emit       Go tests that show the findings, on request                        report/emit
//	report     all of it as one value                                             report/summary
//	accepted   what the new version accepts of it                                 report/accepted
//
// A stage takes values of the stages before it, and returns values that nothing changes afterwards. A stage that finds
// nothing left to do ends the flow; the report is then made of what is known.
//
// The first three are common to all shards of a run; Shards and a Session do the others for each.
//
// In: a Config. Out: a finished report, or an error that says which stage failed on what. It writes only below the
// cache folder and a temporary folder that it removes; the repository is read, never touched. With the same Config (and
// Sequences set) the report is the same but for its durations.
package pipeline

import (
	"context"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/replay/versions"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/accepted"
)

// Run compares two versions.
func Run(ctx context.Context, cfg Config) (*report.Report, error) {
	r, _, err := RunAsking(ctx, cfg)
	return r, err
}

// RunAsking compares two versions, and also returns what the roots of the report ask other versions.
func RunAsking(ctx context.Context, cfg Config) (*report.Report, []Ask, error) {
	task, err := newTask(cfg)
	if err != nil {
		return nil, nil, err
	}
	defer task.env.Close(ctx)
	r, err := compare(ctx, task)
	return r, *task.asks, err
}

// A task is what a run was asked for, and what its stages use.
type task struct {
	cfg   Config
	env   *env.Environment
	tools drivers.Tools // the real ones, except in tests

	confined []string         // warnings about what confines
	layers   string           // that confine
	versions *versions.Choice // nil before choose
	accepted accepted.List    // findings that the new version accepts
	asks     *[]Ask           // of all modules
	shards   []shard.Shard    // that are done, one after the other
	session  *session         // nil: no others will follow
	rounds   int              // shards that have to share the time, where others do some as well
	aside    bool             // nothing changed in the module: it uses others, of which something did not run
	share    time.Duration    // that tests have of the time of a run without limits; 0: all of it
}

func newTask(cfg Config) (*task, error) {
	e, err := env.Open(env.Options{
		Jobs: cfg.Jobs, NoSandbox: cfg.NoSandbox, Cache: cfg.Cache,
		Verbose: cfg.Verbose, Progress: cfg.Progress, Log: cfg.Log, Tool: cfg.Tool, Nats: cfg.Nats,
		Timed: cfg.timed,
	})
	if err != nil {
		return nil, err
	}
	tools := drivers.Tools{
		Workers: e.Workers, Builder: e.Builder(cfg.Tool), Players: e.Players,
		Footprints: e.Footprints(cfg.Tool),
	}
	return &task{cfg: cfg, env: e, tools: tools, asks: &[]Ask{}, shards: []shard.Shard{{}}}, nil
}
