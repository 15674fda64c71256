package api

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// inside returns operations for the unexported functions and methods whose symbols are in functions. Paths and symbols
// are those of the given version. Generic functions are left out, and so are those with parameters of which no sequence
// may make values. The result is sorted by name.
func inside(version *load.Version, paths []string, functions map[spectra.Symbol]bool) []*Operation {
	found := collected(version, paths, true)
	found = slices.DeleteFunc(found, func(op *Operation) bool { return !functions[op.Symbol] })
	slices.SortFunc(found, func(o, p *Operation) int { return strings.Compare(o.Name, p.Name) })
	return found
}

// Inside returns operations for unexported functions and methods, which only code of their own package can call. Both
// versions must have them with the same signature. Functions selects them, by their names in old. Generic functions are
// left out, and so are those with parameters of which no sequence may make values. The lists are like those of a
// Surface. Each operation has Inside and Reaches set.
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
