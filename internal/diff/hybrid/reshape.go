package hybrid

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// chooseReshaped has the hybrid hold both versions of a function whose parameters or results changed, and returns the
// other's; nil if they did not. What calls it is one unit with it.
func (m *mixer) chooseReshaped(name, other spectra.Symbol) *types.Func {
	before, after := m.others[other], m.bases[name]
	if before.node == nil || after.node == nil {
		return nil
	}
	decl := before.node.(*ast.FuncDecl)
	was := m.of.Other.TypesInfo.Defs[decl.Name].(*types.Func)
	is := m.of.Base.TypesInfo.Defs[after.node.(*ast.FuncDecl).Name].(*types.Func)
	if m.sameSignature(was, is) {
		return nil
	}
	m.differing(was, name)
	m.renamed[was] = m.free(was.Name())
	m.add(&part{
		kind: function, node: decl, syntax: before.file, object: was, name: m.renamed[was], other: other,
	})
	return was
}

// chooseMeasured does so with functions that did not change, but a constant did that their parameters or results are
// measured by, as the length of an array.
func (m *mixer) chooseMeasured() {
	for _, other := range slices.Sorted(maps.Keys(m.others)) {
		name := m.BaseName(other)
		if _, changed := m.Functions[name]; changed {
			continue
		}
		shape := m.others[other].node.(*ast.FuncDecl).Type
		if len(m.twice(shape)) == 0 {
			continue
		}
		if fn := m.chooseReshaped(name, other); fn != nil {
			m.by[fn] = shape
		}
	}
}
