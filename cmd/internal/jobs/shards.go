package jobs

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/report/shards"
)

// Shards does shards of a run as pipeline.Shards does; with the workers of a server several at the same time.
func Shards(ctx context.Context, cfg pipeline.Config, list []shard.Shard) ([]*shards.Part, error) {
	if cfg.Nats.URL == "" || len(list) == 1 {
		return pipeline.Shards(ctx, cfg, list)
	}
	repo, err := repository.Open(cmp.Or(cfg.Dir, "."))
	if err != nil {
		return nil, err
	}
	commits, packages, err := repo.ParseRange(cfg.Args, module.PathAbove(repo.Root, repo.Sub))
	if err != nil {
		return nil, err
	}
	if commits.New.Worktree || commits.Old.Worktree { // they are on this machine alone
		return pipeline.Shards(ctx, cfg, list)
	}
	crew, err := Gather(ctx, cfg, repo)
	if err != nil {
		return nil, err
	}
	defer crew.Close()
	s := &spreading{cfg: cfg.Alone(), crew: crew, begun: time.Now(), list: list, parts: make([]*shards.Part, len(list))}
	s.commits, s.packages = commits, packages
	s.cfg.Commits, s.cfg.Args = &commits, packages // a branch may move on
	if report := cfg.Progress; report != nil {
		s.cfg.Progress = func(stage string, done, total int) { report(stage+crew.Status(), done, total) }
	}
	if err := crew.Spread(ctx, len(list), s.here, s.there); err != nil {
		return nil, err
	}
	parts := slices.DeleteFunc(s.parts, func(p *shards.Part) bool { return p == nil })
	parts[0].Workers = parts[0].Workers.Add(pipeline.Shares(crew.Shares()))
	return parts, nil
}

// A spreading are shards that workers do as well.
type spreading struct {
	cfg      pipeline.Config
	crew     *Crew
	begun    time.Time
	commits  repository.Range
	packages []string
	list     []shard.Shard

	mu    sync.Mutex
	parts []*shards.Part // by shard; nil: it was not done
}

// limited returns the configuration for what begins now: the time limit is that of all shards.
func (s *spreading) limited() pipeline.Config {
	cfg := s.cfg
	if cfg.Timeout > 0 {
		cfg.Timeout = max(cfg.Timeout-time.Since(s.begun), time.Second)
	}
	return cfg
}

// here does a shard here. Once the run was ended it does none, if there is one.
func (s *spreading) here(ctx context.Context, i int) error {
	if s.cfg.Ended() && s.any() {
		return nil
	}
	done, err := pipeline.Shards(ctx, s.limited(), s.list[i:i+1])
	if err == nil {
		s.put(i, done[0])
	}
	return err
}

func (s *spreading) put(i int, p *shards.Part) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parts[i] = p
}

// any reports whether a shard was done.
func (s *spreading) any() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.parts, func(p *shards.Part) bool { return p != nil })
}

// there has a worker do a shard.
func (s *spreading) there(ctx context.Context, i int) error {
	done, err := s.crew.Shard(ctx, s.limited(), s.commits, s.packages, s.list[i])
	if err == nil {
		s.put(i, done)
	}
	return err
}
