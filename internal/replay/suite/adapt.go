package suite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// An Adaptation says how tests of one version run on the other one, with whose code some of their functions do not
// compile. There it has its own functions of these names, if they are adapted and else the same. It does without the
// others.
type Adaptation struct {
	Tests   *Files
	others  *Files
	instead map[*ast.FuncDecl]*ast.FuncDecl // functions of tests, with the other ones in their place; nil: none
	unused  map[*ast.ImportSpec]bool
}

// Adapt returns an adaptation of tests that leaves all as it is. The others are those of the other version; nil: none
// of them is taken.
func Adapt(tests, others *Files) *Adaptation {
	if others == nil {
		others = &Files{}
	}
	return &Adaptation{tests, others, map[*ast.FuncDecl]*ast.FuncDecl{}, map[*ast.ImportSpec]bool{}}
}

// Syntax returns the files as the other version has them: the package's own, and those of its external test package.
func (a *Adaptation) Syntax() (inside, external []*ast.File) {
	of := func(tests, others []file) (list []*ast.File) {
		for _, f := range tests {
			list = append(list, filtered(f.syntax, func(d ast.Decl) bool { return !a.replaces(d) }))
		}
		for _, f := range others {
			if a.lends(f) {
				list = append(list, filtered(f.syntax, func(d ast.Decl) bool { return isImport(d) || a.lent(d) }))
			}
		}
		return list
	}
	return of(a.Tests.inside, a.others.inside), of(a.Tests.external, a.others.external)
}

// filtered returns a file with some of its declarations.
func filtered(f *ast.File, kept func(ast.Decl) bool) *ast.File {
	own := *f
	own.Decls = slices.DeleteFunc(slices.Clone(f.Decls), func(d ast.Decl) bool { return !kept(d) })
	return &own
}

func isImport(d ast.Decl) bool {
	of, ok := d.(*ast.GenDecl)
	return ok && of.Tok == token.IMPORT
}

// replaces reports whether the other version does not have a function of the tests, or has another one.
func (a *Adaptation) replaces(d ast.Decl) bool {
	of, ok := d.(*ast.FuncDecl)
	if !ok {
		return false
	}
	_, gone := a.instead[of]
	return gone
}

// lent reports whether one of the other functions is taken.
func (a *Adaptation) lent(d ast.Decl) bool {
	for _, other := range a.instead {
		if other != nil && other == d {
			return true
		}
	}
	return false
}

func (a *Adaptation) lends(f file) bool { return slices.ContainsFunc(f.syntax.Decls, a.lent) }

// Lines returns the lines of the functions that the other version does not have so.
func (a *Adaptation) Lines() map[string]bool {
	lines := map[string]bool{}
	if a == nil {
		return lines
	}
	for d := range a.instead {
		for _, at := range linesOf(a.Tests.fset, d) {
			lines[at] = true
		}
	}
	return lines
}

// LeftOut returns the names of the functions, without methods, that the other version does not have at all.
func (a *Adaptation) LeftOut() map[string]bool {
	names := map[string]bool{}
	if a == nil {
		return names
	}
	for d, other := range a.instead {
		if other == nil && d.Recv == nil {
			names[d.Name.Name] = true
		}
	}
	return names
}

// Refuse takes what the type checker finds in Syntax. It reports whether that changes Syntax, and false for ok if
// something is wrong outside of functions that a program may do without.
func (a *Adaptation) Refuse(found []types.Error) (changed, ok bool) {
	places := map[*ast.FuncDecl][]token.Pos{}
	a.unused = map[*ast.ImportSpec]bool{}
	for _, e := range found {
		d, spec := a.at(e.Pos)
		switch {
		case spec != nil && e.Soft:
			a.unused[spec] = true
		case d == nil || d.Recv == nil && slices.Contains([]string{"init", "_", testMain}, d.Name.Name):
			return false, false
		default:
			places[d] = append(places[d], e.Pos)
		}
	}
	inside := a.replace(a.Tests.inside, a.others.inside, places)
	external := a.replace(a.Tests.external, a.others.external, places)
	return inside || external, true
}

// replace replaces the functions of tests that do not compile at some places. Others that do not compile there, either,
// are not taken. It reports whether there are such functions.
func (a *Adaptation) replace(tests, others []file, places map[*ast.FuncDecl][]token.Pos) (changed bool) {
	for _, f := range tests {
		for _, d := range f.syntax.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			other, before := a.instead[d]
			switch {
			case before && other != nil && len(places[other]) > 0:
				a.instead[d], changed = nil, true
			case !before && len(places[d]) > 0:
				a.instead[d], changed = adapted(&f, d, places[d], others), true
			}
		}
	}
	return changed
}

// at returns the function or the import at a position in the files.
func (a *Adaptation) at(p token.Pos) (*ast.FuncDecl, *ast.ImportSpec) {
	for _, f := range slices.Concat(a.Tests.inside, a.Tests.external, a.others.inside, a.others.external) {
		for _, d := range f.syntax.Decls {
			if p < d.Pos() || p >= d.End() {
				continue
			}
			switch d := d.(type) {
			case *ast.FuncDecl:
				return d, nil
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if spec, ok := spec.(*ast.ImportSpec); ok && spec.Pos() <= p && p < spec.End() {
						return nil, spec
					}
				}
			}
		}
	}
	return nil, nil
}

// Imported returns the import path, in quotes, that is at a position in the files; "": none is.
func (a *Adaptation) Imported(p token.Pos) string {
	if _, spec := a.at(p); spec != nil {
		return spec.Path.Value
	}
	return ""
}

// cut takes functions that the other version does not have so out of the source of a file, in which holes may be.
func (a *Adaptation) cut(of file, source []byte) ([]byte, error) {
	if a == nil {
		return source, nil
	}
	gone, unused := map[string]bool{}, map[string]bool{}
	for _, d := range of.syntax.Decls {
		if a.replaces(d) {
			gone[of.named(d.(*ast.FuncDecl))] = true
		}
	}
	for _, spec := range of.syntax.Imports {
		if a.unused[spec] {
			unused[spec.Path.Value] = true
		}
	}
	if len(gone)+len(unused) == 0 {
		return source, nil
	}
	f, err := parsed(token.NewFileSet(), of.name, source)
	if err != nil {
		return nil, err
	}
	var list, rest []ast.Decl
	for _, d := range f.syntax.Decls {
		if of, ok := d.(*ast.FuncDecl); ok && gone[f.named(of)] {
			list = append(list, d)
		} else {
			rest = append(rest, d)
		}
	}
	err = f.cut(list, f.unnamed(rest, func(spec *ast.ImportSpec) bool { return unused[spec.Path.Value] }))
	return f.source, err
}

// lending returns the other files with only those functions that are taken.
func (a *Adaptation) lending(external bool) (list []file, err error) {
	if a == nil {
		return nil, nil
	}
	for _, f := range a.others.in(external) {
		if !a.lends(f) {
			continue
		}
		var lent, rest []ast.Decl
		for _, d := range f.syntax.Decls {
			switch {
			case a.lent(d):
				lent = append(lent, d)
			case !isImport(d):
				rest = append(rest, d)
			}
		}
		unused := func(spec *ast.ImportSpec) bool { return a.unused[spec] }
		if err := f.cut(rest, f.unnamed(lent, unused)); err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}
