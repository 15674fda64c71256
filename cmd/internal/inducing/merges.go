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

// intoMerges replaces the merges among origins by the commits that they took in, where one of these shows the same.
func (l *line) intoMerges(ctx context.Context, list []origin) ([]origin, error) {
	if l.FirstParent {
		return list, nil
	}
	for _, merge := range mergesOf(list) {
		for parent := 2; parent <= len(merge.Parents); parent++ {
			var err error
			if list, err = l.into(ctx, list, merge, parent); err != nil || ctx.Err() != nil {
				return list, err
			}
		}
	}
	return list, nil
}

// mergesOf returns the merges that brought in something, each once.
func mergesOf(list []origin) (merges []repository.Step) {
	for _, o := range list {
		if s, ok := o.merge(); ok && !slices.ContainsFunc(merges, func(m repository.Step) bool {
			return m.By.Hash == s.By.Hash
		}) {
			merges = append(merges, s)
		}
	}
	return merges
}

// merge returns the merge that an origin is, false if it is none.
func (o origin) merge() (repository.Step, bool) {
	if len(o.commits) != 1 || o.commits[0].Lacking || len(o.commits[0].Parents) < 2 {
		return repository.Step{}, false
	}
	return o.commits[0], true
}

// into searches the branch that a merge took in as one of its parents. What its last commit shows as the merge does,
// and its first does not, comes from one of its commits.
func (l *line) into(
	ctx context.Context, list []origin, merge repository.Step, parent int,
) ([]origin, error) {
	way, err := l.repo.Into(merge.By.Hash, parent)
	if err != nil {
		l.detailf("what %.12s took in is not looked into: %v", merge.By.Hash, err)
		return list, nil
	}
	branch, of := &line{run: l.run, by: l.by, way: way}, []int{}
	branch.pull = cmp.Or(history.PullRequest(merge.By.Message), l.pull)
	for i, o := range list {
		if s, ok := o.merge(); ok && s.By.Hash == merge.By.Hash {
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
		before, after := first[n], last[n]
		if before.Untestable != "" || after.Untestable != "" || before.Value == after.Value ||
			after.Value != list[i].after {
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
