package suite

import (
	"go/ast"
	"slices"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Mentioning returns the names of the tests, examples and benchmarks in the test files of a package that mention
// something which is asked for, themselves or through what the files declare, as Changed does. It is asked for by the
// path of a package and a name that the package declares, "" for what an import does without one. Nothing is
// type-checked, so what has the same name in a test may be taken for it.
func (f *Files) Mentioning(path string, asked func(path, name string) bool) map[string]bool {
	all := declared(f, func(path string) string { return path })
	scopes, first := map[*ast.File]*scope{}, []declaredAs{}
	for _, of := range slices.Concat(f.inside, f.external) {
		s := scopeOf(of.syntax)
		if slices.ContainsFunc(s.blank, func(path string) bool { return asked(path, "") }) {
			first = append(first, declaredAs{names: []string{everyTest}})
		}
		scopes[of.syntax] = s
	}
	for _, of := range f.inside {
		scopes[of.syntax].around = append(scopes[of.syntax].around, path)
	}
	for _, d := range all {
		for _, p := range d.pieces {
			if slices.ContainsFunc(p.nodes, func(n ast.Node) bool { return scopes[p.file].mentions(n, asked) }) {
				first = append(first, d)
			}
		}
	}
	return f.running(spread(first, all))
}

// A scope says what packages a file can mention, by their paths.
type scope struct {
	named   map[string]string // by the names that they have there
	strange []string          // whose names nobody knows without types
	around  []string          // whose names need no other name before them
	blank   []string          // imported for what they do
}

func scopeOf(file *ast.File) *scope {
	s, before := &scope{named: symbol.Imported(file)}, map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if of, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := of.X.(*ast.Ident); ok {
				before[x.Name] = true
			}
		}
		return true
	})
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value) // what does not parse is not there
		switch names := symbol.ImportNames(spec); {
		case slices.Contains(names, "."):
			s.around = append(s.around, path)
		case slices.Contains(names, "_"):
			s.blank = append(s.blank, path)
		case !slices.ContainsFunc(names, func(name string) bool { return before[name] }):
			s.strange = append(s.strange, path)
		}
	}
	return s
}

// mentions reports whether code mentions something that is asked for.
func (s *scope) mentions(code ast.Node, asked func(path, name string) bool) (found bool) {
	selected := map[*ast.Ident]bool{}
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			selected[n.Sel] = true
			if x, ok := n.X.(*ast.Ident); ok {
				path, known := s.named[x.Name]
				found = found || known && asked(path, n.Sel.Name) ||
					slices.ContainsFunc(s.strange, func(path string) bool { return asked(path, n.Sel.Name) })
			}
		case *ast.Ident:
			found = found || !selected[n] &&
				slices.ContainsFunc(s.around, func(path string) bool { return asked(path, n.Name) })
		}
		return !found
	})
	return found
}
