package inducing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/history"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/report"
)

// write writes what was found into the report.
func (r *run) write(into *report.Report, found *report.Commits, origins []origin) error {
	found.Count, found.Distinct = len(r.among), holding(r.among)
	found.Asked, found.Untestable = r.asked(), r.untestable
	found.Remembered = len(r.built) - found.Asked
	slices.SortStableFunc(origins, func(x, y origin) int { return cmp.Compare(x.root, y.root) })
	for _, o := range origins {
		if o.unread != "" {
			into.Warnings = append(into.Warnings,
				fmt.Sprintf("what %.12s took in was not looked into: %s", hashOf(o.commits[0]), o.unread))
		}
		in := report.Introduction{
			Function: string(o.at.Function), Path: o.at.Path, Before: o.before, After: o.after,
		}
		for _, s := range o.commits {
			in.Among = append(in.Among, hashOf(s))
		}
		if len(o.commits) == 1 {
			in.Commit, in.Among = in.Among[0], nil
			addCommit(found, commitOf(o.commits[0], o.pull))
		}
		root := &into.Roots[o.root]
		root.Introduced = append(root.Introduced, in)
	}
	into.Commits = found
	return into.Finish(report.FailOn(r.Config.FailOn))
}

// addCommit adds a commit to those that brought in roots, once.
func addCommit(to *report.Commits, c report.Commit) {
	if !slices.ContainsFunc(to.List, func(known report.Commit) bool { return known.Hash == c.Hash }) {
		to.List = append(to.List, c)
	}
}

// hashOf returns the commit that a step makes, or takes back.
func hashOf(s repository.Step) string {
	if s.Commit.Worktree {
		return report.Worktree
	}
	return s.By.Hash
}

// commitOf returns what a report says of the commit of a step that came with a pull request.
func commitOf(s repository.Step, pull int) report.Commit {
	subject := strings.TrimSpace(s.By.Subject)
	c := report.Commit{
		Hash: hashOf(s), Subject: subject, Author: s.By.Author, Lacking: s.Lacking,
		PullRequest: cmp.Or(history.PullRequest(s.By.Message), pull),
		Purpose:     history.PurposeOf(subject),
	}
	if !s.By.Date.IsZero() {
		c.Date = s.By.Date.Format(time.RFC3339)
	}
	return c
}
