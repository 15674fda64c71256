package load

import (
	"go/types"

	"golang.org/x/tools/go/packages"
)

// TypeNames returns the names of the types that the version declares or imports, and of the packages, with a dot at the
// end.
func (v *Version) TypeNames() map[string]bool {
	names, seen := typeNames{}, map[*types.Package]bool{}
	for _, p := range v.Packages {
		names.declared(p)
		names.imported(p.Types, seen)
	}
	return names
}

type typeNames map[string]bool

func (k typeNames) imported(p *types.Package, seen map[*types.Package]bool) {
	if p == nil || seen[p] {
		return
	}
	seen[p] = true
	k[p.Path()+"."] = true
	for _, name := range p.Scope().Names() {
		if _, ok := p.Scope().Lookup(name).(*types.TypeName); ok {
			k[p.Path()+"."+name] = true
		}
	}
	for _, other := range p.Imports() {
		k.imported(other, seen)
	}
}

// declared adds types declared inside functions, whose names in states are bare.
func (k typeNames) declared(p *packages.Package) {
	if p.TypesInfo == nil {
		return
	}
	for _, object := range p.TypesInfo.Defs {
		if t, ok := object.(*types.TypeName); ok && t.Pkg() != nil {
			k[t.Pkg().Path()+"."+t.Name()] = true
		}
	}
}
