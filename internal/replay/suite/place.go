package suite

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// A home is where a function of a test file is declared, without its comment.
type home struct {
	file string
	line int
}

// in returns the files of a package itself or of its external test package, none of no files.
func (f *Files) in(external bool) []file {
	switch {
	case f == nil:
		return nil
	case external:
		return f.external
	}
	return f.inside
}

// homes returns where functions of test files are declared, by receivers and names.
func homes(files []file) map[string]home {
	found := map[string]home{}
	for _, f := range files {
		for _, d := range f.syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				found[f.named(d)] = f.home(d)
			}
		}
	}
	return found
}

func (f *file) home(d *ast.FuncDecl) home {
	return home{f.name, f.fset.PositionFor(d.Pos(), false).Line}
}

// named returns the receiver and the name of a function.
func (f *file) named(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	return string(f.source[f.offset(d.Recv.Pos()):f.offset(d.Recv.End())]) + "." + d.Name.Name
}

// placed returns a test file from an offset on, in which functions begin at the lines of those of their names
// elsewhere: tests say where they fail.
func (f *file) placed(from int, elsewhere map[string]home, placeOf func(string) string) string {
	type mark struct {
		at   int
		text string
	}
	var marks []mark
	for _, d := range f.syntax.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		own, other := f.home(d), elsewhere[f.named(d)]
		start, end := f.offset(d.Pos()), f.offset(d.End())
		alone := start > 0 && f.source[start-1] == '\n' && (end == len(f.source) || f.source[end] == '\n')
		if !alone || other.file == "" || own == other {
			continue
		}
		next := own.line + bytes.Count(f.source[start:end], []byte("\n")) + 1
		marks = append(marks, mark{start, fmt.Sprintf("//line %s:%d\n", placeOf(other.file), other.line)},
			mark{end, fmt.Sprintf("\n//line %s:%d", placeOf(f.name), next)})
	}
	slices.SortFunc(marks, func(x, y mark) int { return cmp.Compare(x.at, y.at) })
	var text strings.Builder
	for _, m := range marks {
		text.Write(f.source[from:m.at])
		text.WriteString(m.text)
		from = m.at
	}
	text.Write(f.source[from:])
	return text.String()
}
