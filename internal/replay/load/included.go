package load

import (
	"maps"
	"slices"

	"golang.org/x/mod/modfile"
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
	if err := v.replace(file, file.Replace); err != nil {
		return nil, err
	}
	return file.Format()
}

// replacingInWorkspace is replacing for a go.work.
func (v *Version) replacingInWorkspace(text []byte) ([]byte, error) {
	if !v.replaces() {
		return text, nil
	}
	file, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		return nil, err
	}
	if err := v.replace(file, file.Replace); err != nil {
		return nil, err
	}
	return modfile.Format(file.Syntax), nil
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
func (v *Version) replace(file replacer, known []*modfile.Replace) error {
	for _, path := range slices.Sorted(maps.Keys(v.included)) {
		dir := v.included[path]
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
