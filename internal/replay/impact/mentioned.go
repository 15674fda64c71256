package impact

import (
	"go/types"
	"maps"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// mentioned lists what packages declare and code outside of the analysed set can hand on without running a function of
// the set: changed constants, variables and types, and what has a type that reaches something of a changed one, or
// something that is declared in a package of another module that has other code.
func (s *search) mentioned() map[spectra.Symbol]bool {
	found := maps.Clone(s.types)
	maps.Copy(found, s.values)
	wide := &search{
		types: s.types, outside: s.outside, foreign: true, deep: map[types.Type]bool{}, flat: map[types.Type]bool{},
	}
	for _, pkg := range s.program.Packages {
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			if wide.contains(scope.Lookup(name).Type()) { // of a function: what it takes and returns
				found[spectra.Symbol(pkg.PkgPath+"."+name)] = true
			}
		}
	}
	return found
}

// Mentioned reports whether the change matters to code without probes where it mentions what a package declares, by the
// package's path and the name. Such code has the values of changed constants and makes values of changed types, or it
// calls packages of other modules that have other code.
func (r *Reach) Mentioned(path, name string) bool {
	return r.mentioned[spectra.Symbol(path+"."+name)] || r.outside != nil && r.outside(path) ||
		path == "unsafe" && len(r.types) > 0
}
