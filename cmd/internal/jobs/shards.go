package jobs

import (
	"cmp"
	"context"
	"errors"
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
	s := &spreading{cfg: cfg.Alone(), crew: crew, begun: time.Now(), list: list}
	s.parts, s.own, s.had = make([]*shards.Part, len(list)), make([]bool, len(list)), make([]time.Duration, len(list))
	s.commits, s.packages = commits, packages
	s.cfg.Commits, s.cfg.Args = &commits, packages // a branch may move on
	if report := cfg.Progress; report != nil {
		s.cfg.Progress = func(stage string, done, total int) { report(stage+crew.Status(), done, total) }
	}
	own := pipeline.NewSession(ctx, s.cfg)
	defer own.Close()
	s.do = own.Shard
	if err := crew.Spread(ctx, len(list), s.here, s.there); err != nil {
		return nil, err
	}
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	parts := slices.DeleteFunc(s.parts, func(p *shards.Part) bool { return p == nil })
	parts[0].Workers = parts[0].Workers.Add(pipeline.Workers(crew.Account()))
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
	do       func(ctx context.Context, of shard.Shard, share pipeline.Share) (*shards.Part, error) // Session.Shard

	mu    sync.Mutex
	parts []*shards.Part  // by shard; nil: it was not done
	own   []bool          // those that were done here
	had   []time.Duration // the time that those had which ended early on a worker; 0: they did not
}

// share returns the time of what begins now. The limit is that of all shards: each has an equal share of what is left,
// where as many as there are hands are done at the same time.
func (s *spreading) share() (of pipeline.Share) {
	if s.cfg.Timeout > 0 {
		hands := 1 + s.crew.Slots()
		of.Parts = max((s.missing()+hands-1)/hands, 1)
		of.Left = max(s.cfg.Timeout-time.Since(s.begun), time.Second)
	}
	return of
}

// over reports whether the run was ended, or its time is over.
func (s *spreading) over() bool {
	return s.cfg.Ended() || s.cfg.Timeout > 0 && time.Since(s.begun) >= s.cfg.Timeout
}

// here does a shard here. Once the run is over it does none, and none has to come to its end, if there is one.
func (s *spreading) here(ctx context.Context, i int) error {
	some := func() bool { return s.missing() < len(s.list) }
	if s.over() && some() {
		return nil
	}
	done, err := s.do(ctx, s.list[i], s.share())
	switch {
	case ctx.Err() != nil: // a worker was quicker
		return ctx.Err()
	case err == nil:
		s.put(i, done, true)
	case (s.over() || errors.Is(err, pipeline.ErrEarly)) && some(): // its report takes time, too
		return nil
	}
	return err
}

func (s *spreading) put(i int, p *shards.Part, own bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parts[i], s.own[i] = p, own
}

// given notes a shard that a worker did within a time, unless it was done here meanwhile.
func (s *spreading) given(i int, p *shards.Part, had time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own[i] {
		return
	}
	if s.parts[i] = p; partial(p) != nil {
		s.had[i] = had
	}
}

// settle does shards here that workers did otherwise than this machine does, or not to their end.
func (s *spreading) settle(ctx context.Context) error {
	if err := s.agree(ctx); err != nil {
		return err
	}
	return s.lengthen(ctx)
}

// agrees returns an error for a shard that can't be merged with one of this machine, if one was done.
func (s *spreading) agrees(p *shards.Part) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if first := slices.Index(s.own, true); first >= 0 {
		return p.OfRun(s.parts[first])
	}
	return nil
}

// agree does shards here that workers did otherwise than this machine does, such as with another Go release, before one
// was done here: merged with the others they would be an error.
func (s *spreading) agree(ctx context.Context) error {
	first := slices.Index(s.own, true)
	if first < 0 {
		return nil
	}
	for i, p := range s.parts {
		if p == nil || s.own[i] {
			continue
		}
		why := p.OfRun(s.parts[first])
		if why == nil {
			continue
		}
		s.crew.logf("done here, because %v", why)
		s.put(i, nil, false)
		if err := s.here(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// lengthen does shards here that ended early on a worker, each if more time is left of the run than the worker had.
// That is after all others: a worker that is slower must not take the time of shards that nobody has done.
func (s *spreading) lengthen(ctx context.Context) error {
	for i, had := range s.had {
		left := s.cfg.Timeout - time.Since(s.begun)
		if had == 0 || s.own[i] || left <= had || s.cfg.Ended() {
			continue
		}
		s.crew.logf("done here, because %v", early(partial(s.parts[i])))
		done, err := s.do(ctx, s.list[i], pipeline.Share{Left: left, Parts: 1})
		switch {
		case err == nil && partial(done) == nil:
			s.put(i, done, true)
		case err != nil && !s.over():
			return err
		}
	}
	return nil
}

// missing returns how many shards were not done yet.
func (s *spreading) missing() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.parts {
		if p == nil {
			n++
		}
	}
	return n
}

// there has a worker do a shard.
func (s *spreading) there(ctx context.Context, i int) error {
	cfg, share := s.cfg, s.share()
	cfg.Timeout = share.Left
	done, err := s.crew.Shard(ctx, cfg, share.Parts, s.commits, s.packages, s.list[i], s.agrees)
	if err == nil {
		s.given(i, done, share.Left/time.Duration(max(share.Parts, 1)))
	}
	return err
}
