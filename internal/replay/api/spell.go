package api

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// ImportName returns the name under which files with an Expr import a package. What packages and folders are called
// says nothing: both may be keywords, or the same for several.
func ImportName(path string) string {
	var b strings.Builder
	b.WriteString("zspectra_")
	for _, c := range []byte(path) {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "_%02x", c)
		}
	}
	return b.String()
}

// spelled returns a type as a file of a package writes it, and the packages that the file has to import for that. It is
// not ok if the file can't name the type.
func spelled(in *types.Package, t types.Type) (text string, imports []string, ok bool) {
	s := spelling{in: in, imports: map[string]bool{}}
	ok = s.can(t)
	text = symbol.Source(t, func(p *types.Package) string {
		if p == in {
			return ""
		}
		return ImportName(p.Path())
	})
	return text, slices.Sorted(maps.Keys(s.imports)), ok
}

// A spelling finds out whether a file can name a type, and what it has to import.
type spelling struct {
	in      *types.Package // nil: one that declares nothing
	imports map[string]bool
}

// can reports whether the file can name a type.
func (s *spelling) can(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer && s.predeclared(types.Typ[t.Kind()].Name())
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if !s.can(arg) {
				return false
			}
		}
		return s.canName(t)
	case *types.Map:
		return s.can(t.Key()) && s.can(t.Elem())
	case interface{ Elem() types.Type }: // a pointer, slice, array or channel
		return s.can(t.Elem())
	case *types.Signature:
		return t.TypeParams().Len() == 0 && s.canAll(t.Params()) && s.canAll(t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			if !s.sees(f) || !s.can(f.Type()) {
				return false
			}
		}
		return true
	case *types.Interface:
		return s.canInterface(t)
	}
	return false // a type parameter
}

func (s *spelling) canAll(list *types.Tuple) bool {
	for v := range list.Variables() {
		if !s.can(v.Type()) {
			return false
		}
	}
	return true
}

func (s *spelling) canInterface(t *types.Interface) bool {
	for m := range t.Methods() {
		if !s.sees(m) || !s.can(m.Signature()) {
			return false
		}
	}
	return t.IsMethodSet() && (!t.Empty() || s.predeclared("any"))
}

// predeclared reports whether the package has not given a name of the language another meaning.
func (s *spelling) predeclared(name string) bool {
	return s.in == nil || s.in.Scope().Lookup(name) == nil
}

// sees reports whether the name of a field or method means the same in the file.
func (s *spelling) sees(o types.Object) bool { return o.Exported() || o.Pkg() == s.in }

// canName reports whether the file can write the name of a type, and notes what it has to import.
func (s *spelling) canName(t *types.Named) bool {
	switch p := t.Obj().Pkg(); {
	case p == nil:
		return s.predeclared(t.Obj().Name())
	case p == s.in:
		return t.Obj().Parent() == p.Scope()
	case !open(t) || !s.canImport(p.Path()):
		return false
	default:
		s.imports[p.Path()] = true
		return true
	}
}

// canImport reports whether the package can import another one that it depends on.
func (s *spelling) canImport(path string) bool {
	elements := strings.Split(path, "/")
	for i := len(elements) - 1; i >= 0 && s.in != nil; i-- {
		if elements[i] == "internal" && elements[0] != "vendor" {
			root := strings.Join(elements[:i], "/")
			return root == s.in.Path() || strings.HasPrefix(s.in.Path(), root+"/")
		}
	}
	return importable(path)
}
