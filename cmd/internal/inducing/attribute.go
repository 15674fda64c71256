package inducing

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/diff/bisect"
	"github.com/spectradiff/spectradiff/internal/replay/history"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// An origin is where what a root shows becomes another value.
type origin struct {
	root          int // index in the report
	commits       []repository.Step
	pull          int // the pull request that they came with; 0: it is not known
	before, after string
	at            pipeline.Ask      // what was asked
	from, to      repository.Commit // the versions that showed before and after
	above         string            // hash of the version before the first of the commits
	unread        string            // why it was not looked into what a merge took in; "": it was
}

// attribute finds the commits of all roots of a report, module by module, and writes them into it.
func (r *run) attribute(ctx context.Context, into *report.Report, asks []pipeline.Ask) error {
	searching, stop := r.ended(ctx)
	defer stop()
	costs := pipeline.Measure(stage)
	defer r.early.close()
	found := &report.Commits{FirstParent: r.FirstParent}
	r.searched(r.way, nil)
	var origins []origin
	for _, part := range byModule(asks) {
		origins = append(origins, r.module(searching, into, part, found)...)
		if ctx.Err() != nil {
			costs()
			return ctx.Err()
		}
	}
	if errors.Is(context.Cause(searching), errEnd) {
		into.Partial = into.Partial.And(r.partial(), "")
	}
	into.Stages = append(into.Stages, costs()...)
	into.Workers = into.Workers.Add(pipeline.Workers(r.crew.Account()))
	return r.write(into, found, origins)
}

// byModule divides asks by their modules, in their order.
func byModule(asks []pipeline.Ask) (parts [][]pipeline.Ask) {
	for _, a := range asks {
		i := slices.IndexFunc(parts, func(p []pipeline.Ask) bool { return p[0].Module.Folder == a.Module.Folder })
		if i < 0 {
			i, parts = len(parts), append(parts, nil)
		}
		parts[i] = append(parts[i], a)
	}
	return parts
}

// module finds the commits of the roots of one module. What can't be searched to the end takes nothing from what is
// known: the report says of which roots no commit is found, and why.
func (r *run) module(
	ctx context.Context, of *report.Report, all []pipeline.Ask, found *report.Commits,
) []origin {
	var asks []pipeline.Ask
	var roots []int
	for _, a := range all {
		i := slices.IndexFunc(of.Roots, func(root report.Root) bool { return root.Fingerprint == a.Root })
		switch {
		case i < 0: // it is shown as part of another one
		case a.Reason != "":
			found.Unasked = append(found.Unasked, report.Unasked{Root: i + 1, Reason: a.Reason})
		default:
			asks, roots = append(asks, a), append(roots, i)
		}
	}
	l := &line{run: r, by: r, way: r.way, asks: asks, roots: roots}
	origins, err := l.find(ctx, found)
	if err != nil && ctx.Err() == nil {
		of.Warnings = append(of.Warnings, fmt.Sprintf("the commits were not searched to the end: %v", err))
		for _, root := range l.roots {
			if !slices.ContainsFunc(origins, func(o origin) bool { return o.root == root }) {
				found.Unasked = append(found.Unasked, report.Unasked{Root: root + 1, Reason: err.Error()})
			}
		}
	}
	return origins
}

// find finds the commits of what a line asks. With an error it returns those that are known all the same.
func (l *line) find(ctx context.Context, found *report.Commits) ([]origin, error) {
	if len(l.asks) == 0 {
		return nil, nil
	}
	known, err := l.by.history(ctx, l.way, l.asks)
	if err != nil {
		return nil, err
	}
	shown, err := l.shownAtEnd(ctx, found)
	if err != nil {
		return nil, err
	}
	l.asks, l.roots = pick(l.asks, shown), pick(l.roots, shown)
	known.Weights, known.Touch = pick(known.Weights, shown), pick(known.Touch, shown)
	return l.search(ctx, known, l.ends())
}

// shownAtEnd asks the last version, and returns which of the asks show there what they showed before. If the search was
// ended, that is not known, and it returns all of them.
func (l *line) shownAtEnd(ctx context.Context, found *report.Commits) (shown []int, err error) {
	l.expected = bisect.Halving(len(l.way.Steps)) + 1
	answers, err := l.by.answers(ctx, l.way.Steps[len(l.way.Steps)-1].Commit, l.asks)
	if errors.Is(context.Cause(ctx), errEnd) {
		return upTo(len(l.asks)), nil
	}
	if err != nil {
		return nil, err
	}
	for i, a := range answers {
		reason := ""
		switch {
		case a.Untestable != "":
			reason = "played once more, it can't be told: " + a.Untestable
		case a.Value == l.asks[i].Old:
			reason = "played once more, it shows no difference"
		default:
			l.asks[i].New = a.Value // may be longer, or shorter, than what was recorded among others
			shown = append(shown, i)
			continue
		}
		found.Unasked = append(found.Unasked, report.Unasked{Root: l.roots[i] + 1, Reason: reason})
	}
	return shown, nil
}

