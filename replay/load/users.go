package load

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// Users returns, for package-level variables, constants and types ("m/p.x") of the loaded packages,
// the declared functions whose source mentions them, directly or in the initialiser of a variable
// or constant that they mention. The lists are sorted.
func Users(v *Version, names map[spectra.Symbol]bool) map[spectra.Symbol][]spectra.Symbol {
	u := users{version: v, mentions: map[string]map[string]bool{}}
	for _, p := range v.Packages {
		for _, file := range p.Syntax {
			for _, d := range file.Decls {
				u.declaration(p.TypesInfo, p.PkgPath, d)
			}
		}
	}
	found := map[spectra.Symbol][]spectra.Symbol{}
	for name := range names {
		for _, user := range sortedKeys(closure([]string{string(name)}, u.back())) {
			if u.functions[user] {
				found[name] = append(found[name], spectra.Symbol(user))
			}
		}
	}
	return found
}

// Callers returns, for modules by path, the declared functions of the loaded packages whose source
// mentions something of the module. The lists are sorted.
func Callers(v *Version, modules []string) map[string][]spectra.Symbol {
	found := map[string][]spectra.Symbol{}
	for _, p := range v.Packages {
		for _, file := range p.Syntax {
			for _, d := range file.Decls {
				fd, ok := d.(*ast.FuncDecl)
				if !ok || fd.Body == nil {
					continue
				}
				fn, ok := p.TypesInfo.Defs[fd.Name].(*types.Func)
				if !ok {
					continue
				}
				for _, module := range modules {
					if mentions(p.TypesInfo, fd.Body, module) {
						found[module] = append(found[module], symbol.Function(fn))
					}
				}
			}
		}
	}
	for _, list := range found {
		slices.Sort(list)
	}
	return found
}

// mentions reports whether code mentions an object of a module's packages.
func mentions(info *types.Info, n ast.Node, module string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !found {
			if object := info.Uses[id]; object != nil && object.Pkg() != nil {
				path := object.Pkg().Path()
				found = path == module || strings.HasPrefix(path, module+"/")
			}
		}
		return !found
	})
	return found
}

// users gathers which declarations mention which.
type users struct {
	version   *Version
	mentions  map[string]map[string]bool // declaration → what it mentions
	functions map[string]bool
}

func (u *users) declaration(info *types.Info, pkg string, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		fn, ok := info.Defs[d.Name].(*types.Func)
		if !ok {
			return
		}
		if u.functions == nil {
			u.functions = map[string]bool{}
		}
		name := string(symbol.Function(fn))
		u.functions[name] = true
		u.within(info, name, d)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					u.within(info, pkg+"."+name.Name, spec)
				}
			case *ast.TypeSpec:
				u.within(info, pkg+"."+spec.Name.Name, spec)
			}
		}
	}
}

// within notes the package-level objects, other than functions, that a declaration mentions.
func (u *users) within(info *types.Info, name string, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		object := info.Uses[id]
		if object == nil || object.Pkg() == nil || object.Parent() != object.Pkg().Scope() ||
			!u.version.Owns(object.Pkg()) {
			return true
		}
		if _, ok := object.(*types.Func); !ok {
			if u.mentions[name] == nil {
				u.mentions[name] = map[string]bool{}
			}
			u.mentions[name][object.Pkg().Path()+"."+object.Name()] = true
		}
		return true
	})
}

// back turns the mentions around. Functions end a chain: what calls them does not use what they use.
func (u *users) back() map[string][]string {
	back := map[string][]string{}
	for from, set := range u.mentions {
		for to := range set {
			back[to] = append(back[to], from)
		}
	}
	for _, list := range back {
		slices.Sort(list)
	}
	return back
}
