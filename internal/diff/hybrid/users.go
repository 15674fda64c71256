package hybrid

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// chooseUsers chooses the functions and variables that use what the hybrid holds twice. They are switched with it.
// Functions that changed themselves are units of their own where it is but constants.
func (m *mixer) chooseUsers() {
	if len(m.renamed) == 0 {
		return
	}
	for _, other := range slices.Sorted(maps.Keys(m.others)) {
		fn := m.others[other].node.(*ast.FuncDecl)
		if m.chosen[m.of.Other.TypesInfo.Defs[fn.Name]] != nil {
			continue
		}
		if used, _ := m.separate(fn); len(used) > 0 {
			m.chooseFunction(m.BaseName(other), other, m.groups.unite(used))
		}
	}
	for _, name := range m.of.Other.Types.Scope().Names() {
		v, ok := m.of.Other.Types.Scope().Lookup(name).(*types.Var)
		if !ok || slices.ContainsFunc(m.parts, func(p *part) bool { return p.object == v }) {
			continue
		}
		if used, _ := m.separate(m.homes[v].node); len(used) > 0 {
			m.chooseInitial(v, m.BaseName(spectra.Symbol(symbol.Global(v))), m.groups.unite(used))
		}
	}
}

// separate lists what a piece of the other version uses and the hybrid holds twice: constants that changed, variables
// with another type, functions with other parameters or results; by the base's names. It reports whether there is more
// than constants.
func (m *mixer) separate(node ast.Node) (used []spectra.Symbol, twin bool) {
	if node == nil {
		return nil, false
	}
	ast.Inspect(node, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		object := m.of.Other.TypesInfo.Uses[id]
		if object == nil || m.renamed[origin(object)] == "" {
			return true
		}
		switch object := origin(object).(type) {
		case *types.Const:
			used = append(used, m.changedBy(object)...)
		case *types.Var:
			used, twin = append(used, m.BaseName(spectra.Symbol(symbol.Global(object)))), true
		case *types.Func:
			used, twin = append(used, m.changedBy(object)...), true
		}
		return true
	})
	return used, twin
}
