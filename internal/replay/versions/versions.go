// Package versions determines the two versions that are compared: commits, modules and source changes.
//
// Input: a folder in a repository, and the versions as the user named them. Output: the modules that the change
// touches; for each version its commit, a module in a copy of its files, and the folders that its build may read; and
// the changes between the sources.
//
// The same commits lead to the same result. The repository is only read. Trees and copies of allowed folders are
// written to the cache. Nothing is built. The network is not used, and the go command only to ask for build tags.
package versions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/replay/outside"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// A Config selects the versions.
type Config struct {
	Dir     string   // the repository, or a folder in it; "" = "."
	Args    []string // as the user gave them: OLD [NEW] [PACKAGE...] or OLD..NEW or OLD...NEW
	Outside []string // folders outside of the repository that builds may read

	// Commits are the versions, where they are resolved already. Then Args are packages. nil: they are not.
	Commits *repository.Range

	Go     *gocommand.Runner
	Store  *cache.Cache
	Report func(stage string, done, total int) // reports progress
}

// Versions are two versions of a module.
type Versions struct {
	spectra.Pair[Version]
	Patterns []string // package patterns of the user
	Allowed  *outside.Allowed
	Changes  *source.Changes
	Warnings []string

	chosen bool // the others are compared too
}

// A Version is one of the two versions.
type Version struct {
	Commit repository.Commit
	Build  *outside.Checked // the module in a copy of its tree, and the folders that its build may read
}

// Revisions returns the versions as the user named them.
func (v *Versions) Revisions() spectra.Pair[string] {
	return spectra.MakePair(func(s spectra.Side) string { return v.Of(s).Commit.Revision })
}

// A Choice are two versions of a repository, of whose modules one is to be chosen.
type Choice struct {
	cfg      Config
	repo     *repository.Repository
	commits  repository.Range
	trees    spectra.Pair[*repository.Tree]
	patterns []string
}

// Choose resolves the revisions, and writes the files of both.
func Choose(ctx context.Context, cfg Config) (*Choice, error) {
	c := &Choice{cfg: cfg}
	var err error
	if c.repo, err = repository.Open(cmp.Or(cfg.Dir, ".")); err != nil {
		return nil, err
	}
	if cfg.Commits != nil {
		c.commits, c.patterns = *cfg.Commits, cfg.Args
	} else {
		c.commits, c.patterns, err = c.repo.ParseRange(cfg.Args, module.PathAbove(c.repo.Root, c.repo.Sub))
	}
	if err != nil {
		return nil, err
	}
	cfg.Report("writing versions", 0, 0)
	commits := c.Commits()
	c.trees, err = replay.Both(ctx, func(ctx context.Context, s spectra.Side) (*repository.Tree, error) {
		return c.repo.Materialise(ctx, *commits.Of(s), cfg.Store)
	})
	return c, err
}

// Commits returns the two versions.
func (c *Choice) Commits() spectra.Pair[repository.Commit] {
	return spectra.Pair[repository.Commit]{Old: c.commits.Old, New: c.commits.New}
}

// Patterns returns the packages that the user named, as the go command takes them.
func (c *Choice) Patterns() []string { return c.patterns }

// Folder returns the folder of the repository where the user is, slash-separated; "." = its root.
func (c *Choice) Folder() string { return c.repo.Sub }

// Find finds the module of a folder of the repository in both versions, and compares its sources. Without a folder it
// is that where the user is.
func (c *Choice) Find(ctx context.Context, folder string) (*Versions, error) {
	v := &Versions{Patterns: c.patterns, Warnings: slices.Clone(c.commits.Warnings), chosen: folder != ""}
	v.Old.Commit, v.New.Commit = c.commits.Old, c.commits.New
	c.trees.Each(func(_ spectra.Side, tree *repository.Tree) { v.warn(tree.Warnings...) })
	modules, err := v.findModules(ctx, c.trees, cmp.Or(folder, c.repo.Sub))
	if err != nil {
		return nil, err
	}
	if err := v.keepInside(ctx, c.cfg, modules, c.repo.Root); err != nil {
		return nil, err
	}
	if err := v.compare(c.cfg.Go); err != nil {
		return nil, err
	}
	for _, problem := range v.Changes.Problems {
		v.warn(problem.String())
	}
	return v, nil
}

