// Package extent finds the lines of a declaration in the text of a Go file.
//
// In: the text of a file, and the name of a declaration as a Symbol spells it, whatever its import path. Out: the first
// and the last line of it; of a function literal, those of the function that it is in.
//
// What does not parse as a whole is searched as far as it parses. The same text has the same lines. The package never
// reads a file, and never type-checks.
package extent

import (
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A File is the parsed text of a Go file.
type File struct {
	fset *token.FileSet
	file *ast.File
}

// Parse parses a file. With an error, which says what does not parse, declarations are found nevertheless.
func Parse(src []byte) (*File, error) {
	f := &File{fset: token.NewFileSet()}
	var err error
	f.file, err = parser.ParseFile(f.fset, "", src, parser.SkipObjectResolution) // as far as it parses
	return f, err
}

// Find is File.Find for the text of a file.
func Find(src []byte, name spectra.Symbol) (first, last int) {
	f, _ := Parse(src)
	return f.Find(name)
}

// Find returns the lines of a declaration, from 1, comments in front of it left out. It is not found where first is 0.
func (f *File) Find(name spectra.Symbol) (first, last int) {
	if f.file == nil {
		return 0, 0
	}
	want := name.Declared().Short()
	for _, d := range f.file.Decls {
		if n := within(d, want); n != nil {
			at, end := f.fset.PositionFor(n.Pos(), false), f.fset.PositionFor(n.End(), false)
			return at.Line, max(at.Line, end.Line)
		}
	}
	return 0, 0
}

// within returns the node of a declaration that has a name, or nil.
func within(d ast.Decl, want string) ast.Node {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if function(d) == want {
			return d
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if declares(spec, want) {
				if !d.Lparen.IsValid() {
					return d
				}
				return spec
			}
		}
	}
	return nil
}

// function spells the name of a function as a Symbol does.
func function(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	return symbol.ReceiverSyntax(d.Recv.List[0].Type) + "." + d.Name.Name
}

// declares reports whether a variable, constant or type of that name is declared.
func declares(spec ast.Spec, want string) bool {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return spec.Name.Name == want
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if name.Name == want {
				return true
			}
		}
	}
	return false
}
