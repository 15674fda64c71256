package api

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// parts returns operations that read fields and assert types, for types whose other values come only from literals and
// stubs. It adds their results to the maker.
func (m *maker) parts() []*Operation {
	var all []*Operation
	for again := true; again; { // a field may hold a struct with fields itself
		var found []*Operation
		for _, p := range m.version.Chosen(m.paths) {
			fault.In(p.PkgPath, finding, func() {
				found = append(found, m.fieldsOf(p)...)
				found = append(found, m.assertions(p)...)
			})
		}
		for _, op := range found {
			m.gain(op.Results)
		}
		all, again = append(all, found...), len(found) > 0
	}
	return all
}

// fieldsOf returns operations that read fields of a package's structs.
func (m *maker) fieldsOf(p *packages.Package) []*Operation {
	var found []*Operation
	for _, named := range namedIn(p.Types) {
		owner := m.returned(named)
		structure, ok := named.Underlying().(*types.Struct)
		if owner == nil || !ok {
			continue
		}
		for f := range structure.Fields() {
			if f.Exported() && local(p.Types, f.Type()) && m.hiddenValue(f.Type()) {
				name := p.PkgPath + "." + named.Obj().Name() + "." + f.Name()
				found = append(found, part(p, name, owner, f.Type(), "return v."+f.Name()))
			}
		}
	}
	return found
}

// hiddenValue reports whether only the module makes proper values of a type and no operation returns one: an interface
// that no known type implements, or a type that no other package can name.
func (m *maker) hiddenValue(t types.Type) bool {
	named, _ := symbol.Receiver(t)
	if named == nil || forbidden(t) || m.made[symbol.Type(t)] {
		return false
	}
	if iface, ok := named.Underlying().(*types.Interface); ok {
		return types.IsInterface(t) && iface.IsMethodSet() && !m.fillable(iface)
	}
	return !m.nameable(named)
}

// assertions returns operations that assert a value of one of the package's interfaces to be of another type: an
// interface, or a type of which only the package's own code makes proper values. The types are those that a value of
// the interface may have.
func (m *maker) assertions(p *packages.Package) []*Operation {
	var found []*Operation
	declared := namedIn(p.Types)
	held := slices.DeleteFunc(slices.Clone(declared), func(t *types.Named) bool {
		iface, ok := t.Underlying().(*types.Interface)
		return !ok || iface.Empty() || !m.made[symbol.Type(t)]
	})
	for _, wanted := range declared {
		if !usable(p.Types, wanted.Obj().Name()) || !m.unmade(wanted) {
			continue
		}
		for _, from := range held {
			if to := asserted(from, wanted, declared); to != nil {
				text, _, _ := spelled(p.Types, to) // the package declares it
				name := p.PkgPath + "." + from.Obj().Name() + ".(" + text + ")"
				op := part(p, name, from, to, "held, _ := v.("+text+"); return held")
				op.Asserts = true
				found = append(found, op)
			}
		}
	}
	return found
}

// unmade reports whether only an assertion gives a proper value of a type: an interface that no known type implements,
// or a struct that no operation returns and whose fields no literal can set.
func (m *maker) unmade(t *types.Named) bool {
	if s, ok := t.Underlying().(*types.Struct); ok {
		return m.returned(t) == nil && len(Fields(t)) < s.NumFields()
	}
	return types.IsInterface(t) && m.hiddenValue(t)
}

// asserted returns the type to which a value of an interface may be asserted: the wanted interface, or the wanted
// struct or a pointer to it. It is nil if no value can have the type, or the assertion gives nothing.
func asserted(from, wanted *types.Named, declared []*types.Named) types.Type {
	held := from.Underlying().(*types.Interface)
	w, ok := wanted.Underlying().(*types.Interface)
	if !ok {
		for _, t := range []types.Type{wanted, types.NewPointer(wanted)} {
			if types.Implements(t, held) {
				return t
			}
		}
		return nil
	}
	if types.Implements(from, w) {
		return nil
	}
	for _, t := range declared {
		for _, t := range []types.Type{t, types.NewPointer(t)} {
			if !types.IsInterface(t) && types.Implements(t, held) && types.Implements(t, w) {
				return wanted
			}
		}
	}
	return nil
}

// returned returns a named type or a pointer to it, whichever operations return; nil if none does.
func (m *maker) returned(named *types.Named) types.Type {
	if pointer := types.NewPointer(named); m.made[symbol.Type(pointer)] {
		return pointer
	}
	if m.made[symbol.Type(named)] {
		return named
	}
	return nil
}

// namedIn returns the types that a package declares, without generic ones, sorted by name.
func namedIn(p *types.Package) []*types.Named {
	var list []*types.Named
	for _, name := range p.Scope().Names() {
		obj, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() || generated(name) {
			continue
		}
		if named, ok := obj.Type().(*types.Named); ok && named.TypeParams().Len() == 0 {
			list = append(list, named)
		}
	}
	return list
}

// part returns the operation that returns a part of its only parameter, which the statements call v.
func part(p *packages.Package, name string, of, is types.Type, statements string) *Operation {
	text := func(t types.Type) string {
		text, _, _ := spelled(p.Types, t) // it is local
		return text
	}
	return &Operation{
		Name: name, Symbol: spectra.Symbol(name), Package: p.PkgPath,
		Expr:     "func(v " + text(of) + ") " + text(is) + " { " + statements + " }",
		Variable: true, Params: []types.Type{of}, Results: []types.Type{is},
	}
}
