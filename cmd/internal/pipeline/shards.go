package pipeline

import (
	"context"
	"errors"

	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/shards"
)

// Shards does some shards of a comparison, one after the other, and returns what each found. They have different seeds
// and tests, and share the sequences. The versions are loaded and built once.
func Shards(ctx context.Context, cfg Config, list []shard.Shard) ([]*shards.Part, error) {
	task, err := newTask(cfg)
	if err != nil {
		return nil, err
	}
	defer task.env.Close(ctx)
	task.shards = list
	parts, err := task.parts(ctx)
	if err != nil {
		return nil, err
	}
	run, err := task.run(parts[0])
	for _, p := range parts {
		p.Run, p.Name = run, "shard "+p.Shard.String()
	}
	return parts, err
}

// checkShards refuses a shard of a version that other machines may have otherwise.
func (t *task) checkShards() error {
	if len(t.shards) < t.shards[0].Of && t.versions.Commits().New.Worktree {
		return errors.New("a shard of the working tree: nobody can tell that the other shards are of the same files; " +
			"name a commit as NEW, such as HEAD")
	}
	return nil
}

// run returns what the part of this task has in common with all others of the run.
func (t *task) run(of *shards.Part) (shards.Run, error) {
	opaque, err := drivers.OpaqueEntries(t.cfg.Dir)
	if err != nil {
		return shards.Run{}, err
	}
	cfg, commits := t.cfg, t.versions.Commits()
	r := cfg.report("")
	r.Settings.FailOn, r.Settings.Shards = report.FailOn(cfg.FailOn), of.Shard.Of
	run := shards.Run{
		Tool: r.Tool, Old: commits.Old.Hash, New: commits.New.Hash, Folder: t.versions.Folder(), Settings: r.Settings,
		Packages: t.versions.Patterns(), Outside: cfg.Outside, NoProof: cfg.NoProof,
	}
	for _, m := range of.Modules {
		if m.Report != nil {
			run.Tool.Go = m.Report.Tool.Go // of the builds
		}
	}
	for _, e := range opaque {
		run.Opaque = append(run.Opaque, e.Type)
	}
	return run, nil
}
