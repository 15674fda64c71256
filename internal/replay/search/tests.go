package search

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Tests runs the tests of the driven packages on drivers that have them, which it also returns. Packages whose tests
// can't be initialised are left out.
func (in Input) Tests(ctx context.Context) (*drivers.Drivers, []*Generated, error) {
	broken := map[string]string{}
	var err error
	if in.only, err = in.Settings.match(); err != nil {
		return nil, nil, err
	}
	for {
		with, err := in.buildTests(ctx, broken)
		if err != nil {
			return nil, nil, err
		}
		in.Drivers.Tools.Workers.Stage("tests")
		in.Drivers.Tools.Workers.Limit(in.Settings.Tests)
		list, err := Input{Drivers: with, Settings: in.Settings, Calls: in.Calls, only: in.only}.runTests(ctx)
		var failed *replay.Uninitialised
		if !errors.As(err, &failed) {
			return with, list, err
		}
		in.Drivers.Tools.Workers.Detailf("%v", failed)
		path := string(with.Plan.OldName(spectra.Symbol(suite.Tested(failed.Package))))
		if len(broken) >= mostBroken || !leaveOut(broken, with, path, failed) {
			return nil, nil, err
		}
	}
}

// leaveOut adds to the packages whose tests are left out, because a package can't be initialised. Where that fails
// outside of its tests, or without them, it may be because of what the tests of packages that it imports have
// initialised before, such as a name that both register: these are left out. Else its own are, also where nobody knows
// in which file it fails: what ends a program without a trace seldom is such a clash. It reports whether there is
// anything to leave out.
func leaveOut(broken map[string]string, with *drivers.Drivers, path string, failed *replay.Uninitialised) bool {
	own := broken[path] == ""
	inTests := failed.File == "" || strings.HasSuffix(failed.File, "_test.go")
	if below := with.TestsBelow(path); len(below) > 0 && !(own && inTests) {
		for _, p := range below {
			broken[p] = "with them, the initialisation of package " + path + " " + failed.Reason
		}
		return true
	}
	if own {
		broken[path] = "their initialisation " + failed.Reason
	}
	return own
}

// buildTests builds drivers with tests.
func (in Input) buildTests(ctx context.Context, broken map[string]string) (*drivers.Drivers, error) {
	in.Drivers.Tools.Workers.Stage("build")
	in.Drivers.Tools.Workers.Report("building tests", 0, 0)
	if in.Ahead != nil && len(broken) == 0 {
		return in.built(ctx, in.Ahead.wait)
	}
	choice := drivers.TestChoice{Broken: broken, Match: in.only, New: in.Settings.New}
	return in.built(ctx, func(ctx context.Context) (*drivers.Drivers, error) {
		tests, err := in.Drivers.ReadTests(ctx, choice)
		if err != nil {
			return nil, err
		}
		return tests.Build(ctx, false)
	})
}

// built builds drivers in the time that there is for it.
func (in Input) built(
	ctx context.Context, build func(context.Context) (*drivers.Drivers, error),
) (*drivers.Drivers, error) {
	return limited(ctx, in.Settings.Building, build)
}

// ErrBuilding is the error for drivers that were not built in the time for it.
var ErrBuilding = errors.New("building them takes too long; a --timeout of more than 5m leaves time for it")

// limited does a part of building drivers within a time.
func limited[T any](ctx context.Context, time time.Duration, do func(context.Context) (T, error)) (done T, err error) {
	own, cancel := context.WithTimeout(ctx, time)
	defer cancel()
	if done, err = do(own); err != nil && own.Err() != nil && ctx.Err() == nil {
		err = ErrBuilding
	}
	return done, err
}

// mostBroken is the number of packages that are left out before the tests are given up.
const mostBroken = 8

// runTests runs the tests of the drivers, and selects those that run code which the change may touch. It varies these:
// a variant has other values in the place of literals, and is selected as other sequences are. There is a result for
// each kind of players that some tests fit. Tests that are known not to run such code do not run.
func (in Input) runTests(ctx context.Context) ([]*Generated, error) {
	all := Own(in.Settings.Shard, in.Drivers.Tests())
	in.memory = in.remember()
	tests := in.memory.unknown(all)
	if n := len(all) - len(tests); n > 0 {
		in.Drivers.Tools.Workers.Detailf("%d of %d tests are known not to run what the change may touch", n, len(all))
	}
	defer in.keep()
	left := map[string]bool{}
	for _, t := range tests {
		left[named(t)] = true
	}
	known := slices.DeleteFunc(slices.Clone(all), func(t suite.Test) bool { return left[named(t)] })
	return in.runAll(ctx, tests, known)
}

