package load

import (
	"maps"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/spectradiff/spectradiff/internal/replay/module"
)

// replacing returns the text of a go.mod that replaces included modules by their folders.
func (v *Version) replacing(text []byte) ([]byte, error) {
	if !v.replaces() {
		return text, nil
	}
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	if err := replace(file, file.Replace, v.included); err != nil {
		return nil, err
	}
	return file.Format()
}

// replacingInWorkspace is replacing for a go.work, whose folders are absolute. What it uses can't be replaced: it uses
// the other folder.
func (v *Version) replacingInWorkspace(text []byte) ([]byte, error) {
	if !v.replaces() {
		return text, nil
	}
	file, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		return nil, err
	}
	replaced := maps.Clone(v.included)
	for _, use := range slices.Clone(file.Use) {
		member := module.Read(use.Path, ".")
		if member == nil || member.Module == nil || v.included[member.Module.Mod.Path] == "" {
			continue
		}
		delete(replaced, member.Module.Mod.Path)
		if err := swap(file, use.Path, v.included[member.Module.Mod.Path], member); err != nil {
			return nil, err
		}
	}
	if err := replace(file, file.Replace, replaced); err != nil {
		return nil, err
	}
	return modfile.Format(file.Syntax), nil
}

// swap makes a workspace use a module in another folder, with the same replacements: those that it names from its
// folder are not found from the other one.
func swap(work *modfile.WorkFile, from, to string, member *modfile.File) error {
	if err := work.DropUse(from); err != nil {
		return err
	}
	for _, r := range member.Replace {
		known := slices.ContainsFunc(work.Replace, func(of *modfile.Replace) bool { return of.Old == r.Old })
		if known || r.New.Version != "" || filepath.IsAbs(r.New.Path) {
			continue
		}
		if err := work.AddReplace(r.Old.Path, r.Old.Version, filepath.Join(from, r.New.Path), ""); err != nil {
			return err
		}
	}
	work.Cleanup()
	return work.AddUse(to, "")
}

// replaces reports whether any included module has its sources outside the vendor folder.
func (v *Version) replaces() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(v.included)), func(dir string) bool { return dir != "" })
}

// A replacer is a go.mod or a go.work.
type replacer interface {
	DropReplace(path, version string) error
	AddReplace(path, version, to, toVersion string) error
	Cleanup()
}

// replace replaces included modules by their folders, instead of other replacements.
func replace(file replacer, known []*modfile.Replace, included map[string]string) error {
	for _, path := range slices.Sorted(maps.Keys(included)) {
		dir := included[path]
		if dir == "" {
			continue
		}
		for _, r := range known {
			if r.Old.Path != path {
				continue
			}
			if err := file.DropReplace(r.Old.Path, r.Old.Version); err != nil {
				return err
			}
		}
		if err := file.AddReplace(path, "", dir, ""); err != nil {
			return err
		}
	}
	file.Cleanup()
	return nil
}
