package positions

import (
	"go/ast"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/align"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A declaration is a function, or a variable, constant or type, with the lines that it covers.
type declaration struct {
	symbol spectra.Symbol
	file   string
	lines  align.Run // by index
}

// declarations lists the declarations that have a name, in the order of the files.
func declarations(pkg *Package) []declaration {
	var files []*ast.File
	for _, f := range pkg.Files {
		files = append(files, f.Syntax)
	}
	functions := symbol.Functions(pkg.Path, pkg.Info, files)
	var list []declaration
	for _, f := range pkg.Files {
		for _, decl := range f.Syntax.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				list = append(list, pkg.declaration(functions[decl], f, decl))
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if name := nameOf(spec); name != nil && pkg.Info.Defs[name] != nil {
						global := spectra.Symbol(symbol.Global(pkg.Info.Defs[name]))
						list = append(list, pkg.declaration(global, f, spec))
					}
				}
			}
		}
	}
	return list
}

// nameOf returns the first name that a specification declares, nil if it has none of its own.
func nameOf(spec ast.Spec) *ast.Ident {
	var name *ast.Ident
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		name = spec.Names[0]
	case *ast.TypeSpec:
		name = spec.Name
	}
	if name == nil || name.Name == "_" {
		return nil
	}
	return name
}

func (pkg *Package) declaration(name spectra.Symbol, f File, node ast.Node) declaration {
	file := pkg.Fset.File(f.Syntax.FileStart)
	first := file.PositionFor(node.Pos(), false).Line
	last := file.PositionFor(node.End(), false).Line
	return declaration{name, f.Name, align.Run{From: first - 1, To: last}}
}
