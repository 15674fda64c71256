package api

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Types returns the types that sequences of the operations may have to name, sorted by name: the usable types of the
// packages, instances that the operations use, and types of other modules in parameters, results and fields that a
// literal can set.
func Types(version *load.Version, ops []*Operation, paths []string) []Type {
	n := naming{version: version, maker: newMaker(version, paths), found: map[string]Type{}}
	for _, p := range version.Chosen(paths) {
		fault.In(p.PkgPath, finding, func() { n.declared(p.Types) })
	}
	n.known()
	for _, op := range ops {
		for _, param := range op.Params {
			symbol.Named(param, func(named *types.Named) { n.add(named) })
		}
		for _, result := range op.Results {
			symbol.Named(result, func(named *types.Named) { n.add(named) })
		}
	}
	var out []Type
	for _, name := range slices.Sorted(maps.Keys(n.found)) {
		out = append(out, n.found[name])
	}
	return out
}

// A naming collects types by canonical name.
type naming struct {
	version *load.Version
	maker   *maker
	found   map[string]Type
}

// declared adds the usable types of a package of the module.
func (n *naming) declared(p *types.Package) {
	for _, name := range p.Scope().Names() {
		obj, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || !usable(p, name) {
			continue
		}
		named, ok := types.Unalias(obj.Type()).(*types.Named)
		if !ok || named.TypeParams().Len() > 0 {
			continue
		}
		n.add(named)
		if obj.IsAlias() && named.Obj().Pkg() == p && !usable(p, named.Obj().Name()) && ordinary(named) {
			n.found[symbol.Type(named)] = Type{Name: symbol.Type(named), Package: p.Path(), Expr: name, Type: named}
		}
	}
}

func (n *naming) known() {
	for _, known := range knownTypes() {
		if p := n.version.Known(known.Import); p != nil {
			obj := p.Scope().Lookup(known.Name)
			if obj == nil {
				continue // its export data has only the parts that were imported
			}
			if named, ok := obj.Type().(*types.Named); ok {
				n.add(named)
			}
		}
	}
}

// add adds a type and the types of its fields, unless it can't be written.
func (n *naming) add(t *types.Named) {
	name := symbol.Type(t)
	p := t.Obj().Pkg()
	if _, ok := n.found[name]; ok || p == nil || !ordinary(t) || !usable(p, t.Obj().Name()) || !n.maker.nameable(t) {
		return
	}
	switch {
	case slices.Contains(n.maker.paths, p.Path()) && local(p, t):
		n.found[name] = Type{Name: name, Package: p.Path(), Expr: symbol.Source(t, types.RelativeTo(p)), Type: t}
	case n.writable(t):
		n.found[name] = Type{Name: name, Expr: name, Type: t}
	default:
		return
	}
	if !n.version.Owns(p) {
		return // suppliers make better values of such types than literals
	}
	for _, field := range Fields(t) {
		symbol.Named(field.Type(), func(inner *types.Named) { n.add(inner) })
	}
}

// writable reports whether the driver's main package can write the type with all its arguments.
func (n *naming) writable(t *types.Named) bool {
	s := spelling{imports: map[string]bool{}}
	return s.can(t)
}

// open reports whether the type is exported by a package that others can import.
func open(t *types.Named) bool {
	p := t.Obj().Pkg()
	return p.Name() != "main" && t.Obj().Exported() && t.Obj().Parent() == p.Scope()
}

// ordinary reports whether values can have the type: it is no constraint, was not made by cgo, and has no free type
// parameters.
func ordinary(t *types.Named) bool {
	return !constrains(t) && !forbidden(t) && !strings.Contains(symbol.Type(t), "$") &&
		t.TypeParams().Len() == t.TypeArgs().Len()
}

// constrains reports whether a type can only be a constraint: no value has it.
func constrains(t *types.Named) bool {
	iface, ok := t.Underlying().(*types.Interface)
	return ok && !iface.IsMethodSet()
}
