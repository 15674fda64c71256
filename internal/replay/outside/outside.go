// Package outside finds the paths that lead out of a version's tree in its build, and refuses them unless the user
// allowed it.
//
// Input: the module in a version's tree, the place of the user's working tree, the folders that the user allowed
// (--allow-outside), and package patterns. Output: the module ready to build, with copies of go.mod or go.work that
// name the allowed folders; or an error that names the path and its target.
//
// It checks the paths that a build of the module reads: folders that replace modules in go.mod, folders in go.work, and
// symbolic links on the way to packages and their sources. A path that leaves the tree continues as it would in the
// user's working tree. Links that no build follows stay as they are.
//
// An allowed folder is first copied into the cache, and builds read the copy. So both versions see the same files, and
// the name of the copy identifies them. A path into the user's own working tree leads out like any other, because a
// version consists of the files of its commit.
//
// The package decides only by names and links of the tree. It never looks at the target of a path that is not allowed.
// It writes only to the cache, and never uses the go command or the network.
package outside

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

// Allowed are the folders outside the repository that builds may read.
type Allowed struct {
	territories []*territory
}

// A territory is a folder with files that a build may read: a version's tree, or the copy of an allowed folder.
type territory struct {
	dir    string // of the tree or copy, links resolved
	origin string // its place on the user's machine, links resolved
}

// Allow copies the folders that the user allows to the cache. Relative paths start at the current folder.
func Allow(ctx context.Context, folders []string, trees *cache.Cache) (*Allowed, error) {
	a := &Allowed{}
	for _, named := range folders {
		origin, err := filepath.Abs(named)
		if err == nil {
			origin, err = filepath.EvalSymlinks(origin)
		}
		if err != nil {
			return nil, fmt.Errorf("--allow-outside %s: %w", named, err)
		}
		copied, err := repository.Copy(ctx, origin, trees)
		if err != nil {
			return nil, fmt.Errorf("--allow-outside %s: %w", named, err)
		}
		t, err := newTerritory(copied.Dir, origin)
		if err != nil {
			return nil, err
		}
		a.territories = append(a.territories, t)
	}
	// An inner folder comes before the folder around it, so it is found first.
	slices.SortStableFunc(a.territories, func(s, t *territory) int { return len(t.origin) - len(s.origin) })
	return a, nil
}

func newTerritory(dir, origin string) (*territory, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("locate tree: %w", err)
	}
	return &territory{dir: dir, origin: origin}, nil
}

// Folders lists the folders that builds must be able to read: the allowed folders and their copies. The names of the
// copies identify their content, so the list also serves as a key.
func (a *Allowed) Folders() []string {
	var folders []string
	for _, t := range a.territories {
		folders = append(folders, t.dir, t.origin)
	}
	return folders
}

// within returns the path of name below folder, slash-separated.
func within(folder, name string) (rel string, ok bool) {
	rel, err := filepath.Rel(folder, name)
	rel = filepath.ToSlash(rel)
	return rel, err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}
