package pipeline

// This file resolves the two revisions, writes their trees and finds what changed.

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/spectradiff/spectradiff/replay/version"
	"github.com/spectradiff/spectradiff/report"
)

func (r *run) versions(ctx context.Context) error {
	if err := r.folders(); err != nil {
		return err
	}
	dir := r.cfg.Dir
	if dir == "" {
		dir = "."
	}
	repo, err := version.Open(dir)
	if err != nil {
		return err
	}
	chosen, patterns, err := repo.ParseRange(r.cfg.Args)
	if err != nil {
		return err
	}
	r.cfg.Args = patterns
	r.warn(chosen.Warnings...)
	r.old = &side{name: "old", commit: chosen.Old}
	r.new = &side{name: "new", commit: chosen.New}
	r.report.Old = report.Revision{Revision: chosen.Old.Revision, Commit: chosen.Old.Hash}
	r.report.New = report.Revision{Revision: chosen.New.Revision, Commit: chosen.New.Hash}
	if err := r.trees(ctx, repo); err != nil {
		return err
	}
	sub, err := below(repo.Root, dir)
	if err != nil {
		return err
	}
	if err := r.modules(sub); err != nil {
		return err
	}
	if r.changes, err = version.Diff(r.old.module, r.new.module); err != nil {
		return err
	}
	for _, problem := range r.changes.Problems {
		r.warn(problem)
	}
	for _, f := range r.changes.Functions() {
		r.report.Subject.ChangedFunctions = append(r.report.Subject.ChangedFunctions, string(f.Symbol))
	}
	return nil
}

// trees writes both versions' files, at the same time.
func (r *run) trees(ctx context.Context, repo *version.Repository) error {
	r.progress("writing versions", 0, 0)
	g, ctx := errgroup.WithContext(ctx)
	for _, s := range []*side{r.old, r.new} {
		g.Go(func() (err error) {
			s.tree, err = repo.Materialise(ctx, s.commit, r.cache)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	r.warn(r.old.tree.Warnings...)
	r.warn(r.new.tree.Warnings...)
	return nil
}

// modules finds the module in both trees. A version without a go.mod takes the other one's path.
func (r *run) modules(sub string) (err error) {
	for _, s := range []*side{r.new, r.old} {
		if s.module, err = version.FindModule(s.tree, sub, ""); err != nil {
			return fmt.Errorf("%s version: %w", s.name, err)
		}
	}
	from, to := r.new, r.old
	if from.module.Made && !to.module.Made {
		from, to = to, from
	}
	if to.module.Made && to.module.Path != from.module.Path {
		if to.module, err = version.FindModule(to.tree, sub, from.module.Path); err != nil {
			return fmt.Errorf("%s version: %w", to.name, err)
		}
	}
	r.warn(r.old.module.Warnings...)
	r.warn(r.new.module.Warnings...)
	r.report.Subject.Module = r.new.module.Path
	return nil
}

// below gives the path from the repository's root to a folder in it.
func below(root, dir string) (string, error) {
	full, err := filepath.Abs(dir)
	if err == nil {
		full, err = filepath.EvalSymlinks(full)
	}
	if err != nil {
		return "", fmt.Errorf("folder %s: %w", dir, err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return "", fmt.Errorf("repository root: %w", err)
	}
	sub, err := filepath.Rel(root, full)
	if err != nil || strings.HasPrefix(sub, "..") {
		return "", fmt.Errorf("folder %s is not in the repository at %s", dir, root)
	}
	return filepath.ToSlash(sub), nil
}

// nothingToRun says whether no built code differs, so that no run could.
func (r *run) nothingToRun() bool {
	if r.cfg.All {
		return false
	}
	switch {
	case r.changes.Empty():
		r.log("the two versions have the same files")
	case r.changes.TestOnly():
		r.log("only tests, comments and files that are not built differ")
	default:
		return false
	}
	return true
}
