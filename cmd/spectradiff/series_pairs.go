package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/spectradiff/spectradiff/cmd/internal/jobs"
	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Neighbours are the pairs of a series. They are compared in any order, and added in that of the versions.
type neighbours struct {
	*comparisons
	cfg  pipeline.Config
	crew *jobs.Crew

	mu    sync.Mutex
	list  []neighbour
	added int
}

// A neighbour is two versions, one after the other.
type neighbour struct {
	commits spectra.Pair[repository.Commit]
	name    string
	key     string         // under which its report is kept
	report  *report.Report // nil: it has none
	failed  string         // why
	done    bool
}

// spread compares each two neighbours: one pair after the other here, and others by the workers of a server. The
// configuration says when they end.
func (c *comparisons) spread(ctx context.Context, cfg pipeline.Config) (err error) {
	n := &neighbours{comparisons: c, cfg: cfg}
	var missing []int
	for i := range len(c.commits) - 1 {
		commits := spectra.Pair[repository.Commit]{Old: c.commits[i], New: c.commits[i+1]}
		pair := neighbour{commits: commits, key: c.kept.Key(ctx, cfg, c.repo, commits)}
		pair.name = fmt.Sprintf("%s..%s, %d of %d", commits.Old.Revision, commits.New.Revision, i+1, len(c.commits)-1)
		if pair.report = c.kept.Read(pair.key, commits, c.set.failOn); pair.report != nil {
			c.note("%s: compared before, the report is in the cache", pair.name)
			pair.done = true
		} else {
			missing = append(missing, i)
		}
		n.list = append(n.list, pair)
	}
	if len(missing) > 1 {
		if n.crew, err = jobs.Gather(ctx, cfg, c.repo); err != nil {
			return err
		}
		defer n.crew.Close()
	}
	if n.crew != nil { // they have pairs of their own
		n.cfg = cfg.Alone()
	}
	err = n.crew.Spread(ctx, len(missing), func(ctx context.Context, i int) error {
		return n.here(ctx, missing[i])
	}, func(ctx context.Context, i int) error {
		return n.there(ctx, missing[i])
	})
	if err != nil {
		return err
	}
	c.workers = pipeline.Workers(n.crew.Account())
	return n.add()
}

// here compares a pair on this machine. An error is one of writing reports.
func (n *neighbours) here(ctx context.Context, i int) error {
	pair, cfg := n.list[i], n.cfg
	if n.cfg.Ended() {
		return n.done(i, nil, "the series was interrupted before")
	}
	cfg.Commits = &repository.Range{Old: pair.commits.Old, New: pair.commits.New} // a branch may move on
	if !n.set.noProgress {
		cfg.Progress = func(stage string, done, total int) {
			n.progress.update(pair.name+": "+stage+n.crew.Status(), done, total)
		}
	}
	r, err := pipeline.Run(ctx, cfg)
	switch {
	case ctx.Err() != nil: // a worker has done it
		return ctx.Err()
	case err != nil && n.cfg.Ended():
		return n.done(i, nil, "the series was interrupted before anything was known")
	case err != nil:
		n.note("%s: %v", pair.name, err)
		return n.done(i, nil, err.Error())
	}
	return n.done(i, r, "")
}

// there has a worker compare a pair. An error says that it has to be done here.
func (n *neighbours) there(ctx context.Context, i int) error {
	commits := n.list[i].commits
	r, _, err := n.crew.Compare(ctx, n.cfg, repository.Range{Old: commits.Old, New: commits.New})
	if err != nil {
		return err
	}
	n.note("%s: compared by a worker", n.list[i].name)
	return n.done(i, r, "")
}

// done notes what was found of a pair, and adds those that come next.
func (n *neighbours) done(i int, r *report.Report, failed string) error {
	n.mu.Lock()
	n.list[i].report, n.list[i].failed, n.list[i].done = r, failed, true
	n.mu.Unlock()
	if r != nil {
		if err := n.kept.Write(n.list[i].key, r); err != nil {
			n.note("%s: the report is not kept: %v", n.list[i].name, err)
		}
	}
	return n.add()
}

// add adds the pairs that are done, up to the first that is not.
func (n *neighbours) add() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	for ; n.added < len(n.list) && n.list[n.added].done; n.added++ {
		pair := &n.list[n.added]
		if pair.report == nil {
			n.fail(pair.commits, pair.failed)
		} else if err := n.comparisons.add(pair.commits, pair.report); err != nil {
			return err
		}
		pair.report = nil // it may be large
	}
	return nil
}
