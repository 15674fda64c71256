package api

// This file finds what only code of its own package can call.

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/replay/fault"
	"github.com/spectradiff/spectradiff/replay/load"
	"github.com/spectradiff/spectradiff/spectra"
)

// inside returns operations for functions and methods that are not exported, in the packages of a version that are
// given by their paths in it: of those whose symbols are among functions, which have the names of that version.
// Generic ones and what takes values that no sequence may make are left out. Operations are sorted by name.
func inside(version *load.Version, paths []string, functions map[spectra.Symbol]bool) []*Operation {
	var found []*Operation
	for _, p := range version.Chosen(paths) {
		fault.In(p.PkgPath, finding, func() {
			c := collector{version: version, pkg: p, inside: true}
			c.collect()
			found = append(found, c.found...)
		})
	}
	found = slices.DeleteFunc(found, func(op *Operation) bool { return !functions[op.Symbol] })
	slices.SortFunc(found, func(o, p *Operation) int { return strings.Compare(o.Name, p.Name) })
	return found
}

// Inside returns operations for functions and methods that are not exported, which only code of their own package can
// call, as far as both versions have them with the same signature: of those whose symbols are among functions, by
// their names in old. Generic ones and what takes values that no sequence may make are left out. The lists are like
// those of a Surface. Each operation is Inside and Reaches.
func Inside(
	old, new *load.Version, paths []string, names Names, functions map[spectra.Symbol]bool,
) spectra.Pair[[]*Operation] {
	var inNew []string
	renamed := map[spectra.Symbol]bool{}
	for _, path := range paths {
		inNew = append(inNew, names.New(path))
	}
	for of := range functions {
		renamed[spectra.Symbol(names.New(string(of)))] = true
	}
	s := &Surface{}
	s.operations(inside(old, paths, functions), inside(new, inNew, renamed), names)
	for i := range s.Operations.Old {
		s.Operations.Old[i].Reaches, s.Operations.Old[i].Inside = true, true
	}
	return s.Operations
}
