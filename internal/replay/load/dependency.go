package load

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// ChangedDependencies lists the modules whose packages are imported and that differ between the versions: the versions
// require different versions of it, or only one imports it. Differing lists other modules known to differ, such as
// those replaced by a folder whose files changed. The result is sorted.
func ChangedDependencies(of spectra.Pair[[]Dependency], differing []string) []string {
	versions := spectra.MakePair(func(s spectra.Side) map[string]string {
		found := map[string]string{}
		for _, d := range *of.Of(s) {
			found[d.Path] = d.Version
		}
		return found
	})
	changed := map[string]bool{}
	for _, one := range []map[string]string{versions.Old, versions.New} {
		for path := range one {
			if versions.Old[path] != versions.New[path] || slices.Contains(differing, path) {
				changed[path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(changed))
}

// PlaceDependencies adds the sources of dependencies to a copy of the module's tree, so that they are compared,
// instrumented and built like the module's own files. They lie where go mod vendor puts them, so a file has the same
// name in both versions, even if one has vendored it itself. It returns the module in the copy, and the folder of each
// dependency: in the copy, or "" if the module has vendored it.
//
// The same trees and dependencies have the same copies. The tree itself is not changed. Neither the go command nor the
// network is used.
func PlaceDependencies(
	ctx context.Context, m module.Module, of []Dependency, wanted []string,
) (module.Module, map[string]string, error) {
	var added []repository.Addition
	names := map[string]string{}
	for _, d := range of {
		if !slices.Contains(wanted, d.Path) {
			continue
		}
		names[d.Path] = ""
		if d.Dir == "" {
			if _, err := os.Stat(filepath.Join(m.Dir, "vendor", filepath.FromSlash(d.Path))); err != nil {
				return m, nil, fmt.Errorf("%s is not in the module's vendor folder: leave out the vendor folder of "+
					"the workspace", d.Path)
			}
			continue
		}
		names[d.Path] = filepath.Join(filepath.FromSlash(m.Rel), "vendor", filepath.FromSlash(d.Path))
		sources, err := sourcesOf(d, filepath.ToSlash(names[d.Path]))
		if err != nil {
			return m, nil, fmt.Errorf("sources of %s: %w", d.Path, err)
		}
		added = append(added, sources...)
	}
	if len(added) > 0 {
		var err error
		if m, err = m.With(ctx, added...); err != nil {
			return m, nil, err
		}
	}
	folders := map[string]string{}
	for path, name := range names {
		if folders[path] = name; name != "" {
			folders[path] = filepath.Join(m.Tree, name)
		}
	}
	return m, folders, nil
}

// sourcesOf returns the additions for a dependency. It adds a go.mod to a dependency that has none, because a folder
// needs one.
func sourcesOf(d Dependency, name string) ([]repository.Addition, error) {
	added := []repository.Addition{{Name: name, Folder: d.Dir, Text: d.Path + "@" + d.Version}}
	_, err := os.Lstat(filepath.Join(d.Dir, "go.mod"))
	if errors.Is(err, fs.ErrNotExist) {
		return append(added, repository.Addition{Name: name + "/go.mod", Text: "module " + d.Path + "\n"}), nil
	}
	return added, err
}
