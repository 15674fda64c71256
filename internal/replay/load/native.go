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
		if rel, err := filepath.Rel(folder, p.Dir); err == nil && filepath.IsLocal(rel) && native(p) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(p, q *packages.Package) int { return strings.Compare(p.PkgPath, q.PkgPath) })
	return list
}

// native reports whether a package has files that are not Go, or that cgo makes others of.
func native(p *packages.Package) bool {
	return len(p.OtherFiles) > 0 || slices.ContainsFunc(p.GoFiles, func(name string) bool {
		return !slices.Contains(p.CompiledGoFiles, name)
	})
}
