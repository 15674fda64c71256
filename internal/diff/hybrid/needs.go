package hybrid

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// chooseNeeded chooses the declarations that a part refers to and that the base does not have, or has with another
// signature.
func (m *mixer) chooseNeeded(p *part) {
	ast.Inspect(p.node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if object := m.of.Other.TypesInfo.Uses[id]; object != nil && object.Pkg() == m.of.Other.Types {
				m.need(origin(object))
			}
		}
		return true
	})
	if p.kind == initial || p.kind == constants { // which are written with their type
		symbol.Named(p.object.Type(), func(of *types.Named) {
			if of.Obj().Pkg() == m.of.Other.Types {
				m.need(of.Obj())
			}
		})
	}
	if t, ok := p.object.(*types.TypeName); ok && p.kind == typed && !p.instead {
		m.needMethods(t)
	}
}

// origin returns the declared function of a method of an instance.
func origin(object types.Object) types.Object {
	if fn, ok := object.(*types.Func); ok {
		return fn.Origin()
	}
	return object
}

func (m *mixer) need(object types.Object) {
	if v, ok := object.(*types.Var); ok && v.IsField() {
		m.needField(v)
		return
	}
	where, declared := m.homes[object]
	if !declared || m.chosen[object] != nil || m.renamed[object] != "" {
		return
	}
	fn, isFunction := object.(*types.Func)
	name := m.BaseName(symbol.Declared(object))
	there := m.present(object, name)
	switch {
	case there == nil:
		m.needOnlyOther(object, where)
	case isFunction && !m.sameSignature(fn, there.(*types.Func)): // none that changed, by what it is called with
		m.renamed[object] = m.free(fn.Name())
		m.needFunction(fn, where, m.renamed[object])
	case there.Name() != object.Name():
		m.renamed[object] = there.Name()
	}
}

// present returns the base's counterpart of a declaration of the other; nil if it has nothing of the kind.
func (m *mixer) present(object types.Object, name spectra.Symbol) types.Object {
	if _, ok := object.(*types.Func); ok {
		h, ok := m.bases[name]
		if !ok {
			return nil
		}
		return m.of.Base.TypesInfo.Defs[h.node.(*ast.FuncDecl).Name]
	}
	there := m.of.Base.Types.Scope().Lookup(local(name, m.of.Base))
	switch object.(type) {
	case *types.Const:
		if _, ok := there.(*types.Const); !ok {
			return nil
		}
	case *types.Var:
		if _, ok := there.(*types.Var); !ok {
			return nil
		}
	case *types.TypeName:
		if _, ok := there.(*types.TypeName); !ok {
			return nil
		}
	}
	return there
}

// sameSignature reports whether functions of the other and of the base have the same receiver, parameters and results,
// in the same order as far as their names tell.
func (m *mixer) sameSignature(other, base *types.Func) bool {
	return m.same(other.Signature(), base.Signature()) && m.sameReceiver(other, base) &&
		!reordered(other.Signature().Params(), base.Signature().Params())
}

// same reports whether a type of the other is one of the base.
func (m *mixer) same(other, base types.Type) bool { return m.based(other) == symbol.Type(base) }

// based spells a type of the other with the names that the base has.
func (m *mixer) based(other types.Type) string {
	return string(m.BaseName(spectra.Symbol(symbol.Type(other))))
}

// sameReceiver reports whether functions of the other and of the base are methods of the same type, or none.
func (m *mixer) sameReceiver(other, base *types.Func) bool {
	was, is := other.Signature().Recv(), base.Signature().Recv()
	if was == nil || is == nil {
		return was == is
	}
	one, onePointer := symbol.Receiver(was.Type())
	two, twoPointer := symbol.Receiver(is.Type())
	return one != nil && two != nil && onePointer == twoPointer &&
		m.BaseName(symbol.Declared(one.Obj())) == symbol.Declared(two.Obj())
}

// reordered reports whether parameters have the same names in another order.
func reordered(x, y *types.Tuple) bool {
	names := func(t *types.Tuple) (list []string) {
		for v := range t.Variables() {
			list = append(list, v.Name())
		}
		return list
	}
	one, other := names(x), names(y)
	same := slices.Equal(one, other)
	slices.Sort(one)
	slices.Sort(other)
	return !same && slices.Equal(one, other)
}

// needOnlyOther chooses a declaration that only the other has, under its own name where the base has no other use for
// it.
func (m *mixer) needOnlyOther(object types.Object, where home) {
	p := &part{node: where.node, syntax: where.file, object: object}
	switch object := object.(type) {
	case *types.Func:
		name := object.Name()
		if object.Signature().Recv() == nil {
			name = m.unused(object)
		}
		m.needFunction(object, where, name)
		return
	case *types.Const:
		p.kind = constants
	case *types.Var:
		p.kind = variables
	case *types.TypeName:
		p.kind = typed
	}
	p.name = m.unused(object)
	m.add(p)
	if spec, ok := where.node.(*ast.ValueSpec); ok && p.kind == variables {
		p.dropped = !m.embedsSame(where.file, spec) // and then what needs it is

		for _, id := range spec.Names { // they stand in one specification
			if other := m.of.Other.TypesInfo.Defs[id]; other != nil && other != object {
				m.chosen[other] = p
				m.unused(other)
			}
		}
	}
}

// unused returns the name under which the hybrid has a declaration that only the other has.
func (m *mixer) unused(object types.Object) string {
	name := object.Name()
	if m.means(name) {
		name = m.free(name)
		m.renamed[object] = name
	}
	return name
}

// means reports whether a name means something in a file of the base.
func (m *mixer) means(name string) bool {
	scope := m.of.Base.Types.Scope()
	for file := range scope.Children() {
		if file.Lookup(name) != nil {
			return true
		}
	}
	return scope.Lookup(name) != nil
}

func (m *mixer) needFunction(fn *types.Func, where home, name string) {
	m.add(&part{
		kind: function, node: where.node, syntax: where.file, object: fn, name: name, other: symbol.Function(fn),
	})
}

// needMethods chooses the methods of a type that only the other has.
func (m *mixer) needMethods(t *types.TypeName) {
	named, ok := t.Type().(*types.Named)
	if !ok {
		return
	}
	for fn := range named.Methods() {
		if where, ok := m.homes[fn]; ok && m.chosen[fn] == nil {
			m.needFunction(fn, where, fn.Name())
		}
	}
}
