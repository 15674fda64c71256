package pipeline

import (
	"context"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/diff/group"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/report/summary"
)

// A flow holds what the stages of a run have found so far.
type flow struct {
	*task
	folder    string // of the module in the repository; "": that where the user is
	begun     time.Time
	end       *early // nil: it is not ended
	sandbox   string // the layers that confine
	found     summary.Results
	cut       bool          // not all tests were run and varied
	ahead     *search.Ahead // drivers with tests; nil: none are built yet
	source    group.Source
	explained bool // calls alone show what each changed function does
}

// A stage is one of the stages of a run.
type stage struct {
	brings string // as a report says what is missing without it; "" = nothing that anybody asks for
	run    func(*flow, context.Context) error
	asked  bool // this run is to do it
	plays  bool // it does nothing once nothing more may be played
}

// common is how many of the first stages all shards have in common.
const common = 3

// testsBring is what counts as not done, too, where not all tests were run and varied.
const testsBring = "tests"

func (f *flow) stages() []stage {
	calls, tests, commands := f.drives(DriveAPI), f.drives(DriveTests), f.drives(DriveCommand)
	return []stage{
		{run: (*flow).plan, asked: true},
		{brings: "builds", run: (*flow).build, asked: true},
		{run: (*flow).variables, asked: true},
		{brings: "generated calls", run: (*flow).search, asked: calls, plays: true},
		{brings: "roots of generated calls", run: (*flow).judge, asked: calls, plays: true},
		{brings: "proofs", run: (*flow).prove, asked: calls && !f.cfg.NoProof, plays: true},
		{brings: "calls from inside packages", run: (*flow).inside, asked: calls, plays: true},
		{brings: "tests of the new version", run: (*flow).newTests, asked: tests, plays: true},
		{brings: testsBring, run: (*flow).tests, asked: tests, plays: true},
		{
			brings: "calls with what tests pass", run: (*flow).handed,
			asked: calls && tests && f.cfg.Run == "", plays: true,
		},
		{brings: "commands", run: (*flow).commands, asked: commands && f.cfg.Run == "", plays: true},
		{brings: "proofs of package variables", run: (*flow).proveVariables, asked: !f.cfg.NoProof, plays: true},
		{run: func(f *flow, _ context.Context) error { f.group(); return nil }, asked: true},
		{brings: "files of --emit", run: (*flow).emit, asked: f.cfg.Emit != ""},
	}
}

// run runs the stages from one to before another one. It returns ErrOver where nothing was left to do. With another
// error, and where the run ended early, it returns what the stages would have brought that were not finished, or began
// when nothing more was played.
func (f *flow) run(ctx context.Context, from, to int) (undone []string, err error) {
	all := f.stages()
	for i, stage := range all[from:to] {
		late := f.end.partly() != nil
		if err := f.do(ctx, stage); err != nil {
			for _, left := range all[from+i:] {
				if left.asked && left.brings != "" {
					undone = append(undone, left.brings)
				}
			}
			return undone, err
		}
		if late && stage.asked && stage.plays {
			undone = append(undone, stage.brings)
		}
	}
	return undone, nil
}

// do runs a stage. One that does not play computes, too, with a flow of its own.
func (f *flow) do(ctx context.Context, of stage) error {
	if of.plays {
		return of.run(f, ctx)
	}
	own := *f
	left, err := compute(ctx, func() error { return of.run(&own, ctx) })
	if !left {
		*f = own
	}
	return err
}

// compute does what may not look at ctx for seconds. Once ctx is over it is left alone, as true says, and what it does
// then must concern nobody.
func compute(ctx context.Context, what func() error) (left bool, err error) {
	done := make(chan error, 1)
	go func() { done <- what() }()
	var late <-chan time.Time
	for over := ctx.Done(); ; {
		select {
		case err := <-done:
			return false, err
		case <-over:
			over, late = nil, time.After(computing)
		case <-late:
			return true, context.Cause(ctx)
		}
	}
}

// timeLeft returns the time that a run with a limit has left, and false if there is no limit.
func (f *flow) timeLeft() (time.Duration, bool) {
	return f.cfg.Timeout - reportTime - time.Since(f.begun), f.cfg.Timeout > 0
}

// drives reports whether sequences come from a source.
func (f *flow) drives(source string) bool { return slices.Contains(f.cfg.Drive, source) }
