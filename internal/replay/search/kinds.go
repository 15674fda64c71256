package search

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
)

// kinds returns a run for each kind of players, for the tests that don't fit those before: those of inBubbles; the same
// once more for tests that fail there, where they may write into the source tree; and one for tests that start the go
// command.
func (in Input) kinds() []*testRun {
	usual := in.Drivers.Players
	kinds := in.inBubbles(usual, func(i int, t suite.Test) bool { return !t.Bubble && i == 0 || t.Bubble && i == 2 })
	plain := kinds[2].players
	with := &testRun{Input: in, players: plain, mayPoll: true, mayStartGo: true, failed: kinds}
	with.takes = with.missed
	if err := in.Drivers.Copyable(); err == nil {
		first := kinds
		writing := in.inBubbles(usual.Writing(), func(i int, t suite.Test) bool { return first[i].fails[named(t)] })
		for _, r := range writing {
			r.failed = first
		}
		kinds, with.players = slices.Concat(first, writing), plain.Writing()
	} else if !in.commands() {
		in.Drivers.Tools.Workers.Detailf("tests can't write into the source tree: %v", err)
	}
	return append(kinds, with)
}

// inBubbles returns a run for tests that do the same in every run; for those that use sockets or pipes; and for those
// that do not work in time bubbles. Each takes those that did not fit one before, and others as said.
func (in Input) inBubbles(usual *replay.Players, takes func(i int, t suite.Test) bool) []*testRun {
	waiting := usual.Waiting(OutsideIdle)
	repeat := &testRun{Input: in, players: usual}
	repeat.takes = func(t suite.Test) bool { return takes(0, t) }
	polling := &testRun{Input: in, players: waiting, mayPoll: true}
	polling.takes = func(t suite.Test) bool { return takes(1, t) || repeat.polls[named(t)] }
	plain := &testRun{Input: in, players: waiting.WithoutBubbles(), mayPoll: true}
	plain.takes = func(t suite.Test) bool {
		return takes(2, t) || repeat.burst[named(t)] || polling.burst[named(t)]
	}
	return []*testRun{repeat, polling, plain}
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
	return ran && len(r.failed) > 0 && both != r.endsBefore(call)
}

// endsBefore returns how a call ended where it failed.
func (r *testRun) endsBefore(call string) (of ends) {
	for _, failed := range r.failed {
		if before, ran := failed.ends[call]; ran {
			of = before
		}
	}
	return of
}
