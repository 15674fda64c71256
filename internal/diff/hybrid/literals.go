package hybrid

import (
	"go/ast"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// initialised returns what variables get at first in the other that a part declares or stands for, nil if it is no such
// part.
func (m *mixer) initialised(p *part) ast.Node {
	switch p.kind {
	case initial:
		return m.value(p)
	case variables:
		return p.node
	}
	return nil
}

// renumber notes the function literals of the base's declarations that have other numbers in the hybrid, because others
// stand around initial values there. The hybrid's functions are named as they are there.
func (h *Hybrid) renumber(m *mixer, checked *packages.Package, functions map[ast.Node]spectra.Symbol) {
	around := map[string]bool{}
	for _, p := range m.wrapped {
		around[p.typ] = true
	}
	bases := symbol.Functions(m.of.Base.PkgPath, m.of.Base.TypesInfo, m.of.Base.Syntax)
	files := map[string]*ast.File{}
	for _, file := range checked.Syntax {
		files[nameOf(checked, file)] = file
	}
	for _, file := range m.of.Base.Syntax {
		var is []*ast.FuncLit
		for _, literal := range initialLiterals(files[nameOf(m.of.Base, file)]) {
			if returnsOne(literal, around) {
				h.Renumbered[functions[literal]] = ""
				continue
			}
			is = append(is, literal)
		}
		was := initialLiterals(file)
		for i := range min(len(was), len(is)) {
			if functions[is[i]] != bases[was[i]] {
				h.Renumbered[functions[is[i]]] = bases[was[i]]
			}
		}
	}
}

// returnsOne reports whether a function literal returns one of some types, as only those around initial values do.
func returnsOne(literal *ast.FuncLit, types map[string]bool) bool {
	if literal.Type.Results == nil || len(literal.Type.Results.List) != 1 {
		return false
	}
	id, ok := literal.Type.Results.List[0].Type.(*ast.Ident)
	return ok && types[id.Name]
}

// initialLiterals lists the function literals in a file's declarations of variables.
func initialLiterals(file *ast.File) (list []*ast.FuncLit) {
	for _, decl := range file.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok {
			list = append(list, literalsIn(gen)...)
		}
	}
	return list
}

// literalsIn lists the function literals below a node.
func literalsIn(node ast.Node) (list []*ast.FuncLit) {
	ast.Inspect(node, func(n ast.Node) bool {
		if literal, ok := n.(*ast.FuncLit); ok {
			list = append(list, literal)
		}
		return true
	})
	return list
}
