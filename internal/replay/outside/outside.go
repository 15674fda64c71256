// Package outside finds what leads out of a version's tree, and refuses it unless the user allowed it.
//
// In: the module in a version's tree, the place of the user's working tree, the folders that the user allowed
// (--allow-outside), package patterns. Out: the module as it can be built, with copies of go.mod or go.work that
// name allowed folders where they are; or an error that names what leads out, and where to.
//
// What is looked at is what a build of the module reads: folders that go.mod replaces modules by, folders that
// go.work uses, and symbolic links on the way to packages and their sources. A path from a version that leaves the
// tree goes on where it would in the user's working tree. Links that no build follows stay as they are.
//
// An allowed folder is copied into the cache first, and builds read the copy: so both versions see the same, and
// what they see is told by the copy's path. A path that leads into the user's own working tree leads out as any
// other, because a version is what its commit holds.
//
// The package decides by names and links of the tree alone, never by what lies at the end of a path that is not
// allowed. It never writes but to the cache, and never uses the go command or the network.
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

// Allowed are folders outside of the repository that builds may read.
type Allowed struct {
	territories []*territory
}

// A territory is a folder whose files a build may read: a version's tree, or the copy of an allowed folder.
type territory struct {
	dir    string // of the tree or copy, links resolved
	origin string // where the user has it, links resolved
}

// Allow copies the folders that the user allows to the cache. Relative ones are relative to where the user is.
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
	// A folder in another one comes first, and is found first.
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

// Folders lists what builds must be able to read: the allowed folders and their copies. The names of the copies
// say what they hold, so the list is also a key of what a build can read there.
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
