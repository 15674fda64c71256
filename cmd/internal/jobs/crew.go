package jobs

import (
	"bytes"
	"cmp"
	"context"
	gojson "encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/fleet"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/report/shards"
)

// A Crew are the workers of a run that do jobs. The nil Crew has none. Its methods may be called from several
// goroutines.
type Crew struct {
	client    *fleet.Client
	repo      *repository.Repository
	dir       string // where the user is
	temporary *env.Temporary
	logf      func(format string, args ...any)
	verbose   bool        // it gets details, too
	ended     func() bool // somebody waits for the run to end

	exporting context.Context // until the crew is closed
	end       context.CancelFunc
	exports   sync.WaitGroup
	write     func(ctx context.Context, of, base repository.Commit, dir string) error // Repository.Export

	mu       sync.Mutex
	exported map[[2]string]*export // by commit and base
	turn     int
}

// An export is a folder with the objects of a commit, once it is done.
type export struct {
	done  chan struct{}
	dir   string
	err   error
	users int
	used  int // the turn in which it was used last
}

// mostExports is how many exports are kept beside those in use: a run of many commits has one for each.
const mostExports = 4

// Gather returns the workers at the server of a configuration; nil if it names none, or if what the run needs is on
// this machine alone.
func Gather(ctx context.Context, cfg pipeline.Config, repo *repository.Repository) (*Crew, error) {
	if cfg.Nats.URL == "" || len(cfg.Outside) > 0 || cfg.Emit != "" || cfg.Corpus != "" || cfg.Keep != "" {
		return nil, nil
	}
	logf := cfg.Log
	if logf == nil {
		logf = func(string, ...any) {}
	}
	client, err := env.Gather(ctx, env.Options{Nats: cfg.Nats, NoSandbox: cfg.NoSandbox, Tool: cfg.Tool, Log: logf})
	if err != nil {
		return nil, err
	}
	temporary, err := env.NewTemporary(logf)
	if err != nil {
		client.Close()
		return nil, err
	}
	c := &Crew{
		client: client, repo: repo, dir: cfg.Dir, temporary: temporary, logf: logf, ended: cfg.Ended,
		verbose: cfg.Verbose,
		write:   repo.Export, exported: map[[2]string]*export{},
	}
	c.exporting, c.end = context.WithCancel(context.WithoutCancel(ctx))
	return c, nil
}

// Close ends the connection.
func (c *Crew) Close() {
	if c == nil {
		return
	}
	c.end()
	if c.verbose {
		c.Account().Tell(c.logf, "pieces")
	}
	if c.ended() {
		c.client.CloseSoon()
	} else {
		c.client.Close()
	}
	c.exports.Wait()
	c.temporary.Remove()
}

// Slots returns how many jobs the workers do at the same time now.
func (c *Crew) Slots() int {
	if c == nil {
		return 0
	}
	return c.client.JobSlots()
}

// Status returns what the workers do at the moment, as the end of a line; "" without workers.
func (c *Crew) Status() string {
	if c == nil {
		return ""
	}
	return c.client.Status().String()
}

// Account returns what the workers did.
func (c *Crew) Account() fleet.Account {
	if c == nil {
		return fleet.Account{}
	}
	return c.client.Account()
}

