package load

import (
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Select returns the packages in which a deviation can begin or be seen: the changed packages of both versions, the
// packages that these import, and the packages that import these, directly or not, within the module. With all it
// returns every package. The result has import paths of old, see symbol.Rebase; changed may have those of either
// version.
func Select(old, new *Version, changed map[string]bool, all bool) []string {
	chosen := map[string]bool{}
	for _, v := range []*Version{old, new} {
		within := v.concerned(changed, old, new)
		for _, p := range v.Packages {
			if all || within[p.PkgPath] {
				chosen[symbol.Rebase(p.PkgPath, v.Module, old.Module)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(chosen))
}

// concerned returns the changed packages of the version, their imports and their importers.
func (v *Version) concerned(changed map[string]bool, old, new *Version) map[string]bool {
	importers := map[string][]string{}
	for path, imports := range v.members.imports {
		for _, imported := range imports {
			importers[imported] = append(importers[imported], path)
		}
	}
	var start []string
	for path := range v.members.imports {
		if changed[symbol.Rebase(path, v.Module, old.Module)] || changed[symbol.Rebase(path, v.Module, new.Module)] {
			start = append(start, path)
		}
	}
	found := closure(start, v.members.imports)
	maps.Copy(found, closure(start, importers))
	return found
}

// closure returns the nodes reachable from start, including start.
func closure(start []string, edges map[string][]string) map[string]bool {
	found := map[string]bool{}
	for queue := slices.Clone(start); len(queue) > 0; {
		node := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if found[node] {
			continue
		}
		found[node] = true
		queue = append(queue, edges[node]...)
	}
	return found
}
