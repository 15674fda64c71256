package suite

import (
	"bytes"
	"go/ast"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Only returns the files without the functions that are only there for tests, examples, benchmarks and fuzz targets
// which are not kept: these, and what only they use. Methods, variables and types stay, with what they use, and so does
// TestMain. Imports that only such functions used have no name afterwards. Lines stay where they were. Names decide
// what uses what, so more may stay than has to. What is kept behaves as before.
func (f *Files) Only(kept func(name string) bool) *Files {
	all := slices.Concat(f.inside, f.external)
	needed := needed(all, kept)
	only := *f
	for _, list := range []*[]file{&only.inside, &only.external} {
		*list = slices.Clone(*list)
		for i := range *list {
			(*list)[i].keep(needed)
		}
	}
	return &only
}

// needed returns the names that are used in what is kept of files, and in what that uses.
func needed(files []file, kept func(name string) bool) map[string]bool {
	names, users := map[string]bool{}, map[string][]*ast.FuncDecl{}
	var next []ast.Node
	for i := range files {
		whole := !files[i].separable()
		for _, d := range files[i].syntax.Decls {
			of, droppable := droppable(d)
			switch {
			case !droppable || whole || runs(of.Name.Name) && kept(of.Name.Name):
				next = append(next, d)
			default:
				users[of.Name.Name] = append(users[of.Name.Name], of)
			}
		}
	}
	for len(next) > 0 {
		ast.Inspect(next[0], func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && !names[id.Name] {
				names[id.Name] = true
				for _, of := range users[id.Name] {
					next = append(next, of)
				}
			}
			return true
		})
		next = next[1:]
	}
	return names
}

// droppable reports whether a declaration is a function that a program may do without where nothing names it.
func droppable(d ast.Decl) (*ast.FuncDecl, bool) {
	of, ok := d.(*ast.FuncDecl)
	return of, ok && of.Recv == nil && of.Body != nil && !slices.Contains([]string{"init", "_", testMain}, of.Name.Name)
}

// linkname tells the linker of a function, by its name in a comment.
const linkname = "//go:linkname "

// separable reports whether names tell which functions and imports of the file are used.
func (f *file) separable() bool {
	if bytes.Contains(f.source, []byte(linkname)) {
		return false
	}
	used := selected(f.syntax.Decls)
	return !slices.ContainsFunc(f.syntax.Imports, func(spec *ast.ImportSpec) bool {
		if spec.Name != nil {
			return spec.Name.Name == "."
		}
		return !slices.ContainsFunc(symbol.ImportNames(spec), func(name string) bool { return used[name] })
	})
}

// selected returns the names of which declarations select something, as they do of packages.
func selected(decls []ast.Decl) map[string]bool {
	names := map[string]bool{}
	for _, d := range decls {
		ast.Inspect(d, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := s.X.(*ast.Ident); ok {
					names[id.Name] = true
				}
			}
			return true
		})
	}
	return names
}

// keep drops the functions of a file that nothing needed names.
func (f *file) keep(needed map[string]bool) {
	if !f.separable() {
		return
	}
	var dropped []ast.Decl
	var rest []ast.Decl
	for _, d := range f.syntax.Decls {
		if of, droppable := droppable(d); droppable && !needed[of.Name.Name] {
			dropped = append(dropped, of)
		} else {
			rest = append(rest, d)
		}
	}
	if len(dropped) == 0 {
		return
	}
	own := *f
	if err := own.cut(dropped, f.unnamed(rest, nil)); err == nil {
		*f = own
	}
}

// unnamed returns which imports need no name where only some of the declarations stay: those whose names these do not
// select anything of, if names tell, or it is known that they are not used.
func (f *file) unnamed(rest []ast.Decl, unused func(*ast.ImportSpec) bool) func(*ast.ImportSpec) bool {
	used, separable := selected(rest), f.separable()
	return func(spec *ast.ImportSpec) bool {
		named := func(name string) bool { return used[name] }
		return (separable || unused(spec)) && !slices.ContainsFunc(symbol.ImportNames(spec), named)
	}
}