// ReadNew returns the content of a file of the new version, named from the repository's root; nil = there is none.
func (c *Choice) ReadNew(name string) ([]byte, error) {
	data, err := repository.ReadFile(c.trees.New.Dir, filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s of %s: %w", name, c.commits.New.Revision, err)
	}
	return data, nil
}

// With returns the versions with other modules, such as copies with more files, and the warnings about these.
func (v *Versions) With(goCommand *gocommand.Runner, modules spectra.Pair[module.Module]) (*Versions, error) {
	changed := *v
	changed.Warnings = nil
	for _, s := range spectra.Sides() {
		build := *changed.Of(s).Build
		build.Module = *modules.Of(s)
		changed.Of(s).Build = &build
	}
	if err := changed.compare(goCommand); err != nil {
		return nil, err
	}
	for _, problem := range changed.Changes.Problems {
		if !slices.Contains(v.Changes.Problems, problem) {
			changed.warn(problem.String())
		}
	}
	return &changed, nil
}

// Unchanged returns the reason why no run could show a difference, such as equal code; "" if a run could.
func (v *Versions) Unchanged() string {
	switch {
	case v.Changes.Empty():
		return "the two versions have the same files"
	case v.Changes.TestOnly():
		return "only tests, comments and files that are not built differ"
	}
	return ""
}

func (v *Versions) warn(texts ...string) { v.Warnings = append(v.Warnings, texts...) }

// compare finds the changes between the sources.
func (v *Versions) compare(goCommand *gocommand.Runner) error {
	tags, err := goCommand.Tags()
	if err != nil {
		return err
	}
	v.Changes, err = source.Diff(spectra.MakePair(func(s spectra.Side) source.Module {
		m := v.Of(s).Build.Module
		return source.Module{Dir: m.Dir, Path: m.Path, Tree: m.Tree, Workspace: m.Workspace}
	}), tags...)
	return err
}

// findModules finds the module in both trees. A version without a go.mod there has it elsewhere, or takes the path of
// the other one.
func (v *Versions) findModules(
	ctx context.Context, trees spectra.Pair[*repository.Tree], sub string,
) (found spectra.Pair[module.Module], err error) {
	find := func(s spectra.Side, hint string) (err error) {
		if *found.Of(s), err = module.Find(ctx, *trees.Of(s), sub, hint); err != nil {
			return fmt.Errorf("%s version: %w", s, err)
		}
		return nil
	}
	if err := find(spectra.New, ""); err != nil {
		return found, err
	}
	if err := find(spectra.Old, found.New.Path); err != nil {
		return found, err
	}
	if found.New.Made && !found.Old.Made {
		if err := find(spectra.New, found.Old.Path); err != nil {
			return found, err
		}
	}
	found.Each(func(_ spectra.Side, m module.Module) { v.warn(m.Warnings...) })
	return found, nil
}

// keepInside refuses paths that lead out of a version's tree, unless the user allowed them.
func (v *Versions) keepInside(
	ctx context.Context, cfg Config, modules spectra.Pair[module.Module], root string,
) (err error) {
	if v.Allowed, err = outside.Allow(ctx, cfg.Outside, cfg.Store); err != nil {
		return err
	}
	for _, s := range spectra.Sides() {
		m := *modules.Of(s)
		if work := os.Getenv("GOWORK"); work != "" && work != "auto" {
			m.Workspace = "" // GOWORK names another workspace, or none
		}
		if v.Of(s).Build, err = v.Allowed.Check(ctx, m, root, v.Patterns); err != nil {
			return v.Failed(s, err)
		}
	}
	for _, folder := range cfg.Outside {
		v.warn(folder + " lies outside of the repository: both versions were built with what it held at the start")
	}
	return nil
}

// Failed adds the version to an error.
func (v *Versions) Failed(s spectra.Side, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", v.Named(s), err)
}

// Named returns the name of a version for errors.
func (v *Versions) Named(s spectra.Side) string {
	return fmt.Sprintf("%s version (%s)", s, v.Of(s).Commit.Revision)
}