// A testRun runs tests with players of one kind.
type testRun struct {
	Input
	players    *replay.Players
	mayPoll    bool          // tests may use sockets and pipes
	mayStartGo bool          // and start the go command
	failed     []*testRun    // in which tests failed that are run once more, to see whether they get further
	varying    time.Duration // how long they were varied
	takes      func(suite.Test) bool
	before     []*testRun      // with other players, that some tests, or subtests of them, did not fit
	divided    map[string]bool // tests that ran by subtests
	aimless    bool            // no test, with players of any kind, runs code that the change may touch

	// What ran as it is: the tests, subtests of these that ran alone, and what is known of both; for how long.
	tests, parts []suite.Test
	whole        []selection.Sequence
	elapsed      time.Duration
	late         bool // time was over at the end

	mu      sync.Mutex
	burst   map[string]bool  // tests that don't work in time bubbles, by nameOf
	polls   map[string]bool  // tests that use sockets or pipes, unless they may, likewise
	missing map[string]bool  // tests that start the go command, unless they may, likewise
	fails   map[string]bool  // tests that fail on both versions, likewise
	early   map[string]Early // by the text of the call: tests that do not run to their end, empty for others
	ends    map[string]ends  // by the text of the call
}

// run runs further tests, and varies all that ran.
func (r *testRun) run(ctx context.Context, further []suite.Test) (*Generated, error) {
	if err := r.asTheyAre(ctx, further); err != nil {
		return nil, err
	}
	g := r.generated()
	g.Reaching = reachingTests(g.Selected)
	if r.commands() {
		g.Reaching = len(g.Selected)
	}
	g.Tried = len(r.tests) - len(r.burst) - len(r.polls) - len(r.missing)
	r.Drivers.Tools.Workers.Detailf("%d tests, %d of them run code that the change may touch", g.Tried, g.Reaching)
	elapsed := replay.Stopwatch()
	if err := r.varied(ctx, g, slices.Concat(r.tests, r.parts)); err != nil {
		return nil, err
	}
	g.Elapsed = r.elapsed + elapsed()
	return g, nil
}

// generated selects from what ran.
func (r *testRun) generated() *Generated {
	g := &Generated{Players: r.players, Outside: r.mayPoll, Early: r.endedEarly(r.parts, r.tests)}
	whole := slices.Clone(r.whole)
	if len(r.failed) > 0 {
		g.Early = slices.DeleteFunc(g.Early, func(e Early) bool { return !r.further(e.call) })
		whole = slices.DeleteFunc(whole, func(q selection.Sequence) bool { return !r.further(q.Sequence.String()) })
	}
	g.Selected = r.concerned(whole)
	if r.Settings.New { // they say what new intends where they tell the versions apart
		g.Selected = slices.DeleteFunc(g.Selected, func(q selection.Sequence) bool { return q.Difference == "" })
	}
	return g
}

// reachingTests counts the tests in a list of them and of their subtests.
func reachingTests(list []selection.Sequence) int {
	names := map[string]bool{}
	for _, q := range list {
		names[q.Statements[0].Op] = true
	}
	return len(names)
}

// splitAbove is the number of steps from which subtests are sequences of their own.
const splitAbove = 20_000

// asTheyAre runs tests with the values that they have in their source. Of those that take long or do not end, it runs
// each subtest alone.
func (r *testRun) asTheyAre(ctx context.Context, tests []suite.Test) (err error) {
	if len(tests) == 0 {
		return nil
	}
	elapsed := replay.Stopwatch()
	r.Drivers.Tools.Workers.Report("running tests", 0, 0)
	var whole []selection.Sequence
	long, least := tests, 1
	if !r.only.Split() {
		undivided, divided := r.dividedBefore(tests)
		if whole, err = r.try(ctx, undivided); err != nil {
			return err
		}
		r.learn(whole)
		long, least = append(r.long(whole, undivided), divided...), 2
	}
	parts, err := r.split(ctx, long, least)
	if err != nil {
		return err
	}
	ran := map[string]bool{}
	parts = slices.DeleteFunc(r.only.Parts(parts), func(t suite.Test) bool {
		before := r.ranBefore(t)
		ran[t.Name] = ran[t.Name] || before
		return before
	})
	alone, err := r.try(ctx, parts)
	if err != nil {
		return err
	}
	whole = append(r.undivided(whole, alone, parts, ran), alone...)
	r.noteFailing(whole)
	r.tests, r.parts, r.whole = append(r.tests, tests...), append(r.parts, parts...), append(r.whole, whole...)
	r.elapsed += elapsed()
	r.late = r.late || r.Drivers.Tools.Workers.Over()
	return nil
}

