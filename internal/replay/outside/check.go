package outside

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/module"
)

// A Checked is a module whose build only reads files that it may read.
type Checked struct {
	module.Module // in a copy of its tree where links lead to allowed folders

	ModFile  []byte // go.mod with the places of allowed folders; nil = the module's own is complete
	WorkFile []byte // likewise go.work
	WorkSum  []byte // go.work.sum, if there is a WorkFile

	// Unvendored is the reason why dependencies must come from the vendor folder: elsewhere a replacement that leads
	// out would be read. nil = they need not.
	Unvendored error
}

// howToAllow ends the errors about paths that lead out.
const howToAllow = "allow it with --allow-outside DIR"

// A check is one run of Check.
type check struct {
	*Allowed
	module module.Module
	tree   *territory
	home   place // the module's folder
	known  []root
}

// A root is the folder of a module whose packages a build may read.
type root struct {
	place
	path string // module path
}

// Check checks a module. origin is the root of the user's working tree. Patterns name packages as for the go command.
func (a *Allowed) Check(ctx context.Context, m module.Module, origin string, patterns []string) (*Checked, error) {
	origin, err := filepath.EvalSymlinks(origin)
	if err != nil {
		return nil, fmt.Errorf("locate working tree: %w", err)
	}
	tree, err := newTerritory(m.Tree, origin)
	if err != nil {
		return nil, err
	}
	c := &check{Allowed: a, module: m, tree: tree}
	home, out := a.follow(place{tree, "."}, m.Rel)
	switch {
	case out != nil:
		return nil, fmt.Errorf("folder %s %s: name another with -C", m.Rel, out)
	case home.in != tree:
		return nil, fmt.Errorf("folder %s is a link to %s: name another with -C", m.Rel, home.in.origin)
	case home.rel != m.Rel && !m.Made: // a link: the module sees the parents of the folder that it leads to
		if m, err = module.Find(ctx, m.Files, home.rel, ""); err != nil {
			return nil, err
		}
		c.module = m
	}
	c.home, c.known = home, []root{{home, m.Path}}
	if err := c.patterns(patterns); err != nil {
		return nil, err
	}
	files, err := c.readFiles()
	if err != nil {
		return nil, err
	}
	links, err := c.sources(patterns)
	if err != nil {
		return nil, err
	}
	done := &Checked{Module: m, Unvendored: files.unvendored}
	if len(links) > 0 {
		if done.Module, err = m.With(ctx, links...); err != nil {
			return nil, err
		}
		if tree.dir, err = filepath.EvalSymlinks(done.Tree); err != nil {
			return nil, fmt.Errorf("locate tree: %w", err)
		}
	}
	return done, files.write(tree, done)
}

// patterns refuses package patterns that name folders outside the tree.
func (c *check) patterns(patterns []string) error {
	for _, pattern := range patterns {
		if folder, ok := patternFolder(pattern); ok {
			if _, out := c.follow(c.home, folder); out != nil {
				return fmt.Errorf("package %s %s: name packages of the module", pattern, out)
			}
		}
	}
	return nil
}

// patternFolder returns the folder at the beginning of a pattern. It reports false for import paths.
func patternFolder(pattern string) (folder string, ok bool) {
	folder, _, _ = strings.Cut(filepath.ToSlash(pattern), "...")
	first, _, _ := strings.Cut(folder, "/")
	return folder, first == "." || first == ".." || filepath.IsAbs(pattern)
}
