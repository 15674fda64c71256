package search

import (
	"context"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
)

// An Ahead builds drivers with tests while others are played.
type Ahead struct {
	end  context.CancelFunc
	done chan struct{}
	with *drivers.Drivers // once done is closed
	err  error            // likewise
}

// BuildTests reads the tests, and then begins to build drivers with them. It takes only what other work leaves of the
// processors.
func (in Input) BuildTests(ctx context.Context) *Ahead {
	in.Drivers.Tools.Workers.Stage("build")
	in.Drivers.Tools.Workers.Report("reading tests", 0, 0)
	a := &Ahead{done: make(chan struct{})}
	ctx, a.end = context.WithCancel(ctx)
	var tests *drivers.TestBuild
	elapsed := replay.Stopwatch()
	only, err := in.Settings.match()
	if err == nil {
		tests, err = limited(ctx, in.Settings.Building, func(ctx context.Context) (*drivers.TestBuild, error) {
			return in.Drivers.ReadTests(ctx, drivers.TestChoice{Match: only})
		})
	}
	if a.err = err; err != nil {
		close(a.done)
		return a
	}
	in.Drivers.Tools.Workers.Detailf("tests were read in %.1f s", elapsed().Seconds())
	go func() {
		defer close(a.done)
		defer fault.Catch(&a.err)
		elapsed := replay.Stopwatch()
		a.with, a.err = tests.Build(ctx, true)
		in.Drivers.Tools.Workers.Detailf("tests were built beside, in %.1f s", elapsed().Seconds())
	}()
	return a
}

// wait returns the drivers when they are built.
func (a *Ahead) wait(ctx context.Context) (*drivers.Drivers, error) {
	select {
	case <-a.done:
		return a.with, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// End ends building. Nothing of it runs afterwards.
func (a *Ahead) End() {
	if a != nil {
		a.end()
		<-a.done
	}
}

// match returns which tests run; nil: all.
func (s Settings) match() (*suite.Match, error) {
	if s.Run == "" {
		return nil, nil
	}
	return suite.ParseMatch(s.Run)
}
