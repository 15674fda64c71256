package hybrid

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// addConstant has the hybrid hold the other's version of a constant beside the base's.
func (m *mixer) addConstant(c *types.Const) {
	m.differing(c, m.BaseName(symbol.Declared(c)))
	m.renamed[c] = m.free(c.Name())
	m.add(&part{
		kind: constants, node: m.homes[c].node, syntax: m.homes[c].file, object: c, name: m.renamed[c],
	})
}

// chooseDerived has the hybrid hold both versions of the constants that are computed from changed ones, and did not
// change otherwise.
func (m *mixer) chooseDerived() {
	computed, scope := m.computed(), m.of.Other.Types.Scope()
	for again := true; again; {
		again = false
		for _, name := range scope.Names() {
			c, ok := scope.Lookup(name).(*types.Const)
			if !ok || m.chosen[c] != nil {
				continue
			}
			if len(m.twice(computed[c])) == 0 {
				continue
			}
			if is := m.baseConstant(c); is != nil && !sameValue(c, is) {
				m.by[c], again = computed[c], true
				m.addConstant(c)
			}
		}
	}
}

// sameValue reports whether constants have the same value. Texts and truth values can be compared only with their like,
// numbers with all numbers.
func sameValue(x, y *types.Const) bool {
	number := func(of constant.Value) bool { return of.Kind() != constant.Bool && of.Kind() != constant.String }
	one, other := x.Val(), y.Val()
	return (one.Kind() == other.Kind() || number(one) && number(other)) && constant.Compare(one, token.EQL, other)
}

// baseConstant returns the constant of the base that is in the place of the other's; nil if there is none.
func (m *mixer) baseConstant(c *types.Const) *types.Const {
	if m.of.Base == nil {
		return nil
	}
	name := local(m.BaseName(spectra.Symbol(symbol.Global(c))), m.of.Base)
	is, _ := m.of.Base.Types.Scope().Lookup(name).(*types.Const)
	return is
}

// computed returns what the constants of the other are computed from: a specification without values repeats the ones
// before.
func (m *mixer) computed() map[types.Object]ast.Node {
	from := map[types.Object]ast.Node{}
	for _, file := range m.of.Other.Syntax {
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.CONST {
				continue
			}
			var values []ast.Expr
			for _, spec := range gen.Specs {
				spec := spec.(*ast.ValueSpec)
				if len(spec.Values) > 0 {
					values = spec.Values
				}
				for i, id := range spec.Names[:min(len(spec.Names), len(values))] {
					from[m.of.Other.TypesInfo.Defs[id]] = values[i]
				}
			}
		}
	}
	return from
}
