package inducing

import (
	"cmp"
	"context"
	"slices"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/diff/bisect"
	"github.com/spectradiff/spectradiff/internal/replay/history"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

// A merge is a step of a line that takes in others.
type merge struct {
	repository.Step
	own int // the parent through which the line goes, counted from 1
}

// intoMerges replaces the merges among origins by the commits that they took in, where one of these shows the same.
// What the line does not go through was taken in: the first parent, too, where a branch merged main.
func (l *line) intoMerges(ctx context.Context, list []origin) ([]origin, error) {
	if l.FirstParent {
		return list, nil
	}
	for _, m := range mergesOf(list) {
		for parent := 1; parent <= len(m.Parents); parent++ {
			if parent == m.own {
				continue
			}
			more, err := l.into(ctx, list, m, parent)
			if ctx.Err() != nil {
				return more, err
			}
			if err != nil {
				unread(more, m, err.Error())
			}
			list = more
		}
	}
	return list, nil
}

// mergesOf returns the merges that brought in something, each once.
func mergesOf(list []origin) (merges []merge) {
	for _, o := range list {
		if m, ok := o.merge(); ok && !slices.ContainsFunc(merges, func(of merge) bool { return o.is(of) }) {
			merges = append(merges, m)
		}
	}
	return merges
}

// merge returns the merge that an origin is, false if it is none.
func (o origin) merge() (merge, bool) {
	if len(o.commits) != 1 || o.commits[0].Lacking || len(o.commits[0].Parents) < 2 {
		return merge{}, false
	}
	own := slices.Index(o.commits[0].Parents, o.above)
	return merge{Step: o.commits[0], own: own + 1}, own >= 0
}

// is reports whether an origin is a certain merge.
func (o origin) is(m merge) bool {
	is, ok := o.merge()
	return ok && is.By.Hash == m.By.Hash
}

// unread notes why what a merge took in was not looked into.
func unread(list []origin, m merge, reason string) {
	for i := range list {
		if list[i].is(m) {
			list[i].unread = reason
		}
	}
}

// into searches the branch that a merge took in as one of its parents. What its last commit shows as the merge does,
// and its first does not, comes from one of its commits. Origins of which that is not found stay as they are.
func (l *line) into(ctx context.Context, list []origin, m merge, parent int) ([]origin, error) {
	way, err := l.repo.Into(m.By.Hash, parent, m.own)
	if err != nil {
		return list, err
	}
	branch, of := &line{run: l.run, by: l.by, way: way, pull: l.pull}, []int{}
	if parent > 1 {
		branch.pull = cmp.Or(history.PullRequest(m.By.Message), l.pull)
	}
	for i, o := range list {
		if o.is(m) {
			of, branch.roots, branch.asks = append(of, i), append(branch.roots, o.root), append(branch.asks, o.at)
		}
	}
	if len(of) == 0 || len(way.Steps) < 2 {
		return list, nil
	}
	ends, taken, err := branch.brought(ctx, list, of)
	if err != nil || len(taken) == 0 {
		return list, err
	}
	known, err := branch.by.history(ctx, way, branch.asks)
	if err != nil {
		return list, err
	}
	found, err := branch.search(ctx, known, ends)
	if err != nil {
		return list, err
	}
	var kept []origin
	for i, o := range list {
		if !slices.Contains(taken, i) {
			kept = append(kept, o)
		}
	}
	return append(kept, found...), nil
}

// brought asks both ends of a branch, and keeps the asks whose value it brought. It returns what they show there, and
// which of the origins they are.
func (l *line) brought(
	ctx context.Context, list []origin, of []int,
) (ends []bisect.Thing, taken []int, err error) {
	first, err := l.by.answers(ctx, l.way.Steps[0].Commit, l.asks)
	if err != nil {
		return nil, nil, err
	}
	last, err := l.by.answers(ctx, l.way.Steps[len(l.way.Steps)-1].Commit, l.asks)
	if err != nil {
		return nil, nil, err
	}
	var asks []pipeline.Ask
	var roots []int
	for n, i := range of {
		before, after, reason := first[n], last[n], cmp.Or(first[n].Untestable, last[n].Untestable)
		switch {
		case after.Untestable == "" && after.Value != list[i].after,
			before.Untestable == "" && before.Value == list[i].after:
			continue
		case reason != "":
			list[i].unread = "an end of its branch can't be asked: " + reason
			continue
		}
		taken, asks, roots = append(taken, i), append(asks, l.asks[n]), append(roots, l.roots[n])
		ends = append(ends, bisect.Thing{
			Old: bisect.Answer{Value: before.Value}, New: bisect.Answer{Value: after.Value},
		})
	}
	l.asks, l.roots = asks, roots
	return ends, taken, nil
}
