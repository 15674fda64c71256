package load

import (
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Native lists the packages below a folder that are not Go alone, sorted by path, without syntax. Of a version that was
// listed it knows all that the module needs, of others those that were type-checked.
func (v *Version) Native(folder string) (list []*packages.Package) {
	all := v.Packages
	if v.imports != nil {
		_, all, _ = v.imports.graph() // which was looked at before
	}
	for _, p := range all {
		if rel, err := filepath.Rel(folder, p.Dir); err == nil && filepath.IsLocal(rel) && len(NativeFiles(p)) > 0 {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(p, q *packages.Package) int { return strings.Compare(p.PkgPath, q.PkgPath) })
	return list
}

// NativeFiles returns the files of a package that are not Go, or that cgo makes others of.
func NativeFiles(p *packages.Package) []string {
	return append(slices.DeleteFunc(slices.Clone(p.GoFiles), func(name string) bool {
		return slices.Contains(p.CompiledGoFiles, name)
	}), p.OtherFiles...)
}
