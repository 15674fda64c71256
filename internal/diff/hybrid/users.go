package hybrid

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// chooseUsers chooses the functions and variables that use what the hybrid holds twice, and did not change themselves.
// They are switched with it.
func (m *mixer) chooseUsers() {
	if len(m.renamed) == 0 {
		return
	}
	for _, other := range slices.Sorted(maps.Keys(m.others)) {
		fn := m.others[other].node.(*ast.FuncDecl)
		if m.chosen[m.of.Other.TypesInfo.Defs[fn.Name]] != nil {
			continue
		}
		if used := m.changedIn(fn); len(used) > 0 {
			m.chooseFunction(m.BaseName(other), other, m.groups.unite(used))
		}
	}
	for _, name := range m.of.Other.Types.Scope().Names() {
		v, ok := m.of.Other.Types.Scope().Lookup(name).(*types.Var)
		if !ok || slices.ContainsFunc(m.parts, func(p *part) bool { return p.object == v }) {
			continue
		}
		if used := m.changedIn(m.homes[v].node); len(used) > 0 {
			m.chooseInitial(v, m.BaseName(spectra.Symbol(symbol.Global(v))), m.groups.unite(used))
		}
	}
}

// twice lists what a piece of the other version uses and the hybrid holds twice: constants that changed, variables with
// another type, functions with other parameters or results.
func (m *mixer) twice(node ast.Node) (list []types.Object) {
	if node == nil {
		return nil
	}
	ast.Inspect(node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			object := m.of.Other.TypesInfo.Uses[id]
			if object = origin(object); m.renamed[object] != "" && !slices.Contains(list, object) {
				list = append(list, object)
			}
		}
		return true
	})
	return list
}

// changedIn lists the changes by which what a piece of the other version uses is other than the base's.
func (m *mixer) changedIn(node ast.Node) (list []spectra.Symbol) {
	for _, object := range m.twice(node) {
		list = append(list, m.changedBy(object)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// changedBy lists the changes by which something that the hybrid holds twice is other than the base's: itself, if it
// changed. What is held twice is known by then.
func (m *mixer) changedBy(object types.Object) []spectra.Symbol {
	node, derived := m.by[object]
	if !derived {
		return []spectra.Symbol{m.BaseName(symbol.Declared(object))}
	}
	list, known := m.changes[object]
	if !known {
		list = m.changedIn(node)
		m.changes[object] = list
	}
	return list
}

// uniteUses makes one unit of each piece of code that is switched and of all that it uses, in either version, and the
// hybrid holds twice: only with both is it what a version has.
func (m *mixer) uniteUses() {
	if len(m.renamed) == 0 {
		return
	}
	other, base := m.uses()
	for _, p := range m.parts {
		own := p.unit
		if name := m.BaseName(p.other); own == "" && m.Functions[name] != "" {
			own = name
		}
		if own == "" {
			continue
		}
		list := append(other.changes(m.code(p)), base.changes(m.baseCode(p))...)
		if len(list) == 0 {
			continue
		}
		slices.Sort(list)
		m.groups.unite(append(list, own))
	}
}

// code returns what of a declaration of the other is switched.
func (m *mixer) code(p *part) ast.Node {
	if p.kind == initial {
		return m.value(p)
	}
	return p.node
}

// baseCode returns what of the base is in the place of a part.
func (m *mixer) baseCode(p *part) ast.Node {
	if p.kind == function {
		return m.bases[m.BaseName(p.other)].node
	}
	name := m.BaseName(spectra.Symbol(symbol.Global(p.object.(*types.Var))))
	_, value := initialValue(m.of.Base, local(name, m.of.Base))
	return value
}

// A uses says what the code of one version uses that a hybrid holds twice.
type uses struct {
	of    *packages.Package
	homes map[types.Object]home
	twice map[types.Object][]spectra.Symbol // what is held twice → the changes by which it is
	alone map[types.Object]bool             // only this version has it: it is switched by nothing
	named map[ast.Node][]types.Object       // of these, what a declaration names
}

// uses returns what both versions use.
func (m *mixer) uses() (other, base *uses) {
	fresh := func(p *packages.Package, homes map[types.Object]home) *uses {
		return &uses{
			of: p, homes: homes, twice: map[types.Object][]spectra.Symbol{}, alone: map[types.Object]bool{},
			named: map[ast.Node][]types.Object{},
		}
	}
	other, base = fresh(m.of.Other, m.homes), fresh(m.of.Base, homesOf(m.of.Base))
	for object := range base.homes {
		base.alone[object] = true
	}
	for object := range m.homes {
		there := m.present(object, m.BaseName(symbol.Declared(object)))
		fn, isFunction := object.(*types.Func)
		switch {
		case m.renamed[object] != "":
			other.twice[object] = m.changedBy(object)
			if there != nil {
				base.twice[there] = other.twice[object]
			}
		case there == nil, isFunction && !m.sameSignature(fn, there.(*types.Func)):
			other.alone[object] = true
			continue
		}
		delete(base.alone, there)
	}
	return other, base
}

// changes lists the changes of what a piece of code uses and the hybrid holds twice, by itself or by way of what
// nothing switches, sorted.
func (u *uses) changes(node ast.Node) []spectra.Symbol {
	if node == nil {
		return nil
	}
	found, seen := map[spectra.Symbol]bool{}, map[types.Object]bool{}
	for next := []ast.Node{node}; len(next) > 0; {
		node, next = next[0], next[1:]
		for _, object := range u.names(node) {
			if seen[object] {
				continue
			}
			seen[object] = true
			for _, change := range u.twice[object] {
				found[change] = true
			}
			if _, constant := object.(*types.Const); !constant || u.alone[object] {
				next = append(next, u.code(object)...)
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// names lists what is held twice or stands in this version alone, of what a piece of code names.
func (u *uses) names(node ast.Node) []types.Object {
	list, known := u.named[node]
	if known {
		return list
	}
	ast.Inspect(node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			object := origin(u.of.TypesInfo.Uses[id])
			if (u.alone[object] || u.twice[object] != nil) && !slices.Contains(list, object) {
				list = append(list, object)
			}
		}
		return true
	})
	u.named[node] = list
	return list
}

// code returns the declaration of something, and the methods of a type.
func (u *uses) code(object types.Object) []ast.Node {
	list := []ast.Node{u.homes[object].node}
	if t, ok := object.Type().(*types.Named); ok && t.Obj() == object {
		for fn := range t.Methods() {
			if h, ok := u.homes[fn]; ok {
				list = append(list, h.node)
			}
		}
	}
	return list
}
