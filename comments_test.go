package spectradiff_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// TestCommentsBelong checks that no comment consists of two: that of another declaration, followed by the
// declaration's own. That happens when something is inserted between a comment and its declaration.
func TestCommentsBelong(t *testing.T) {
	declared := map[string]map[string]bool{} // folder → names
	all := sources(t)
	for _, source := range all {
		if declared[source.folder] == nil {
			declared[source.folder] = map[string]bool{}
		}
		documented(source.file, func(_ *ast.CommentGroup, names []string) {
			for _, name := range names {
				declared[source.folder][name] = true
			}
		})
	}
	for _, source := range all {
		documented(source.file, func(comment *ast.CommentGroup, names []string) {
			first, rest, _ := strings.Cut(comment.Text(), "\n")
			other, _, _ := strings.Cut(first, " ")
			if !declared[source.folder][other] || slices.Contains(names, other) {
				return
			}
			for line := range strings.Lines(rest) {
				if own, _, _ := strings.Cut(line, " "); slices.Contains(names, own) {
					at := source.fileSet.Position(comment.Pos())
					t.Errorf("%s: the comment of %s opens with that of %s", at, own, other)
				}
			}
		})
	}
}

// documented visits the declarations of a file with their comments.
func documented(file *ast.File, visit func(comment *ast.CommentGroup, names []string)) {
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			visit(d.Doc, []string{d.Name.Name})
		case *ast.GenDecl:
			var whole []string
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					whole = append(whole, spec.Name.Name)
					visit(spec.Doc, []string{spec.Name.Name})
				case *ast.ValueSpec:
					var names []string
					for _, name := range spec.Names {
						names = append(names, name.Name)
					}
					whole = append(whole, names...)
					visit(spec.Doc, names)
				}
			}
			visit(d.Doc, whole)
		}
	}
}
