package search

import (
	"context"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/suite"
)

// runAll runs tests, or command lines, as runTests says. What is likely to show the change has run with all kinds of
// players before others run with one, because the time may be over before. At last each kind varies what it ran. Where
// none comes to the change, those near it are varied; then those run, too, of which it is known that they do not come
// to it as they are.
func (in Input) runAll(ctx context.Context, tests, known []suite.Test) ([]*Generated, error) {
	in.pool = in.shared()
	kinds := in.kinds()
	for i, r := range kinds {
		r.before = kinds[:i]
	}
	cut, err := in.runKinds(ctx, tests, kinds)
	if err != nil {
		return nil, err
	}
	list := []*Generated{}
	var varied time.Duration
	aimless := in.Settings.Vary && !in.Settings.New && !slices.ContainsFunc(kinds, func(r *testRun) bool {
		return slices.ContainsFunc(r.whole, r.concerns)
	})
	if aimless && len(known) > 0 {
		tests = slices.Concat(tests, in.near(known))
		more, err := in.runKinds(ctx, tests, kinds)
		if err != nil {
			return nil, err
		}
		cut = cut || more
	}
	for _, r := range kinds {
		r.aimless = aimless
		r.Settings.Most = share(in.Settings.Most, varied)
		left := r.left(tests)
		if len(left)+len(r.tests) == 0 {
			continue
		}
		if r.mayStartGo && slices.ContainsFunc(left, r.missed) {
			r.getGo(ctx)
		}
		g, err := r.run(ctx, left)
		if err != nil {
			return list, err
		}
		g.Cut = cut
		for _, before := range list {
			before.Early = slices.DeleteFunc(before.Early, func(e Early) bool { return r.further(e.call) })
		}
		list, varied = append(list, g), varied+r.varying
	}
	if len(list) > 0 {
		list[len(list)-1].NotRun = notRun(kinds, tests)
	}
	return list, nil
}

// notRun counts the tests that did not run as they are with players of any kind, or only in part, because time was
// over.
func notRun(kinds []*testRun, tests []suite.Test) (n int) {
	if !slices.ContainsFunc(kinds, func(r *testRun) bool { return r.late }) {
		return 0
	}
	ends := map[string]Early{}
	parts := map[string][]suite.Test{}
	for _, r := range kinds {
		for call, end := range r.early {
			if before, ran := ends[call]; !ran || before.Lost || before.cut {
				ends[call] = end
			}
		}
		for _, t := range r.parts {
			parts[t.Name] = append(parts[t.Name], t)
		}
	}
	missing := func(t suite.Test) bool {
		_, ran := ends[single(t.Call()).String()]
		return !ran
	}
	for _, t := range tests {
		end, ran := ends[single(t.Call()).String()]
		if len(parts[t.Name]) > 0 && (!ran || end.Lost || end.cut) {
			ran = !slices.ContainsFunc(parts[t.Name], missing)
		}
		if !ran {
			n++
		}
	}
	return n
}

// near returns the tests of what changed, and of its packages.
func (in Input) near(tests []suite.Test) []suite.Test {
	like := in.likeness()
	return slices.DeleteFunc(slices.Clone(tests), func(t suite.Test) bool { return like.rank(&t) == elsewhere })
}

// runKinds runs the tests as they are, but for others that start the go command. It leaves time to vary them: a server
// has hundreds. It reports whether some were left out for that.
func (in Input) runKinds(ctx context.Context, tests []suite.Test, kinds []*testRun) (cut bool, err error) {
	workers := in.Drivers.Tools.Workers
	if in.Settings.Vary {
		defer workers.Reserve(in.Settings.Most)()
	}
	run := func(r *testRun, some []suite.Test) error { return r.asTheyAre(ctx, some) }
	if err := likelyByKinds(in.inOrder(tests), kinds, run); err != nil {
		return false, err
	}
	for _, r := range kinds {
		if r.mayStartGo {
			continue
		}
		if err := run(r, r.left(tests)); err != nil {
			return false, err
		}
	}
	return workers.Over(), nil
}

// likelyByKinds runs the tests of all ranks but the last with one kind of players after the other. Of kinds with which
// each test has a process, the most likely tests alone are worth that before others run, and of the go command, which
// has to be compiled, none is.
func likelyByKinds(ranks [][]suite.Test, kinds []*testRun, run func(*testRun, []suite.Test) error) error {
	for rank, likely := range ranks[:len(ranks)-1] {
		for _, r := range kinds {
			if r.mayStartGo || rank > 0 && r.players.Writes() {
				continue
			}
			if err := run(r, r.left(likely)); err != nil {
				return err
			}
		}
	}
	return nil
}

// left returns the tests that fit and did not run yet.
func (r *testRun) left(tests []suite.Test) []suite.Test {
	ran := map[string]bool{}
	for _, t := range r.tests {
		ran[named(t)] = true
	}
	return slices.DeleteFunc(slices.Clone(tests), func(t suite.Test) bool { return ran[named(t)] || !r.takes(t) })
}

// share returns how long tests of one kind are varied, of those that were varied for so long: at most as said, together
// one and a half times that, but each for a quarter.
func share(most, varied time.Duration) time.Duration {
	return min(most, max(most*3/2-varied, most/4))
}