// ends returns what the asks show at both ends of the way.
func (l *line) ends() (list []bisect.Thing) {
	for _, a := range l.asks {
		list = append(list, bisect.Thing{Old: bisect.Answer{Value: a.Old}, New: bisect.Answer{Value: a.New}})
	}
	return list
}

// history returns what is known of the commits before any is built.
func (r *run) history(ctx context.Context, way *repository.Way, asks []pipeline.Ask) (*history.Known, error) {
	findings := make([]history.Finding, len(asks))
	for i, a := range asks {
		for _, p := range a.Places {
			findings[i].Places = append(findings[i].Places, history.Place{
				File: p.File, Function: inSource(p.Symbol), First: p.First, Last: p.Last,
			})
			findings[i].Folders = append(findings[i].Folders, path.Dir(p.File))
		}
	}
	ground, err := r.groundOf(ctx)
	if err != nil {
		return nil, err
	}
	return history.Of(ctx, r.repo, way, ground.counts(asks[0].Module), findings)
}

// inSource returns how a function is called where it is declared: F, T.M, (*T).M.
func inSource(s spectra.Symbol) string {
	return strings.TrimPrefix(strings.TrimPrefix(string(s), s.Package()), ".")
}

// mostTold is how many commits that touch the function of a root are asked in any case, the last ones: each may take
// two builds.
const mostTold = 4

// search finds the flips of a line whose ends are known, and looks into the merges among them. With an error it returns
// what is known all the same.
func (l *line) search(ctx context.Context, known *history.Known, ends []bisect.Thing) (list []origin, err error) {
	same := known.Same
	if len(ends) > 0 && len(same) > 1 && !slices.Contains(same[1:], false) {
		same = make([]bool, len(same)) // what they show differs, so something counts that is not known to
	}
	if l.searched(l.way, same); len(ends) == 0 {
		return nil, nil
	}
	for i := range ends {
		touch := known.Touch[i]
		ends[i].Weights, ends[i].Tell = known.Weights[i], touch[max(0, len(touch)-mostTold):]
	}
	before := len(l.built)
	found, err := bisect.Find(ctx, bisect.Input{
		Versions: len(l.way.Steps), Same: same, Things: ends, Ask: l.ask,
		Report: func(_, expected int) { l.expected = before + expected },
		Ahead: func(version int, likely iter.Seq[int]) {
			l.early.want(ctx, l.way.Steps[version].Commit, func(yield func(repository.Commit) bool) {
				for version := range likely {
					if !yield(l.way.Steps[version].Commit) {
						return
					}
				}
			}, l.asks)
		},
	})
	for i, flips := range found.Flips {
		for _, f := range flips {
			list = append(list, l.origin(i, f, same))
		}
	}
	if err != nil {
		return list, fmt.Errorf("ask the commits: %w", err)
	}
	return l.intoMerges(ctx, list)
}

// askedOf returns which version was asked of those that are the same as one and follow it: the end of the line, or else
// the first of them.
func (l *line) askedOf(first int, same []bool) int {
	if last := len(same) - 1; !slices.Contains(same[first+1:], false) {
		return last
	}
	return first
}

// origin returns the commits between which a flip lies, without those that change nothing that counts.
func (l *line) origin(thing int, f bisect.Flip, same []bool) origin {
	first := f.From // of the versions that are the same, the one that was asked
	for first > 0 && same[first] {
		first--
	}
	o := origin{
		root: l.roots[thing], before: f.Before, after: f.After, pull: l.pull, at: l.asks[thing],
		from: l.way.Steps[first].Commit, to: l.way.Steps[l.askedOf(f.To, same)].Commit,
	}
	for i := f.From + 1; i <= f.To; i++ {
		if same[i] {
			continue
		}
		if len(o.commits) == 0 {
			o.above = l.way.Steps[i-1].Commit.Hash
		}
		o.commits = append(o.commits, l.way.Steps[i])
	}
	return o
}
