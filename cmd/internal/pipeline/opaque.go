package pipeline

// This file finds the types that the project does not want compared.

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/cmd/internal/project"
	"github.com/spectradiff/spectradiff/replay/load"
	"github.com/spectradiff/spectradiff/spectra"
)

// opaqueTypes returns the types that the project lists, under their names in either version, and the
// warning that says so.
func opaqueTypes(t *task, p *plan) (names []string, warning string, err error) {
	entries, err := project.OpaqueEntries(t.cfg.Dir)
	if err != nil || len(entries) == 0 {
		return nil, "", err
	}
	known := knownTypes{}
	p.sides.Each(func(_ spectra.Side, s side) { known.add(s.target) })
	for _, entry := range entries {
		if !known[entry.Type] {
			return nil, "", fmt.Errorf("%s: neither version knows %s: list a type, or with a dot at the end "+
				"a package, that the module declares or imports", entry.At, entry.Type)
		}
		t.env.Detailf("%s: %s is not compared: %s", entry.At, entry.Type, entry.What)
		names = append(names, entry.Type)
		if old := string(p.oldName(spectra.Symbol(entry.Type))); old != entry.Type {
			names = append(names, old)
		}
	}
	what := fmt.Sprintf("%d types or packages are", len(entries))
	if len(entries) == 1 {
		what = entries[0].Type + " is"
	}
	return names, fmt.Sprintf("%s not compared, because %s says so", what, project.OpaqueFile), nil
}

// knownTypes holds the types and, with a dot at the end, the packages that a version can name.
type knownTypes map[string]bool

func (k knownTypes) add(t *load.Version) {
	seen := map[*types.Package]bool{}
	for _, p := range t.Packages {
		k.declared(p)
		k.imported(p.Types, seen)
	}
}

func (k knownTypes) imported(p *types.Package, seen map[*types.Package]bool) {
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

// declared adds the types declared inside of functions: states know them by their bare name too.
func (k knownTypes) declared(p *packages.Package) {
	if p.TypesInfo == nil {
		return
	}
	for _, object := range p.TypesInfo.Defs {
		if t, ok := object.(*types.TypeName); ok && t.Pkg() != nil {
			k[t.Pkg().Path()+"."+t.Name()] = true
		}
	}
}
