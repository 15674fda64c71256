package suite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
)

// Without returns the files without the functions that are declared at some lines such as "x_test.go:12", because they
// do not compile there, and without the names of the imports there, which only such functions used. Lines stay where
// they were. It reports false if something else is at a line, TestMain, or a function that is kept.
func (f *Files) Without(lines map[string]bool, kept func(name string) bool) (*Files, bool) {
	without, found := *f, map[string]bool{}
	for _, list := range []*[]file{&without.inside, &without.external} {
		*list = slices.Clone(*list)
		for i := range *list {
			if err := (*list)[i].leave(lines, kept, found); err != nil {
				return nil, false
			}
		}
	}
	return &without, len(found) == len(lines)
}

// leave is Without for one file. It notes which of the lines it found.
func (f *file) leave(lines map[string]bool, kept func(name string) bool, found map[string]bool) error {
	named := func(d ast.Node) (any bool) {
		for _, at := range linesOf(f.fset, d) {
			if lines[at] {
				found[at], any = true, true
			}
		}
		return any
	}
	var functions []*ast.FuncDecl
	for _, d := range f.syntax.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name != testMain && !kept(d.Name.Name) && named(d) {
			functions = append(functions, d)
		}
	}
	return f.cut(functions, func(spec *ast.ImportSpec) bool { return named(spec) })
}

// cut takes functions out of a file, and the names of some imports. All others keep their lines.
func (f *file) cut(functions []*ast.FuncDecl, nameless func(*ast.ImportSpec) bool) error {
	source, changed := slices.Clone(f.source), len(functions) > 0
	for _, d := range functions {
		start := d.Pos()
		if d.Doc != nil { // directives in it want a declaration
			start = d.Doc.Pos()
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
	name := f.fset.PositionFor(f.syntax.Package, false).Filename
	syntax, err := parser.ParseFile(f.fset, name, source, parsing)
	f.source, f.syntax = source, syntax
	return err
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
