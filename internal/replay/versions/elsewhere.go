package versions

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Touched are the modules of a repository that a change touches.
type Touched struct {
	Folders  []string        // of those that both versions have and whose code differs, that at the root first
	Within   map[string]bool // of them those that the module at the root requires and takes from their folders
	Uses     bool            // the last one is that at the root, which only uses some of the others
	Warnings []string        // about those that only one version has
}

// Touched returns the modules that the change touches, and the module at the root where it requires one of them.
// There are none where the user named one, by a folder or by packages.
func (c *Choice) Touched() (found Touched, err error) {
	if len(c.patterns) > 0 || c.repo.Sub != "." {
		return found, nil
	}
	trees := spectra.MakePair(func(s spectra.Side) string { return (*c.trees.Of(s)).Dir })
	of, err := modulesOf(trees)
	if err != nil {
		return found, fmt.Errorf("find the modules that the change touches: %w", err)
	}
	found.Within = module.Within(trees.New)
	all := map[string]content{}
	maps.Copy(all, of.Old)
	maps.Copy(all, of.New)
	for _, folder := range slices.Sorted(maps.Keys(all)) {
		old, before := of.Old[folder]
		switch now, after := of.New[folder]; {
		case before && after && !differ(trees, folder, old, now):
		case before && after, folder == ".": // one is made for the version without a go.mod
			found.Folders = append(found.Folders, folder)
		case after && module.PathAbove(trees.New, folder) == module.PathAbove(trees.Old, "."): // it moved there
		case after:
			found.Warnings = append(found.Warnings, "module "+folder+" is only in the new version: not compared")
		case module.PathAbove(trees.Old, folder) == module.PathAbove(trees.New, "."):
		default:
			found.Warnings = append(found.Warnings, "module "+folder+" is only in the old version: not compared")
		}
	}
	if len(found.Folders) == 0 && !loose(trees.New, of.New) {
		found.Folders = untouched(of)
	}
	used := slices.ContainsFunc(found.Folders, func(folder string) bool { return found.Within[folder] })
	if used && !slices.Contains(found.Folders, ".") {
		found.Folders, found.Uses = append(found.Folders, "."), true // the last one, because nothing changed in it
	}
	return found, nil
}

// untouched returns a module that both versions have, where none is at the root: what touches none leaves it as it was.
func untouched(of spectra.Pair[map[string]content]) []string {
	folders := slices.Sorted(maps.Keys(of.New))
	folders = slices.DeleteFunc(folders, func(folder string) bool { _, before := of.Old[folder]; return !before })
	if len(folders) == 0 || folders[0] == "." {
		return nil
	}
	return folders[:1]
}

// Elsewhere returns a warning that names the other modules of the repository whose code differs, or says that they
// can't be read; none if there are none, or if they are compared too.
func (v *Versions) Elsewhere() []string {
	if v.chosen || v.Old.Build.Tree == v.New.Build.Tree {
		return nil
	}
	trees := spectra.MakePair(func(s spectra.Side) string { return v.Of(s).Build.Tree })
	of, err := modulesOf(trees)
	if err != nil {
		const text = "whether the change touches other modules of the repository can't be told: %v"
		return []string{fmt.Sprintf(text, err)}
	}
	var differing []string
	for _, folder := range slices.Sorted(maps.Keys(of.New)) {
		own := filepath.Join(v.New.Build.Tree, folder) == v.New.Build.Dir
		if old, before := of.Old[folder]; !own && (!before || differ(trees, folder, old, of.New[folder])) {
			differing = append(differing, folder)
		}
	}
	if len(differing) == 0 {
		return nil
	}
	const text = "the change touches other modules of the repository, each compared with -C: %s"
	return []string{fmt.Sprintf(text, strings.Join(differing, ", "))}
}
