package load

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
	if err := v.replace(file, file.Replace); err != nil {
		return nil, err
	}
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
	if err := v.replace(file, file.Replace); err != nil {
		return nil, err
	}
	return modfile.Format(file.Syntax), nil
}

// replaces reports whether the sources of an included module don't lie in the vendor folder.
func (v *Version) replaces() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(v.included)), func(dir string) bool { return dir != "" })
}

// A replacer is a go.mod or a go.work.
type replacer interface {
	DropReplace(path, version string) error
	AddReplace(path, version, to, toVersion string) error
	Cleanup()
}

// replace puts the folders of included modules in place of other replacements.
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
