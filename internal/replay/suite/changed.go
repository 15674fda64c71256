package suite

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Changed returns the names of the tests, examples and benchmarks in new that old does not have, or whose code is other
// than in old: their own, or that of something which they mention, directly or not. Old may be nil. Names decide;
// nothing is type-checked.
func Changed(old, new *Files) map[string]bool {
	before := map[string]string{}
	if old != nil {
		for name, d := range declared(slices.Concat(old.inside, old.external)) {
			before[name] = d.text
		}
	}
	found := map[string]bool{}
	files := slices.Concat(new.inside, new.external)
	all := declared(files)
	for _, f := range files {
		for _, d := range f.syntax.Decls {
			d, ok := d.(*ast.FuncDecl)
			if ok && d.Recv == nil && runs(d.Name.Name) && mentionsOther(d.Name.Name, all, before, map[string]bool{}) {
				found[d.Name.Name] = true
			}
		}
	}
	return found
}

// mentionsOther reports whether a declaration is not as before, or mentions one that is not.
func mentionsOther(name string, all map[string]declaredAs, before map[string]string, seen map[string]bool) bool {
	d, ok := all[name]
	if !ok || seen[name] {
		return false
	}
	seen[name] = true
	text, had := before[name]
	return !had || text != d.text || slices.ContainsFunc(d.mentions, func(other string) bool {
		return mentionsOther(other, all, before, seen)
	})
}

// A declaredAs is the source of a declaration, without what does not matter to the compiler, and the names in it.
type declaredAs struct {
	text     string
	mentions []string
}

// declared returns what files declare, by name. All methods of one name are one declaration.
func declared(files []file) map[string]declaredAs {
	all := map[string]declaredAs{}
	add := func(f file, name string, n ast.Node) {
		of := all[name]
		var text strings.Builder
		for t := range symbol.Tokens(f.source[f.offset(n.Pos()):f.offset(n.End())]) {
			text.WriteString(t.Text + " ")
		}
		of.text += text.String() + "\n"
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				of.mentions = append(of.mentions, id.Name)
			}
			return true
		})
		all[name] = of
	}
	for _, f := range files {
		for _, d := range f.syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				add(f, d.Name.Name, d)
			case *ast.GenDecl:
				if d.Tok == token.IMPORT {
					continue
				}
				for _, spec := range d.Specs {
					for _, name := range namesOf(spec) {
						add(f, name, spec)
					}
				}
			}
		}
	}
	return all
}

func namesOf(spec ast.Spec) (names []string) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		names = append(names, spec.Name.Name)
	case *ast.ValueSpec:
		for _, id := range spec.Names {
			names = append(names, id.Name)
		}
	}
	return names
}
