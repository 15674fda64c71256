package hybrid

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
)

// uniteCounted unites the changed constants of each declaration that counts.
func (m *mixer) uniteCounted() {
	for _, file := range m.of.Other.Syntax {
		for _, decl := range file.Decls {
			if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.CONST && static.Counts(gen) {
				if list := m.switched(gen); len(list) > 1 {
					m.groups.unite(list)
				}
			}
		}
	}
}

// switched returns the constants of a declaration of which the hybrid has both versions, by the base's names, sorted.
func (m *mixer) switched(gen *ast.GenDecl) (list []spectra.Symbol) {
	declared := map[string]bool{}
	for _, spec := range gen.Specs {
		for _, id := range spec.(*ast.ValueSpec).Names {
			if m.chosen[m.of.Other.TypesInfo.Defs[id]] != nil {
				declared[id.Name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Values)) {
		if declared[local(m.Values[name], m.of.Other)] {
			list = append(list, name)
		}
	}
	return list
}
