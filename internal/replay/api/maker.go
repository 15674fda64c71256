package api

import (
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A maker knows the types of which a sequence can make values: basic types, composites of these, types that can be
// named, and the types that operations return. Each further callable operation may add types.
type maker struct {
	version  *load.Version
	paths    []string
	made     map[string]bool // canonical names of types that some operation returns
	concrete []types.Type    // types that can fill a slot of interface type
	open     map[string]bool // types under examination, for types that contain themselves

	implementing bool                    // the driver implements interfaces that nothing else implements
	implemented  map[string]*types.Named // these interfaces, by name

	filling map[*types.Interface]filling
	aliased map[*types.Package]map[*types.Named]bool // as the method aliases returns it
}

// A filling says whether a type that implements an interface was found among the first ones of maker.concrete.
type filling struct {
	tried int
	done  bool
}

func newMaker(version *load.Version, paths []string) *maker {
	m := &maker{
		version: version, paths: paths, made: map[string]bool{}, open: map[string]bool{},
		implemented: map[string]*types.Named{}, aliased: map[*types.Package]map[*types.Named]bool{},
		filling: map[*types.Interface]filling{},
	}
	for _, p := range version.Chosen(paths) {
		scope := p.Types.Scope()
		for _, name := range scope.Names() {
			obj, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || !usable(p.Types, name) {
				continue
			}
			if named, ok := types.Unalias(obj.Type()).(*types.Named); ok && named.TypeParams().Len() == 0 {
				m.offer(named)
			}
		}
	}
	for _, known := range knownTypes() {
		if p := version.Known(known.Import); p != nil {
			if obj := p.Scope().Lookup(known.Name); obj != nil {
				m.offer(obj.Type())
			}
		}
	}
	return m
}

// offer adds a nameable type to the types that may implement an interface.
func (m *maker) offer(t types.Type) {
	if types.IsInterface(t) {
		return
	}
	m.concrete = append(m.concrete, t, types.NewPointer(t))
}

// callable returns the operations whose parameters can all be made, also from results of other operations.
func (m *maker) callable(ops []*Operation) []*Operation {
	accepted := map[*Operation]bool{}
	for again := true; again; {
		again = false
		for _, op := range ops {
			if !accepted[op] && m.feasible(op) {
				accepted[op], again = true, true
				m.gain(op.Results)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(ops), func(op *Operation) bool { return !accepted[op] })
}

// feasible reports whether all parameters of an operation can be made. The type of a receiver must be a result of an
// operation or have a name that can be written; otherwise code outside could not call its methods.
func (m *maker) feasible(op *Operation) bool { return m.refused(op) == "" }

// refused returns the reason why no sequence can call an operation, "" if one can.
func (m *maker) refused(op *Operation) string {
	if op.Receiver {
		named, _ := symbol.Receiver(op.Params[0])
		if !m.nameable(named) && !m.made[symbol.Type(op.Params[0])] && !m.made["*"+symbol.Type(op.Params[0])] {
			return "it is a method of a type that nothing exported returns"
		}
		if iface, ok := named.Underlying().(*types.Interface); ok && !m.made[symbol.Type(named)] && !m.fillable(iface) {
			return "no value of its receiver's type could be made"
		}
	}
	for i, t := range op.Params {
		switch {
		case m.makeable(t):
		case i == 0 && op.Receiver:
			return "no value of its receiver's type could be made"
		default:
			return "no value for its parameter of type " + types.TypeString(t, (*types.Package).Name)
		}
	}
	return ""
}

// gain adds the results of a callable operation.
func (m *maker) gain(results []types.Type) {
	for _, t := range results {
		if m.made[symbol.Type(t)] {
			continue
		}
		m.made[symbol.Type(t)] = true
		m.concrete = append(m.concrete, t)
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			m.made[symbol.Type(p.Elem())] = true
		}
	}
}

func (m *maker) makeable(t types.Type) bool {
	t = types.Unalias(t)
	key := symbol.Type(t)
	if m.made[key] || m.open[key] {
		return true
	}
	if forbidden(t) {
		return false
	}
	m.open[key] = true
	defer delete(m.open, key)
	switch t := t.(type) {
	case *types.Basic:
		return t.Kind() != types.Invalid
	case *types.Named:
		return m.makeableNamed(t)
	case *types.Pointer:
		return m.makeable(t.Elem())
	case *types.Slice:
		return m.makeable(t.Elem())
	case *types.Array:
		return m.makeable(t.Elem())
	case *types.Chan:
		return m.makeable(t.Elem())
	case *types.Map:
		return m.makeable(t.Key()) && m.makeable(t.Elem())
	case *types.Interface:
		return m.fillable(t)
	case *types.Struct, *types.Signature: // zero fields, recording stubs
		return true
	}
	return false
}

func (m *maker) makeableNamed(t *types.Named) bool {
	switch under := t.Underlying().(type) {
	case *types.Interface:
		return m.fillable(under) || m.implements(t)
	case *types.Struct:
		return m.nameable(t)
	case *types.Basic:
		return under.Kind() != types.UnsafePointer && under.Kind() != types.Uintptr
	default: // an unnamed value is assignable even if the type's name can't be written
		return m.makeable(under)
	}
}

// fillable reports whether a sequence can have a value that implements the interface.
func (m *maker) fillable(iface *types.Interface) bool {
	if !iface.IsMethodSet() {
		return false
	}
	if iface.Empty() || types.Implements(types.Universe.Lookup("error").Type(), iface) {
		return true
	}
	known := m.filling[iface] // an interface may have hundreds of methods, and be asked for by thousands of operations
	if !known.done {
		known.done = slices.ContainsFunc(m.concrete[known.tried:], func(t types.Type) bool {
			return types.Implements(t, iface)
		})
		known.tried = len(m.concrete)
		m.filling[iface] = known
	}
	return known.done
}

// nameable reports whether a program outside the package may write the type's name.
func (m *maker) nameable(t *types.Named) bool {
	p := t.Obj().Pkg()
	if p == nil {
		return true
	}
	if t.Obj().Parent() != p.Scope() || !usable(p, t.Obj().Name()) && !m.aliases(p)[t] {
		return false
	}
	for arg := range t.TypeArgs().Types() {
		if !m.makeable(arg) {
			return false
		}
	}
	return m.version.Owns(p) || importable(p.Path())
}

// aliases returns the types for which a package has an exported alias.
func (m *maker) aliases(p *types.Package) map[*types.Named]bool {
	if known, ok := m.aliased[p]; ok {
		return known
	}
	found := map[*types.Named]bool{}
	for _, name := range p.Scope().Names() {
		if obj, ok := p.Scope().Lookup(name).(*types.TypeName); ok && obj.IsAlias() && obj.Exported() {
			if named, ok := types.Unalias(obj.Type()).(*types.Named); ok {
				found[named] = true
			}
		}
	}
	m.aliased[p] = found
	return found
}

// importable reports whether the module can import a package of another module.
func importable(path string) bool {
	if path == "C" || path == "unsafe" || strings.HasPrefix(path, "vendor/") {
		return false
	}
	return !slices.Contains(strings.Split(path, "/"), "internal")
}

// Fields returns the exported fields of a struct type that a composite literal may set.
func Fields(t types.Type) []*types.Var {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var out []*types.Var
	for f := range s.Fields() {
		if f.Exported() && !forbidden(f.Type()) {
			out = append(out, f)
		}
	}
	return out
}
