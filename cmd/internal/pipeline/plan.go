package pipeline

// This file makes the plan: it resolves the two revisions, writes their trees and finds what changed.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/diff/match"
	"github.com/spectradiff/spectradiff/diff/source"
	"github.com/spectradiff/spectradiff/replay/api"
	"github.com/spectradiff/spectradiff/replay/load"
	"github.com/spectradiff/spectradiff/replay/module"
	"github.com/spectradiff/spectradiff/replay/outside"
	"github.com/spectradiff/spectradiff/replay/repository"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/static"
)

// A plan is what is known before anything is instrumented.
type plan struct {
	sides    spectra.Pair[side]
	patterns []string // which packages the user asked for
	allowed  *outside.Allowed
	changes  *source.Changes
	sandbox  string // the layers that confine, "" where the flow ended before
	// recorded lists the packages whose functions are recorded, by their paths in old, or in new where
	// only new has them. driven are those of them that both versions have.
	recorded, driven []string
	common           *match.Match            // nil where the flow ended before
	callable         *api.Surface            // what sequences can call and name, likewise
	reaching         map[spectra.Symbol]bool // functions that can reach changed code, by their names in old; likewise
	warnings         []string
}

// A side is what the plan knows of one version.
type side struct {
	commit repository.Commit
	tree   *repository.Tree
	module module.Module
	within *outside.Checked // the module, and what its build may read
	target *load.Version    // nil where the flow ended before

	program *static.Program // of target's packages
}

// makePlan finds out what there is to compare.
func makePlan(ctx context.Context, t *task) (*plan, error) {
	// Before anything is read, so that a machine which can't confine is refused at once.
	layers, err := t.env.Confine(ctx)
	if err != nil {
		return nil, err
	}
	p, err := findVersions(ctx, t)
	if err != nil {
		return nil, err
	}
	if reason := p.unchanged(); reason != "" && !t.cfg.All {
		t.env.Logf("%s", reason)
		return p, errOver
	}
	p.sandbox = layers.String()
	p.warn(append(layers.Missing(), layers.Weak()...)...)
	if t.env.Go.WithoutC() {
		p.warn("files can't be confined here, so cgo is off: set CGO_ENABLED=1 if you trust both versions")
	}
	return p, p.findSurface(ctx, t)
}

func (p *plan) warn(texts ...string) { p.warnings = append(p.warnings, texts...) }

// findVersions resolves the revisions, and finds their modules and what differs between them.
func findVersions(ctx context.Context, t *task) (*plan, error) {
	dir := t.cfg.Dir
	if dir == "" {
		dir = "."
	}
	repo, err := repository.Open(dir)
	if err != nil {
		return nil, err
	}
	chosen, patterns, err := repo.ParseRange(t.cfg.Args, module.PathAbove(repo.Root, repo.Sub))
	if err != nil {
		return nil, err
	}
	p := &plan{patterns: patterns, warnings: slices.Clone(chosen.Warnings)}
	p.sides.Old.commit, p.sides.New.commit = chosen.Old, chosen.New
	if err := p.writeTrees(ctx, t, repo); err != nil {
		return nil, err
	}
	sub, err := below(repo.Root, dir)
	if err != nil {
		return nil, err
	}
	if err := p.findModules(sub); err != nil {
		return nil, err
	}
	if err := p.keepInside(ctx, t, repo.Root); err != nil {
		return nil, err
	}
	tags, err := t.env.Go.Tags()
	if err != nil {
		return nil, err
	}
	p.changes, err = source.Diff(spectra.MakePair(func(s spectra.Side) source.Module {
		m := p.sides.Of(s).module
		return source.Module{Dir: m.Dir, Path: m.Path, Tree: m.Tree}
	}), tags...)
	if err != nil {
		return nil, err
	}
	for _, problem := range p.changes.Problems {
		p.warn(problem.String())
	}
	return p, nil
}

// writeTrees writes both versions' files, at the same time.
func (p *plan) writeTrees(ctx context.Context, t *task, repo *repository.Repository) error {
	t.env.Report("writing versions", 0, 0)
	trees, err := env.Both(ctx, func(ctx context.Context, s spectra.Side) (*repository.Tree, error) {
		return repo.Materialise(ctx, p.sides.Of(s).commit, t.env.Store)
	})
	if err != nil {
		return err
	}
	trees.Each(func(s spectra.Side, tree *repository.Tree) {
		p.sides.Of(s).tree = tree
		p.warn(tree.Warnings...)
	})
	return nil
}

// findModules finds the module in both trees. A version without a go.mod takes the other one's path.
func (p *plan) findModules(sub string) error {
	for _, s := range []spectra.Side{spectra.New, spectra.Old} {
		if err := p.findModule(s, sub, ""); err != nil {
			return err
		}
	}
	from, to := spectra.New, spectra.Old
	if p.sides.New.module.Made && !p.sides.Old.module.Made {
		from, to = to, from
	}
	hint, made := p.sides.Of(from).module.Path, p.sides.Of(to).module
	if made.Made && made.Path != hint {
		if err := p.findModule(to, sub, hint); err != nil {
			return err
		}
	}
	p.sides.Each(func(_ spectra.Side, s side) { p.warn(s.module.Warnings...) })
	return nil
}

func (p *plan) findModule(s spectra.Side, sub, hint string) (err error) {
	of := p.sides.Of(s)
	if of.module, err = module.Find(of.tree, sub, hint); err != nil {
		return fmt.Errorf("%s version: %w", s, err)
	}
	return nil
}

// keepInside refuses what leads out of a version's tree, unless the user allowed it.
func (p *plan) keepInside(ctx context.Context, t *task, root string) (err error) {
	if p.allowed, err = outside.Allow(ctx, t.cfg.Outside, t.env.Store); err != nil {
		return err
	}
	for _, s := range spectra.Sides() {
		of := p.sides.Of(s)
		if work := os.Getenv("GOWORK"); work != "" && work != "auto" {
			of.module.Workspace = "" // another one than the version's, or none
		}
		if of.within, err = p.allowed.Check(of.module, root, p.patterns); err != nil {
			return p.failed(s, err)
		}
		of.module = of.within.Module
	}
	for _, folder := range t.cfg.Outside {
		p.warn(folder + " lies outside of the repository: both versions were built with what it held at the start")
	}
	return nil
}

// below returns the path from the repository's root to a folder in it.
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

// unchanged returns why no run could show a difference: no built code differs. "" means that one could.
func (p *plan) unchanged() string {
	switch {
	case p.changes.Empty():
		return "the two versions have the same files"
	case p.changes.TestOnly():
		return "only tests, comments and files that are not built differ"
	}
	return ""
}