// undivided returns the tests that ran whole and stay so: all but those whose parts ran alone, with these players or
// with others before. Of a test of which a part did not run, because time was over say, the whole shows more.
func (r *testRun) undivided(
	whole, alone []selection.Sequence, parts []suite.Test, ran map[string]bool,
) []selection.Sequence {
	missing := map[string]bool{}
	for _, t := range parts {
		if _, did := r.early[single(t.Call()).String()]; !did {
			missing[t.Name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(whole), func(q selection.Sequence) bool {
		replaced := ran[q.Statements[0].Op] ||
			slices.ContainsFunc(alone, func(part selection.Sequence) bool { return sameTest(part, q) })
		return replaced && !missing[q.Statements[0].Op]
	})
}

// dividedBefore separates the tests that ran by subtests with other players: run whole, they take as long as before.
func (r *testRun) dividedBefore(tests []suite.Test) (undivided, divided []suite.Test) {
	for _, t := range tests {
		if slices.ContainsFunc(r.before, func(other *testRun) bool { return other.divided[t.Name] }) {
			divided = append(divided, t)
		} else {
			undivided = append(undivided, t)
		}
	}
	return undivided, divided
}

// ranBefore reports whether a subtest was run to where it ends with other players.
func (r *testRun) ranBefore(t suite.Test) bool {
	q := single(t.Call()).String()
	return slices.ContainsFunc(r.before, func(other *testRun) bool {
		end, ran := other.early[q]
		return ran && !end.Lost && (end.Why == "" || !slices.Contains(r.failed, other))
	})
}

func sameTest(x, y selection.Sequence) bool { return x.Statements[0].Op == y.Statements[0].Op }

// try runs tests once, and returns what is known of those that could be run.
func (r *testRun) try(ctx context.Context, tests []suite.Test) ([]selection.Sequence, error) {
	if len(tests) == 0 {
		return nil, nil
	}
	with := r.tryoutOfTests()
	with.Players = r.memory.watching(with.Players)
	tryout := NewTryout(with)
	var kept []generate.Kept
	for _, list := range r.inOrder(tests) {
		some, err := tryout.Keep(ctx, calls(list, (*suite.Test).Call))
		if err != nil {
			return nil, err
		}
		kept = append(kept, some...)
	}
	r.skipped(tryout, tests)
	return tryout.Select(kept), nil
}

// inOrder divides tests as they run one after the other. Command lines stay together.
func (in Input) inOrder(tests []suite.Test) [][]suite.Test {
	if in.commands() {
		return [][]suite.Test{tests}
	}
	return in.likeness().likelyFirst(tests)
}

// long returns the tests that take long, have more to vary than is varied of one, or did not end. Command lines, which
// have no parts, are none.
func (r *testRun) long(ran []selection.Sequence, tests []suite.Test) []suite.Test {
	return slices.DeleteFunc(slices.Clone(tests), func(t suite.Test) bool {
		if t.Line != "" {
			return true
		}
		i := slices.IndexFunc(ran, func(q selection.Sequence) bool { return q.Statements[0].Op == t.Name })
		return i < 0 || !ran[i].Hung && !r.early[single(t.Call()).String()].cut &&
			(ran[i].Steps <= splitAbove && !(t.Cut && r.Settings.Vary) || !r.concerns(ran[i]))
	})
}

func (r *testRun) tryoutOfTests() TryoutInput {
	in := r.tryout(r.players)
	in.Expired, in.Limits, in.Unfit = r.Drivers.Tools.Workers.Over, r.players.Limits(), r.unfitAsItIs
	in.Uneven = true
	in.Steps, in.Most = math.MaxInt64, math.MaxInt // time alone ends recording them
	return in
}

func calls(tests []suite.Test, call func(*suite.Test) sequence.Statement) (all []sequence.Sequence) {
	for i := range tests {
		all = append(all, single(call(&tests[i])))
	}
	return all
}

// split returns the subtests of tests that have at least so many.
func (r *testRun) split(ctx context.Context, tests []suite.Test, least int) (parts []suite.Test, err error) {
	if len(tests) == 0 {
		return nil, nil
	}
	printed, err := NewTryout(r.tryoutOfTests()).Printed(ctx, spectra.Old, calls(tests, (*suite.Test).List))
	for i, text := range printed {
		if of := tests[i].Listed(text); len(of) >= least {
			parts = append(parts, of...)
			r.divided = noted(r.divided, tests[i].Name)
		}
	}
	r.Drivers.Tools.Workers.Detailf("%d tests are split into %d subtests", len(tests), len(parts))
	return parts, err
}

// unfit reports whether a run of a test, or of a variant of one, is none for this run.
func (r *testRun) unfit(_ spectra.Side, _ sequence.Sequence, played *replay.Played) bool {
	return r.bursts(played) || r.polling(played)
}

func (r *testRun) bursts(played *replay.Played) bool {
	return played.Spectrum.Burst && r.players.Bubbles()
}

func (r *testRun) polling(played *replay.Played) bool { return played.Spectrum.Outside && !r.mayPoll }

func noted(set map[string]bool, name string) map[string]bool {
	if set == nil {
		set = map[string]bool{}
	}
	set[name] = true
	return set
}

// concerns reports whether a sequence runs code which the change may touch.
func (in Input) concerns(q selection.Sequence) bool { return q.Reaches || !in.Drivers.Touched.Known }

// concerned returns the sequences that run code which the change may touch, and end on old: those that run changed code
// first, and of these the short ones.
func (in Input) concerned(list []selection.Sequence) []selection.Sequence {
	list = slices.DeleteFunc(slices.Clone(list), func(q selection.Sequence) bool { return q.Hung || !in.concerns(q) })
	slices.SortStableFunc(list, func(x, y selection.Sequence) int {
		switch {
		case x.Changed == y.Changed:
			return cmp.Compare(x.Steps, y.Steps)
		case x.Changed:
			return -1
		}
		return 1
	})
	return list
}
