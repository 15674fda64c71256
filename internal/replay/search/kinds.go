package search

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
)

// kinds returns a run for each kind of players, for the tests that do not fit those before: tests that do the same in
// every run; that use sockets or pipes; those that do not work in time bubbles; those that fail, once more where they
// may write into the source tree; and those that start the go command.
func (in Input) kinds() []*testRun {
	usual := in.Drivers.Players
	waiting := usual.Waiting(OutsideIdle)
	repeat := &testRun{Input: in, players: usual}
	repeat.takes = func(t suite.Test) bool { return !t.Bubble }
	polling := &testRun{Input: in, players: waiting, mayPoll: true}
	polling.takes = func(t suite.Test) bool { return repeat.polls[named(t)] }
	plain := &testRun{Input: in, players: waiting.WithoutBubbles(), mayPoll: true}
	plain.takes = func(t suite.Test) bool { return t.Bubble || repeat.burst[named(t)] || polling.burst[named(t)] }
	writing := &testRun{Input: in, players: usual, failed: repeat}
	writing.takes = func(suite.Test) bool { return false }
	with := &testRun{Input: in, players: plain.players, mayPoll: true, mayStartGo: true, failed: repeat}
	with.takes = func(t suite.Test) bool {
		return with.missed(t) || writing.polls[named(t)] || writing.burst[named(t)]
	}
	if err := in.Drivers.Copyable(); err == nil {
		writing.players, with.players = usual.Writing(), plain.players.Writing()
		writing.takes = func(t suite.Test) bool { return repeat.fails[named(t)] }
	} else if !repeat.commands() {
		in.Drivers.Tools.Workers.Detailf("tests can't write into the source tree: %v", err)
	}
	return []*testRun{repeat, polling, plain, writing, with}
}

// missed reports whether a test missed the go command with the players before.
func (r *testRun) missed(t suite.Test) bool {
	return slices.ContainsFunc(r.before, func(other *testRun) bool { return other.missing[named(t)] })
}

// getGo gives the go command to the players. Without it, they have the tests go as far as they come.
func (r *testRun) getGo(ctx context.Context) {
	workers := r.Drivers.Tools.Workers
	workers.Report("compiling the standard library for tests that start the go command", 0, 0)
	tree, err := limited(ctx, r.Settings.Building, r.Drivers.GoTree)
	if err != nil {
		workers.Detailf("tests run without the go command: %v", err)
	} else {
		r.players = r.players.WithGo(tree)
	}
	workers.Shorten(r.Settings.Tests / partWithGo)
}

// partWithGo is the part of the time of tests that those may take which start the go command: each takes a second or
// more, whatever runs there.
const partWithGo = 4

// OutsideIdle is how long a test may wait for something outside of its process.
const OutsideIdle = 3 * time.Second

// mostFailing is how many tests that fail are run once more: each has a process.
const mostFailing = 40

// noteFailing notes the tests that fail on both versions, or on old where new was not played: as they pass where they
// come from, something that they need is missing. Those that come to the change come first.
func (r *testRun) noteFailing(ran []selection.Sequence) {
	far := func(q selection.Sequence) int {
		switch {
		case q.Changed:
			return 0
		case r.concerns(q):
			return 1
		}
		return 2
	}
	ran = slices.Clone(ran)
	slices.SortStableFunc(ran, func(x, y selection.Sequence) int { return cmp.Compare(far(x), far(y)) })
	for _, q := range ran {
		call := q.Sequence.String()
		end := r.early[call]
		both := r.ends[call]
		passed := both.Old == oneEnd{ran: true} || both.New == oneEnd{ran: true}
		if end.Why != "" && !end.Lost && !end.cut && !passed && len(r.fails) < mostFailing {
			r.fails = noted(r.fails, r.nameOf(q.Sequence))
		}
	}
}

// further reports whether a call of a test that failed ends otherwise now, on old or on new.
func (r *testRun) further(call string) bool {
	both, ran := r.ends[call]
	return ran && r.failed != nil && both != r.failed.ends[call]
}
