package pipeline

import (
	"context"
	"errors"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
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
	return parts, task.name(parts)
}

// name says of which run and shard parts are.
func (t *task) name(parts []*shards.Part) error {
	run, err := t.run(parts[0])
	for _, p := range parts {
		p.Run, p.Name = run, "shard "+p.Shard.String()
	}
	return err
}

// A Session does shards of a comparison as they are asked for, and finds the same as Shards does. The versions are
// loaded and built once, if the change touches one module.
type Session struct {
	open func() (*task, error)
	ctx  context.Context // of what is left for further shards
	task *task           // nil: nothing is left
	told []replay.Stage  // what parts were told that it took
}

// NewSession returns a session that ctx ends. It must be closed.
func NewSession(ctx context.Context, cfg Config) *Session {
	return &Session{ctx: ctx, open: func() (*task, error) { return newTask(cfg) }}
}

// A Share is the time of a shard: one of so many equal parts of what is left of a run, 0: it has no limit. The share
// begins when the versions are loaded and built.
type Share struct {
	Left  time.Duration
	Parts int
}

// Shard does a shard in its share of the time. Once ctx is over that shard ends, and others can still be done.
func (s *Session) Shard(ctx context.Context, of shard.Shard, share Share) (*shards.Part, error) {
	if s.task == nil {
		task, err := s.open()
		if err != nil {
			return nil, err
		}
		task.session = &session{}
		s.task, s.told = task, nil
	}
	s.task.shards, s.task.cfg.Timeout, s.task.rounds = []shard.Shard{of}, share.Left, share.Parts
	running, cancel := context.WithCancel(s.ctx)
	defer context.AfterFunc(ctx, cancel)()
	part, err := s.part(running)
	if err != nil || s.task.session.over { // what was cut short is not used again
		s.Close()
	}
	return part, err
}

func (s *Session) part(ctx context.Context) (*shards.Part, error) {
	parts, err := s.task.parts(ctx)
	if err != nil {
		return nil, err
	}
	all := s.task.env.Stages()
	parts[0].Stages, s.told = inReport(since(s.told, all)), all
	return parts[0], s.task.name(parts)
}

// Close ends the session, and removes what it needed.
func (s *Session) Close() {
	if s.task == nil {
		return
	}
	if m := s.task.session.take(); m != nil {
		m.flow.ahead.End()
	}
	s.task.env.Close(s.ctx)
	s.task = nil
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
	for _, e := range opaque {
		run.Opaque = append(run.Opaque, e.Type)
	}
	return run, nil
}
