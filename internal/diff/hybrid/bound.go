package hybrid

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A Bound is a declaration that uses something which differs by version, and always the base's version of it, whatever
// units are switched: as of another package, in the type of an array, or by code that can't be switched.
type Bound struct {
	User     spectra.Symbol // the base's name
	Function bool           // the user is one
	Of       spectra.Symbol // what it uses, likewise
}

// differing notes a variable, constant or function of the other that differs from what the base has in its place, or
// of which that is not known.
func (m *mixer) differing(other types.Object, name spectra.Symbol) {
	if other != nil {
		m.differ[symbol.Declared(other)] = name
	}
}

// binding lists what uses the base's version of what differs, sorted. The code of further packages of the other is
// looked at as well.
func binding(mixers []*mixer, further []*packages.Package) []Bound {
	differ, found := map[spectra.Symbol]spectra.Symbol{}, map[Bound]bool{}
	for _, m := range mixers {
		maps.Copy(differ, m.differ)
	}
	if len(differ) == 0 {
		return nil
	}
	for _, m := range mixers {
		m.bindings(m.of.Other, differ, found)
	}
	outside := &mixer{Config: mixers[0].Config} // something differs, so there is one
	for _, p := range further {
		outside.bindings(p, differ, found)
	}
	return slices.SortedFunc(maps.Keys(found), func(x, y Bound) int {
		return cmp.Or(cmp.Compare(x.User, y.User), cmp.Compare(x.Of, y.Of))
	})
}

// bindings adds the declarations of a package that are not switched, and use what differs.
func (m *mixer) bindings(p *packages.Package, differ map[spectra.Symbol]spectra.Symbol, found map[Bound]bool) {
	add := func(id *ast.Ident, node ast.Node) {
		object := p.TypesInfo.Defs[id]
		if object == nil || m.written(object, differ) {
			return
		}
		held := m.holds(object)
		function, name := isFunction(object), m.BaseName(symbol.Declared(object))
		if !held && function && m.bases != nil && m.bases[name].node == nil {
			return // what only the other has is brought along where it is needed
		}
		ast.Inspect(node, func(n ast.Node) bool {
			if used := mentioned(p.TypesInfo, n); used != nil && !(held && m.renamed[used] != "") {
				if of := differ[symbol.Declared(used)]; of != "" {
					found[Bound{User: name, Function: function, Of: of}] = true
				}
			}
			return true
		})
	}
	for _, file := range p.Syntax {
		for _, decl := range file.Decls {
			eachName(decl, add)
		}
	}
}

// written reports whether what an object of the other is in the base does not matter: a constant that differs is
// written by its value, and one of the same value is the same.
func (m *mixer) written(object types.Object, differ map[spectra.Symbol]spectra.Symbol) bool {
	c, ok := object.(*types.Const)
	if !ok {
		return false
	}
	is := m.baseConstant(c)
	return differ[symbol.Declared(c)] != "" || is != nil && sameValue(c, is)
}

// eachName calls a function with the names that a declaration declares, and with the node that says what each is.
func eachName(decl ast.Decl, of func(*ast.Ident, ast.Node)) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		of(decl.Name, decl)
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					of(id, spec)
				}
			case *ast.TypeSpec:
				of(spec.Name, spec)
			}
		}
	}
}

func isFunction(object types.Object) bool {
	_, ok := object.(*types.Func)
	return ok
}

// holds reports whether the hybrid has the other's version of a declaration as well.
func (m *mixer) holds(object types.Object) bool {
	return slices.ContainsFunc(m.parts, func(p *part) bool { return p.object == object && !p.dropped })
}

// mentioned returns the function, or the variable or constant of a package, that a node names; nil if it names none.
func mentioned(info *types.Info, n ast.Node) types.Object {
	id, ok := n.(*ast.Ident)
	if !ok {
		return nil
	}
	object := info.Uses[id]
	if object == nil || object.Pkg() == nil || !isFunction(object) && object.Parent() != object.Pkg().Scope() {
		return nil
	}
	return origin(object)
}
