package static

import (
	"go/ast"
	"go/token"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Counted returns the first name of the declaration in which a constant is counted on, as "m/p.x"; "" if what is named
// is nothing of that kind. Constants of one declaration change together where one is added to it.
func (p *Program) Counted(name spectra.Symbol) spectra.Symbol {
	for _, pkg := range p.Packages {
		if pkg.PkgPath != name.Package() {
			continue
		}
		for _, file := range pkg.Syntax {
			for _, decl := range file.Decls {
				gen, ok := decl.(*ast.GenDecl)
				if ok && gen.Tok == token.CONST && declares(gen, string(name[len(name.Package())+1:])) && Counts(gen) {
					return spectra.Symbol(pkg.PkgPath + "." + gen.Specs[0].(*ast.ValueSpec).Names[0].Name)
				}
			}
		}
	}
	return ""
}

func declares(gen *ast.GenDecl, name string) bool {
	for _, spec := range gen.Specs {
		for _, id := range spec.(*ast.ValueSpec).Names {
			if id.Name == name {
				return true
			}
		}
	}
	return false
}

// Counts reports whether a declaration counts its constants: whether it mentions iota.
func Counts(gen *ast.GenDecl) (found bool) {
	ast.Inspect(gen, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "iota"
		return !found
	})
	return found
}
