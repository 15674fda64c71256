package static

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Users returns, for package-level variables, constants and types ("m/p.x"), the declared functions whose
// source mentions them. A function that mentions a variable or constant also counts for everything that
// its initialiser mentions. The lists are sorted.
func (p *Program) Users(names map[spectra.Symbol]bool) map[spectra.Symbol][]spectra.Symbol {
	u := users{program: p, mentions: map[string]map[string]bool{}, functions: map[string]bool{}}
	for _, pkg := range p.Packages {
		for _, file := range pkg.Syntax {
			for _, d := range file.Decls {
				u.declaration(pkg.TypesInfo, pkg.PkgPath, d)
			}
		}
	}
	back := u.back()
	found := map[spectra.Symbol][]spectra.Symbol{}
	for name := range names {
		reached := map[string]bool{}
		back.follow(string(name), reached)
		for _, user := range slices.Sorted(maps.Keys(reached)) {
			if u.functions[user] {
				found[name] = append(found[name], spectra.Symbol(user))
			}
		}
	}
	return found
}

// Callers returns, for modules by path, the declared functions whose source mentions anything that the
// module declares. The lists are sorted.
func (p *Program) Callers(modules []string) map[string][]spectra.Symbol {
	found := map[string][]spectra.Symbol{}
	for _, pkg := range p.Packages {
		for _, file := range pkg.Syntax {
			for _, d := range file.Decls {
				fd, ok := d.(*ast.FuncDecl)
				if !ok || fd.Body == nil {
					continue
				}
				fn, ok := pkg.TypesInfo.Defs[fd.Name].(*types.Func)
				if !ok {
					continue
				}
				for _, module := range modules {
					if mentions(pkg.TypesInfo, fd.Body, module) {
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

// users collects which declaration mentions which others.
type users struct {
	program   *Program
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

// within notes the package-level objects, except functions, that a declaration mentions.
func (u *users) within(info *types.Info, name string, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		object := info.Uses[id]
		if object == nil || object.Pkg() == nil || object.Parent() != object.Pkg().Scope() ||
			!u.program.ownsPackage(object.Pkg()) {
			return true
		}
		if _, ok := object.(*types.Func); !ok {
			if u.mentions[name] == nil {
				u.mentions[name] = map[string]bool{}
			}
			u.mentions[name][symbol.Global(object)] = true
		}
		return true
	})
}

// back reverses the mentions. Functions end a chain: what calls a function does not use everything that
// the function uses.
func (u *users) back() edges {
	back := edges{}
	for from, set := range u.mentions {
		for to := range set {
			back.add(to, from)
		}
	}
	return back
}
