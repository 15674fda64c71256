// Package inducing finds the commits that brought in the roots of a comparison: those at which what a root shows
// becomes another value.
//
//	ends      old and new are compared; their report says which sequence shows which value     cmd/internal/pipeline
//	way       the commits from old to new, which of them can matter, and how likely each does  replay/history
//	search    the next commit to ask, with few questions for all roots together                diff/bisect
//	query     old and that commit are built, and the sequences of all roots played on both     cmd/internal/pipeline
//	merges    what a merge brought in is searched for on the branch that it took in
//
// With a command of the user there is no comparison: the command tells commits apart, by how it ends.
//
//	exec       the command runs in a copy of a commit, confined                                replay/predicate
//	cause      parts of what differs are tried, to find those that make it end otherwise       diff/ddmin
//
// In: the configuration of a comparison. Out: its report, in which roots say where they were introduced, and the
// commits are listed. Everything that was learnt is kept in the cache, also when the run is ended: the comparison of
// the ends, and what each commit showed. So nothing is asked twice, and another run on the same ends goes on where this
// one ended. The repository is read, never touched.
package inducing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/jobs"
	"github.com/spectradiff/spectradiff/cmd/internal/kept"
	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/report"
)

// An Input says what is compared, and in which commits the reasons are looked for.
type Input struct {
	Config      pipeline.Config // of the comparison of the ends; its time limit is that of the comparison alone
	FirstParent bool            // merged branches are not looked into, as with git's --first-parent
	Limit       time.Duration   // of the whole run; 0 = none

	// Exec is a command for sh, by which commits are told apart in the place of a comparison; "" = none.
	Exec string
}

// stage is what the search is called in progress and in partial reports.
const stage = "commits"

// Run compares the ends, and finds the commits that brought in what differs. If the run has to end early, the report is
// partial: of roots that are not told yet it says between which commits they came.
func Run(ctx context.Context, in Input) (*report.Report, error) {
	r := &run{Input: in, begun: time.Now(), among: map[string]bool{}, built: map[string]bool{}}
	r.early = &early{run: r, asked: map[string]*asking{}}
	var err error
	if r.repo, err = repository.Open(cmp.Or(in.Config.Dir, ".")); err != nil {
		return nil, err
	}
	above := module.PathAbove(r.repo.Root, r.repo.Sub)
	if r.ends, r.patterns, err = r.repo.ParseRange(in.Config.Args, above); err != nil {
		return nil, err
	}
	if in.Exec != "" && len(r.patterns) > 0 {
		return nil, fmt.Errorf("%s: with --exec the command says what is run; name packages in it", r.patterns[0])
	}
	if r.way, err = r.repo.Way(r.ends.Old, r.ends.New); err != nil {
		return nil, err
	}
	server := in.Config.Nats.URL
	if in.Exec != "" { // this machine runs it alone
		server = ""
	}
	if r.kept, err = kept.Open(in.Config.Cache, server); err != nil {
		return nil, err
	}
	defer func() { r.kept.Close(r.closing(ctx)) }()
	if in.Exec != "" {
		return r.execute(ctx)
	}
	if r.crew, err = jobs.Gather(ctx, in.Config, r.repo); err != nil {
		return nil, err
	}
	defer r.crew.Close()
	found, asks, err := r.compare(ctx)
	if err != nil || len(asks) == 0 || r.Config.Ended() {
		return found, err
	}
	return found, r.attribute(ctx, found, asks)
}

// closing returns the context for putting things in order in the end: none where somebody waits for the run to end.
func (r *run) closing(ctx context.Context) context.Context {
	ctx = context.WithoutCancel(ctx)
	if !r.Config.Ended() {
		return ctx
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	return over
}

// A run finds commits.
type run struct {
	Input
	begun time.Time
	repo  *repository.Repository
	ends  repository.Range

	patterns []string // of packages, as the user gave them

	way   *repository.Way
	kept  *kept.Store
	crew  *jobs.Crew // workers that ask commits, too; nil: none
	early *early

	ground ground // of the ends; empty until somebody asks

	among      map[string]bool // commits that are searched: whether they may behave in another way than before
	built      map[string]bool // commits that were asked: whether in this run, or all of it in an earlier one
	expected   int             // commits to be asked in the end
	untestable []report.Untestable
}

// searched notes that commits of a way are searched. same says by step what behaves as before; nil: nothing is known.
func (r *run) searched(way *repository.Way, same []bool) {
	for i, s := range way.Steps[1:] {
		name := hashOf(s)
		r.among[name] = r.among[name] || same != nil && !same[i+1]
	}
}

// count notes that a commit was asked, in this run or in an earlier one. It counts once, though several modules and
// branches may ask it.
func (r *run) count(at repository.Commit, now bool) { r.built[at.Hash] = r.built[at.Hash] || now }

// progress tells how many commits were asked, with the one that is asked now.
func (r *run) progress() {
	if progress, asking := r.Config.Progress, len(r.built)+1; progress != nil {
		progress(stage+r.crew.Status(), asking, max(asking, r.expected))
	}
}

// asked returns how many commits were asked in this run.
func (r *run) asked() int { return holding(r.built) }

// holding counts what is true.
func holding(of map[string]bool) (n int) {
	for _, yes := range of {
		if yes {
			n++
		}
	}
	return n
}

func (r *run) detailf(format string, args ...any) {
	if r.Config.Verbose && r.Config.Log != nil {
		r.Config.Log(format, args...)
	}
}

func (r *run) logf(format string, args ...any) {
	if r.Config.Log != nil {
		r.Config.Log(format, args...)
	}
}

// errEnd says that the search has to end, with what is known.
var errEnd = errors.New("the search was ended")

// ended returns a context that ends when the run has to: at the end of its time, or because somebody wants it.
func (r *run) ended(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	var over <-chan time.Time
	if r.Limit > 0 {
		over = time.After(max(r.Limit-reportTime-time.Since(r.begun), 0))
	}
	go func() {
		select {
		case <-r.Config.End:
		case <-over:
		case <-ctx.Done():
		}
		cancel(errEnd)
	}()
	return ctx, func() { cancel(nil) }
}

// reportTime is kept of the time of a run for its report.
const reportTime = 3 * time.Second

// partial says why a search ended early.
func (r *run) partial() *report.Partial {
	reason := report.TimedOut
	if r.Config.Ended() {
		reason = report.Interrupted
	}
	return &report.Partial{Reason: reason, Stage: stage, Undone: []string{stage}}
}
