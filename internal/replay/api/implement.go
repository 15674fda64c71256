package api

import (
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// mostMethods is the maximum number of methods of an interface that the driver implements.
const mostMethods = 8

// implements reports whether the driver can implement an interface that nothing else implements, and notes the
// interface.
func (m *maker) implements(t *types.Named) bool {
	if !m.implementing || !m.implementable(t) {
		return false
	}
	m.implemented[symbol.Type(t)] = t
	return true
}

// implementable reports whether all methods of an interface are exported, with parameters and results of types that the
// driver's main package can name.
func (m *maker) implementable(t *types.Named) bool {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok || !iface.IsMethodSet() || iface.NumMethods() == 0 || iface.NumMethods() > mostMethods ||
		t.TypeArgs().Len() > 0 || t.TypeParams().Len() > 0 {
		return false
	}
	for method := range iface.Methods() {
		if !method.Exported() || !m.spelled(method.Signature()) {
			return false
		}
	}
	return true
}

// spelled reports whether the driver's main package can write a type.
func (m *maker) spelled(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer && t.Kind() != types.Invalid
	case *types.Named:
		return m.spelledName(t)
	case *types.Interface:
		return t.Empty()
	case *types.Signature:
		return t.TypeParams().Len() == 0 && m.spelledAll(t.Params()) && m.spelledAll(t.Results())
	case *types.Pointer:
		return m.spelled(t.Elem())
	case *types.Slice:
		return m.spelled(t.Elem())
	case *types.Array:
		return m.spelled(t.Elem())
	case *types.Chan:
		return m.spelled(t.Elem())
	case *types.Map:
		return m.spelled(t.Key()) && m.spelled(t.Elem())
	}
	return false
}

func (m *maker) spelledAll(list *types.Tuple) bool {
	for v := range list.Variables() {
		if !m.spelled(v.Type()) {
			return false
		}
	}
	return true
}

// spelledName reports whether the driver's main package, which is in the module's folder, can name a declared type.
func (m *maker) spelledName(t *types.Named) bool {
	p := t.Obj().Pkg()
	if p == nil {
		return true
	}
	path := p.Path()
	if m.version.Owns(p) {
		path = strings.TrimPrefix(path, m.version.Module+"/internal/")
	}
	if !importable(path) || !open(t) || forbidden(t) {
		return false
	}
	for arg := range t.TypeArgs().Types() {
		if !m.spelled(arg) {
			return false
		}
	}
	return t.TypeParams().Len() == t.TypeArgs().Len()
}

// implementable returns those interfaces of a version that the driver can implement.
func implementable(version *load.Version, interfaces []*types.Named) []*types.Named {
	m := &maker{version: version, aliased: map[*types.Package]map[*types.Named]bool{}}
	return slices.DeleteFunc(slices.Clone(interfaces), func(t *types.Named) bool {
		return !version.Owns(t.Obj().Pkg()) || !m.implementable(t) || !m.spelledName(t)
	})
}

// implemented adds the interfaces that the driver of old implements and that new has with the same methods, with their
// counterparts in new.
func (s *Surface) implemented(olds []*types.Named, new *load.Version, names Names) {
	done := map[string]bool{}
	for _, pair := range s.Implemented {
		done[symbol.Type(pair.Old)] = true
	}
	for _, old := range olds {
		if done[symbol.Type(old)] {
			continue
		}
		name := names.New(symbol.Type(old))
		last := spectra.Symbol(name).Name()
		o, ok := lookup(new, known{strings.TrimSuffix(name, "."+last), last}).(*types.TypeName)
		if !ok {
			continue
		}
		found, ok := o.Type().(*types.Named)
		if ok && names.Old(symbol.Type(found.Underlying())) == symbol.Type(old.Underlying()) {
			s.Implemented = append(s.Implemented, spectra.Pair[*types.Named]{Old: old, New: found})
		}
	}
	slices.SortFunc(s.Implemented, func(x, y spectra.Pair[*types.Named]) int {
		return strings.Compare(symbol.Type(x.Old), symbol.Type(y.Old))
	})
}