// Compare compares two commits elsewhere.
func (c *Crew) Compare(
	ctx context.Context, cfg pipeline.Config, commits repository.Range,
) (*report.Report, []pipeline.Ask, error) {
	var r *report.Report
	j := &job{Kind: compare, Config: portable(cfg), Commits: commits}
	found, err := c.do(ctx, j, cfg.End, func(of *result) (err error) {
		if r, err = json.Read(bytes.NewReader(of.Report)); err == nil {
			err = wanted(cfg, commits, r.Old.Commit, r.New.Commit, r.Settings)
		}
		if err == nil {
			err = discarded(whole(r))
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return r, found.Asks, nil
}

// discarded returns an error as one for a result that is not used, though the worker does what it should.
func discarded(err error) error {
	if err == nil {
		return nil
	}
	return replay.Discarded{Why: err}
}

// whole returns an error for a report of less than this machine would have compared.
func whole(r *report.Report) error {
	return cmp.Or(early(r.Partial), lacking(r.Lacks))
}

// early returns an error for what ended early on the worker, if it did: that says nothing of this machine.
func early(p *report.Partial) error {
	if p == nil {
		return nil
	}
	return fmt.Errorf("its time was over on the worker, in stage %s", p.Stage)
}

// wanted returns an error for a result that is not of what was asked for: other commits, or other settings. It is no
// proof that a worker compared these, but what is of another run is never taken for this one.
func wanted(cfg pipeline.Config, commits repository.Range, old, new string, found report.Settings) error {
	if old != commits.Old.Hash || new != commits.New.Hash {
		return fmt.Errorf("it compared %.12s with %.12s in place of %.12s with %.12s", old, new,
			commits.Old.Hash, commits.New.Hash)
	}
	asked := cfg.Asked()
	for _, of := range []*report.Settings{&asked, &found} { // a shard is checked apart, and what fails is decided anew
		of.Sandbox, of.FailOn, of.Shards, of.Shard = "", "", 0, 0
	}
	want, err := gojson.Marshal(asked)
	if err != nil {
		return err
	}
	if got, err := gojson.Marshal(found); err != nil || !bytes.Equal(got, want) {
		return fmt.Errorf("it compared with other settings: %s in place of %s", got, want)
	}
	return nil
}

// lacking returns an error if a worker says that it compared less than all because it could not fetch or run something.
func lacking(lacks []report.Lack) error {
	if len(lacks) > 0 {
		return fmt.Errorf("it lacks %s", lacks[0])
	}
	return nil
}

// Shard does one shard of a run elsewhere, in one of so many parts of the time limit of the configuration. It may have
// ended early there. It is not used if it does not agree with what is known of the run.
func (c *Crew) Shard(
	ctx context.Context, cfg pipeline.Config, parts int, commits repository.Range, packages []string,
	of shard.Shard, agrees func(*shards.Part) error,
) (*shards.Part, error) {
	j := &job{Kind: play, Config: portable(cfg), Commits: commits, Shard: of, Parts: parts}
	j.Config.Args = packages
	var p *shards.Part
	_, err := c.do(ctx, j, cfg.End, func(found *result) (err error) {
		p, err = shards.Read(bytes.NewReader(found.Part), "shard "+of.String())
		switch {
		case err != nil:
			return err
		case p.Shard != of:
			return fmt.Errorf("it did shard %s in place of %s", p.Shard, of)
		}
		if err := wanted(cfg, commits, p.Run.Old, p.Run.New, p.Run.Settings); err != nil {
			return err
		}
		return discarded(cmp.Or(allowed(cfg, p), agrees(p)))
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// allowed returns an error for a shard of less than this machine would have done with the same time limit.
func allowed(cfg pipeline.Config, p *shards.Part) error {
	lacks := slices.Clone(p.Lacks)
	for _, m := range p.Modules {
		if m.Report != nil {
			lacks = append(lacks, m.Report.Lacks...)
		}
	}
	if err := lacking(lacks); err != nil || cfg.Timeout > 0 {
		return err
	}
	return early(partial(p))
}

// partial says how a shard ended early; nil: it did not.
func partial(p *shards.Part) (of *report.Partial) {
	for _, m := range p.Modules {
		if m.Report != nil {
			of = of.And(m.Report.Partial, "")
		}
	}
	return of
}

// Query asks the newer of two commits elsewhere, with the tests of a third one if any of these are asked.
func (c *Crew) Query(
	ctx context.Context, cfg pipeline.Config, commits repository.Range, asks []pipeline.Ask,
	tests *repository.Commit,
) ([]pipeline.Answer, error) {
	j := &job{Kind: query, Config: portable(cfg), Commits: commits, Asks: asks, Tests: tests}
	found, err := c.do(ctx, j, cfg.End, func(found *result) error {
		if len(found.Answers) != len(asks) {
			return fmt.Errorf("%d answers to %d questions", len(found.Answers), len(asks))
		}
		for _, a := range found.Answers {
			if !a.Lasts() {
				return discarded(errors.New(a.Untestable))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found.Answers, nil
}

// do has a worker do a job, until somebody wants the run to end. Read gets the result, and its error says that it is
// none.
func (c *Crew) do(
	ctx context.Context, j *job, end <-chan struct{}, read func(*result) error,
) (r result, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-end:
			cancel()
		case <-ctx.Done():
		}
	}()
	defer func() {
		if err != nil && ctx.Err() == nil {
			c.logf("done here, because %v", err)
		}
	}()
	j.Origin, j.Name, j.Sub = public(c.repo.Origin()), filepath.Base(c.repo.Root), c.repo.Sub
	if j.Opaque, err = opaque(c.dir); err != nil {
		return r, err
	}
	folders, free, err := c.objects(ctx, j)
	defer free()
	if err != nil {
		return r, err
	}
	data, err := j.encode()
	if err != nil {
		return r, err
	}
	err = c.client.Job(ctx, data, func(found []byte) error {
		r = result{} // of another worker, perhaps
		if err := gojson.Unmarshal(found, &r); err != nil {
			return err
		}
		return cmp.Or(read(&r), discarded(r.ofMachine()))
	}, folders...)
	return r, err
}

// ofMachine returns an error if the machine that did the job decided a part of the result: there a limit on time or
// memory was reached, which this one may not reach, or the other way round.
func (r *result) ofMachine() error {
	if r.Timed == 0 {
		return nil
	}
	return fmt.Errorf("limits ended %d sequences on the worker, which may be slower or have less memory", r.Timed)
}

// objects exports the commits of a job, and returns the folders, which stay until free is called.
func (c *Crew) objects(ctx context.Context, j *job) (folders []string, free func(), err error) {
	var used []*export
	free = func() { c.release(used...) }
	for i, commit := range j.commits() {
		base := j.Commits.Old
		if i == 0 {
			base = repository.Commit{}
		}
		e, err := c.export(ctx, commit, base)
		if err != nil {
			return nil, free, err
		}
		used, folders = append(used, e), append(folders, e.dir)
	}
	return folders, free, nil
}

// public returns the address of a repository without what lets somebody in.
func public(origin string) string {
	if !strings.Contains(origin, "://") {
		return origin // a path, or host:path
	}
	of, err := url.Parse(origin)
	if err != nil {
		return ""
	}
	of.User, of.RawQuery, of.Fragment = nil, "", ""
	return of.String()
}

// opaque returns the file with the types that the project does not compare, nil if there is none.
func opaque(dir string) ([]byte, error) {
	folder, name, err := repository.FindFile(dir, drivers.OpaqueFile)
	if err != nil || name == "" {
		return nil, err
	}
	return repository.ReadFile(folder, filepath.FromSlash(drivers.OpaqueFile))
}

// export writes the objects of a commit that a base does not have, once, and counts its user. Who gives up does not end
// it for others.
func (c *Crew) export(ctx context.Context, of, base repository.Commit) (*export, error) {
	key := [2]string{of.Hash, base.Hash}
	c.mu.Lock()
	e := c.exported[key]
	if e == nil {
		e = &export{done: make(chan struct{}), users: 1} // who writes it
		c.exported[key] = e
		c.exports.Go(func() {
			defer c.release(e)
			defer close(e.done)
			if e.dir, e.err = os.MkdirTemp(c.temporary.Path, "objects-"); e.err == nil {
				e.err = c.write(c.exporting, of, base, e.dir)
			}
		})
	}
	c.turn++
	e.users, e.used = e.users+1, c.turn
	c.mu.Unlock()
	err := error(nil)
	select {
	case <-e.done:
		err = e.err
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		c.release(e)
		return nil, err
	}
	return e, nil
}

// release counts users that have ended, and removes exports that nobody uses, those that were not used for longest
// first, while there are too many.
func (c *Crew) release(list ...*export) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range list {
		e.users--
	}
	for {
		var oldest [2]string
		idle := 0
		for key, e := range c.exported {
			if e.users > 0 {
				continue
			}
			if idle++; idle == 1 || e.used < c.exported[oldest].used {
				oldest = key
			}
		}
		if idle <= mostExports {
			return
		}
		_ = os.RemoveAll(c.exported[oldest].dir) // what is left is removed in the end
		delete(c.exported, oldest)
	}
}
