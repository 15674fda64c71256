package suite

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
)

// cut takes declarations out of a file, and the names of some imports. All others keep their lines.
func (f *file) cut(declarations []ast.Decl, nameless func(*ast.ImportSpec) bool) error {
	source, changed := slices.Clone(f.source), len(declarations) > 0
	for _, d := range declarations {
		start := d.Pos()
		if doc := docOf(d); doc != nil { // directives in it want a declaration
			start = doc.Pos()
		}
		blank(source[f.offset(start):f.offset(d.End())])
	}
	for _, spec := range slices.Backward(f.syntax.Imports) { // so that the places of the others stay
		if nameless(spec) {
			source = slices.Replace(source, f.offset(spec.Pos()), f.offset(spec.Path.Pos()), []byte("_ ")...)
			changed = true
		}
	}
	if !changed {
		return nil
	}
	own, err := parsed(f.fset, f.fset.PositionFor(f.syntax.Package, false).Filename, source)
	*f = own
	return err
}

func docOf(d ast.Decl) *ast.CommentGroup {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Doc
	case *ast.GenDecl:
		return d.Doc
	}
	return nil
}

// linesOf returns the lines of a node, such as "x_test.go:12".
func linesOf(fset *token.FileSet, n ast.Node) (list []string) {
	from, to := fset.PositionFor(n.Pos(), false), fset.PositionFor(n.End(), false)
	for line := from.Line; line <= to.Line; line++ {
		list = append(list, fmt.Sprintf("%s:%d", filepath.Base(from.Filename), line))
	}
	return list
}

// blank overwrites a part of a source, but for the ends of lines.
func blank(part []byte) {
	for i, c := range part {
		if c != '\n' {
			part[i] = ' '
		}
	}
}
