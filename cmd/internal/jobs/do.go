package jobs

import (
	"bytes"
	"context"
	gojson "encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/report/shards"
)

// A Worker does jobs of others on this machine. It must be closed.
type Worker struct {
	Cache cache.Settings // its own, for versions and drivers
	Temp  string         // folder for the repositories of jobs

	NoSandbox, Verbose bool
	Log                func(format string, args ...any)

	kept sites
}

// Do does a job, and returns its result, encoded. It is what fleet.Worker.Job wants. The context ends the job.
func (w *Worker) Do(ctx context.Context, slot int, what []byte, folders []string) ([]byte, error) {
	j, err := decode(what)
	if err != nil {
		return nil, err
	}
	if err := j.check(); err != nil {
		return nil, fmt.Errorf("this is no job: %w", err)
	}
	if len(folders) != len(j.commits()) {
		return nil, fmt.Errorf("a job of %d commits has %d folders", len(j.commits()), len(folders))
	}
	at, err := w.site(ctx, slot, j, folders)
	if err != nil {
		return nil, err
	}
	timed := at.timed.Load()
	found, err := w.run(ctx, j, at)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	w.kept.put(slot, at, j.Kind == play && err == nil)
	if err != nil {
		return nil, err
	}
	found.Timed = at.timed.Load() - timed
	return gojson.Marshal(found)
}

// check returns an error for a job that no client makes: what the functions of package pipeline rely on.
func (j *job) check() error {
	switch {
	case j.Kind == play && !j.Shard.Valid():
		return fmt.Errorf("there is no shard %s", j.Shard)
	case j.Kind == query && len(j.Asks) == 0:
		return errors.New("it asks nothing")
	}
	for i, a := range j.Asks {
		if err := a.Check(); err != nil {
			return fmt.Errorf("question %d: %w", i+1, err)
		}
	}
	return nil
}

// Close removes what is kept for further jobs, of which none may follow.
func (w *Worker) Close() { w.kept.close() }

// site returns the place of a job: that of the job before it in the slot, if both are shards of one run.
func (w *Worker) site(ctx context.Context, slot int, j *job, folders []string) (*site, error) {
	of, err := j.run()
	if err != nil {
		return nil, err
	}
	if at := w.kept.take(slot, of); at != nil {
		return at, nil
	}
	at := &site{of: of}
	if at.place, err = os.MkdirTemp(w.Temp, fmt.Sprintf("job%d-", slot)); err != nil {
		return nil, err
	}
	cfg := confined(j.Config)
	if cfg.Dir, err = j.rebuild(at.place, folders); err != nil {
		at.remove()
		return nil, fmt.Errorf("make the repository of a job: %w", err)
	}
	cfg.Commits = &j.Commits
	cfg.Jobs, cfg.Cache, cfg.Log, cfg.Verbose = 1, w.Cache, w.Log, w.Verbose
	cfg.NoSandbox = cfg.NoSandbox && w.NoSandbox
	if !w.Verbose {
		cfg.Log = nil
	}
	cfg.Timed = func() { at.timed.Add(1) }
	at.cfg = cfg
	at.session = pipeline.NewSession(context.WithoutCancel(ctx), cfg)
	return at, nil
}

// confined returns the configuration of a job without what would reach anything else on this machine, whoever sent it.
func confined(of pipeline.Config) pipeline.Config {
	cfg := portable(of)
	cfg.Args = of.Args
	cfg.Emit, cfg.Keep, cfg.Corpus, cfg.Outside = "", "", "", nil
	return cfg
}

// rebuild makes the repository of a job below a folder, and returns where the user is in it.
func (j *job) rebuild(place string, objects []string) (string, error) {
	if !filepath.IsLocal(j.Name) || filepath.Base(j.Name) != j.Name || !filepath.IsLocal(j.Sub) {
		return "", fmt.Errorf("folder %.80q in %.80q is no place in a repository", j.Sub, j.Name)
	}
	root := filepath.Join(place, j.Name)
	if err := repository.Rebuild(root, j.Origin, j.commits(), objects); err != nil {
		return "", err
	}
	if j.Opaque != nil {
		name := filepath.Join(root, filepath.FromSlash(drivers.OpaqueFile))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return "", err
		}
		if err := os.WriteFile(name, j.Opaque, 0o666); err != nil {
			return "", err
		}
	}
	dir := filepath.Join(root, filepath.FromSlash(j.Sub))
	return dir, os.MkdirAll(dir, 0o777)
}

// run does a job in its repository.
func (w *Worker) run(ctx context.Context, j *job, at *site) (r result, err error) {
	switch cfg := at.cfg; j.Kind {
	case compare:
		found, asks, err := pipeline.RunAsking(ctx, cfg)
		if err != nil {
			return r, err
		}
		var text bytes.Buffer
		err = json.Write(&text, found)
		return result{Report: text.Bytes(), Asks: asks}, err
	case play:
		part, err := at.session.Shard(ctx, j.Shard, pipeline.Share{Left: j.Config.Timeout, Parts: j.Parts})
		if err != nil {
			return r, err
		}
		var text bytes.Buffer
		err = shards.Write(&text, part)
		return result{Part: text.Bytes()}, err
	case query:
		tests, done, err := w.tests(ctx, j, cfg)
		if err != nil {
			return r, err
		}
		defer done()
		r.Answers, err = pipeline.Query(ctx, cfg, j.Asks, tests)
		return r, err
	}
	return r, errors.New("it is of a kind that is not known")
}

// tests writes the files of the commit whose tests are played; "": there is none. Done must be called in the end.
func (w *Worker) tests(ctx context.Context, j *job, cfg pipeline.Config) (dir string, done func(), err error) {
	if j.Tests == nil {
		return "", func() {}, nil
	}
	store, err := cache.Open(w.Cache, nil)
	if err != nil {
		return "", nil, err
	}
	done = func() { store.Finish(context.WithoutCancel(ctx)) }
	repo, err := repository.Open(cfg.Dir)
	if err == nil {
		var tree *repository.Tree
		if tree, err = repo.Materialise(ctx, *j.Tests, store); err == nil {
			return tree.Dir, done, nil
		}
	}
	done()
	return "", nil, err
}
