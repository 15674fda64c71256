package suite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// nameable reports whether the file can name a type at a position.
func (w *walker) nameable(t types.Type, at token.Pos) bool {
	switch t := t.(type) {
	case *types.Basic:
		return t.Kind() != types.Invalid && w.means(t.Name(), types.Universe.Lookup(t.Name()), at)
	case *types.Alias:
		return t.TypeArgs().Len() == 0 && w.visible(t.Obj(), at)
	case *types.Named: // an instance has type parameters, too
		return t.TypeParams().Len() == 0 && w.visible(t.Obj(), at)
	case *types.Pointer:
		return w.nameable(t.Elem(), at)
	case *types.Slice:
		return w.nameable(t.Elem(), at)
	case *types.Map:
		return w.nameable(t.Key(), at) && w.nameable(t.Elem(), at)
	case *types.Interface:
		return t.Empty()
	}
	return false
}

// visible reports whether the file can name a declared type at a position.
func (w *walker) visible(o *types.TypeName, at token.Pos) bool {
	if o.Pkg() == nil {
		return w.means(o.Name(), o, at)
	}
	name, ok := w.local(w.file, o.Pkg())
	if !ok || o.Parent() != o.Pkg().Scope() {
		return false
	}
	if name == "" {
		return w.means(o.Name(), o, at)
	}
	return o.Exported() && w.means(name, nil, at)
}

// means reports whether a name stands for an object at a position, nil: for an imported package.
func (w *walker) means(name string, o types.Object, at token.Pos) bool {
	found := w.lookup(name, at)
	if o != nil {
		return found == o
	}
	_, ok := found.(*types.PkgName)
	return ok
}

// lookup returns what a name stands for at a position.
func (w *walker) lookup(name string, at token.Pos) types.Object {
	scope := w.scope.Innermost(at)
	if scope == nil {
		scope = w.scope
	}
	_, found := scope.LookupParent(name, at)
	return found
}

func (d *digger) spelled(f *ast.File, t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		name, _ := d.local(f, p)
		return name
	})
}

// local returns how a file calls a package, and whether it can.
func (d *digger) local(f *ast.File, p *types.Package) (name string, ok bool) {
	if d.own != nil && p.Path() == d.own.Path() {
		return "", true
	}
	for _, spec := range f.Imports {
		if strings.Trim(spec.Path.Value, "`\"") != p.Path() {
			continue
		}
		switch {
		case spec.Name == nil:
			return p.Name(), true
		case spec.Name.Name == ".":
			return "", true
		case spec.Name.Name != "_":
			return spec.Name.Name, true
		}
	}
	return "", false
}
