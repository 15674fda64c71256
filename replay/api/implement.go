package api

import (
	"go/types"

	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// This file says which interfaces only a caller can implement, and the driver in his place: by functions that a
// sequence hands over.

// mostMethods is how many methods an interface may have that the driver implements.
const mostMethods = 8

// implements reports whether the driver can implement an interface that nothing else does, and notes that it has to.
func (m *maker) implements(t *types.Named) bool {
	if !m.implementing || !implementable(t) {
		return false
	}
	m.implemented[symbol.Type(t)] = t
	return true
}

// implementable reports whether all methods of an interface are exported, and take and return types that every package
// can name without imports.
func implementable(t *types.Named) bool {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok || !iface.IsMethodSet() || iface.NumMethods() == 0 || iface.NumMethods() > mostMethods ||
		t.TypeArgs().Len() > 0 || t.TypeParams().Len() > 0 {
		return false
	}
	for method := range iface.Methods() {
		sig := method.Signature()
		if !method.Exported() || !predeclaredAll(sig.Params()) || !predeclaredAll(sig.Results()) {
			return false
		}
	}
	return true
}

func predeclaredAll(list *types.Tuple) bool {
	for v := range list.Variables() {
		if !predeclared(v.Type()) {
			return false
		}
	}
	return true
}

// predeclared reports whether a type is made of types that the language declares.
func predeclared(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer && t.Kind() != types.Invalid
	case *types.Named:
		return IsError(t)
	case *types.Interface:
		return t.Empty()
	case *types.Pointer:
		return predeclared(t.Elem())
	case *types.Slice:
		return predeclared(t.Elem())
	case *types.Map:
		return predeclared(t.Key()) && predeclared(t.Elem())
	}
	return false
}
