package load

// This file makes go.mod and go.work take included modules from where their sources lie.

import (
	"maps"
	"slices"

	"golang.org/x/mod/modfile"
)

// replacing returns the text of a go.mod that takes included modules from their folders.
func (v *Version) replacing(text []byte) ([]byte, error) {
	if !v.replaces() {
		return text, nil
	}
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	if err := v.replace(file.Replace, file.DropReplace, file.AddReplace); err != nil {
		return nil, err
	}
	file.Cleanup()
	return file.Format()
}

// replacingInWorkspace returns the text of a go.work that does so.
func (v *Version) replacingInWorkspace(text []byte) ([]byte, error) {
	if !v.replaces() {
		return text, nil
	}
	file, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		return nil, err
	}
	if err := v.replace(file.Replace, file.DropReplace, file.AddReplace); err != nil {
		return nil, err
	}
	file.Cleanup()
	return modfile.Format(file.Syntax), nil
}

// replaces reports whether the sources of an included module don't lie in the vendor folder.
func (v *Version) replaces() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(v.included)), func(dir string) bool { return dir != "" })
}

// replace puts the folders of included modules in place of other replacements.
func (v *Version) replace(
	known []*modfile.Replace, drop func(path, version string) error,
	add func(path, version, to, toVersion string) error,
) error {
	for _, path := range slices.Sorted(maps.Keys(v.included)) {
		dir := v.included[path]
		if dir == "" {
			continue
		}
		for _, r := range slices.Clone(known) {
			if r.Old.Path != path {
				continue
			}
			if err := drop(r.Old.Path, r.Old.Version); err != nil {
				return err
			}
		}
		if err := add(path, "", dir, ""); err != nil {
			return err
		}
	}
	return nil
}
