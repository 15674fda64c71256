package load

import (
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

// Changed lists the modules from which packages are imported and that are not the same in both versions: another
// version of it is required, or only one of the two imports it. Differing are others of which that is known, such as
// those that are replaced by a folder whose files changed. The result is sorted.
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

// Place returns the module in a copy of its tree that has the sources of some of its dependencies, and where each of
// those lies: in the copy, or "" if the module has vendored it.
func PlaceDependencies(m module.Module, of []Dependency, wanted []string) (module.Module, map[string]string, error) {
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
		if m, err = m.With(added...); err != nil {
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

// sourcesOf returns what is added for a dependency. A module from before there were modules has no go.mod, which a
// folder has to have.
func sourcesOf(d Dependency, name string) ([]repository.Addition, error) {
	added := []repository.Addition{{Name: name, Folder: d.Dir, Text: d.Path + "@" + d.Version}}
	_, err := os.Lstat(filepath.Join(d.Dir, "go.mod"))
	if errors.Is(err, fs.ErrNotExist) {
		return append(added, repository.Addition{Name: name + "/go.mod", Text: "module " + d.Path + "\n"}), nil
	}
	return added, err
}
