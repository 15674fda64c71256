package observe

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Reshaped returns the types that can't be compared field by field: their kind changed, or at least as much
// of their content moved to other fields as stayed where it was. They have no observers yet.
func Reshaped(m *match.Match, old, new []*packages.Package) []Type {
	s := &search{Match: m, packages: spectra.Pair[map[string]*types.Package]{Old: byPath(old), New: byPath(new)}}
	var found []Type
	for _, path := range m.Packages() {
		from, to := s.packages.Old[path], s.packages.New[m.New(path)]
		if from == nil || to == nil {
			continue
		}
		for _, name := range from.Scope().Names() {
			if t := s.reshaped(from.Scope().Lookup(name), to); t != nil {
				found = append(found, *t)
			}
		}
	}
	return found
}

// A search looks for such types in two versions.
type search struct {
	*match.Match
	packages spectra.Pair[map[string]*types.Package]
}

func byPath(list []*packages.Package) map[string]*types.Package {
	found := map[string]*types.Package{}
	for _, p := range list {
		found[p.PkgPath] = p.Types
	}
	return found
}

// reshaped returns a type of old with its counterpart in new; nil if there is none, or if the two can be
// compared.
func (s *search) reshaped(object types.Object, newPackage *types.Package) *Type {
	old, ok := declaredType(object)
	if !ok {
		return nil
	}
	name := object.Pkg().Path() + "." + object.Name()
	full := s.New(name)
	path, short := full[:strings.LastIndexByte(full, '.')], full[strings.LastIndexByte(full, '.')+1:]
	if path != newPackage.Path() {
		p := s.packages.New[path]
		if p == nil {
			return nil
		}
		newPackage = p
	}
	new, ok := declaredType(newPackage.Scope().Lookup(short))
	if !ok || old.TypeParams().Len() != new.TypeParams().Len() {
		return nil
	}
	t := &Type{Name: name, Declared: spectra.Pair[*types.Named]{Old: old, New: new}}
	oldStruct, first := old.Underlying().(*types.Struct)
	newStruct, second := new.Underlying().(*types.Struct)
	if first && second {
		return s.reshapedStruct(t, oldStruct, newStruct)
	}
	if s.alike(old.Underlying(), new.Underlying()) {
		return nil
	}
	t.Parts = spectra.Pair[string]{Old: shortType(old.Underlying()), New: shortType(new.Underlying())}
	return t
}

// declaredType returns the type that an object declares. It reports false for aliases and for types whose
// values have no content to observe, such as interfaces and functions.
func declaredType(object types.Object) (*types.Named, bool) {
	name, ok := object.(*types.TypeName)
	if !ok || name.IsAlias() {
		return nil, false
	}
	named, ok := name.Type().(*types.Named)
	if !ok {
		return nil, false
	}
	switch u := named.Underlying().(type) {
	case *types.Interface, *types.Pointer, *types.Signature, *types.Chan:
		return nil, false
	case *types.Basic:
		return named, u.Kind() != types.UnsafePointer
	}
	return named, true
}

// reshapedStruct compares two structs. If fields were only added or only removed, the others can be compared.
// If some were added and others removed, content may have moved between them. It returns t if that is at
// least as much as stayed, else nil.
func (s *search) reshapedStruct(t *Type, old, new *types.Struct) *Type {
	before, after := s.fields(t.Declared.Old, old, spectra.Old), s.fields(t.Declared.New, new, spectra.New)
	lost, gained := before.without(after), after.without(before)
	if len(lost) == 0 || len(gained) == 0 || len(lost)+len(gained) == 2 && s.alike(lost[0].typ, gained[0].typ) {
		return nil
	}
	went, came := s.containers(lost), s.containers(gained)
	stayed := s.containers(before) - went
	if stayed > min(went, came) || went+came == 0 {
		return nil
	}
	t.Parts = spectra.Pair[string]{Old: fieldText(lost), New: fieldText(gained)}
	return t
}

// A content is a field that can hold what a type is about.
type content struct {
	name, canonical string // of the field and its type, under old's names
	typ             types.Type
}

type contents []content

// fields lists the compared fields of a struct.
func (s *search) fields(owner *types.Named, structure *types.Struct, side spectra.Side) contents {
	var list contents
	for f := range structure.Fields() {
		name := owner.Obj().Pkg().Path() + "." + owner.Obj().Name() + "." + f.Name()
		canonical := symbol.Type(f.Type())
		if side == spectra.New {
			name, canonical = s.Old(name), s.Old(canonical)
		}
		if f.Name() != "_" && !strings.HasPrefix(strings.TrimLeft(canonical, "*"), "sync.") {
			list = append(list, content{name[strings.LastIndexByte(name, '.')+1:], canonical, f.Type()})
		}
	}
	return list
}

// without returns the fields that the other list does not have with the same type.
func (c contents) without(other contents) contents {
	return slices.DeleteFunc(slices.Clone(c), func(f content) bool {
		return slices.ContainsFunc(other, func(o content) bool {
			return o.name == f.name && o.canonical == f.canonical
		})
	})
}

// containers counts the fields that hold more than one value.
func (s *search) containers(list contents) int {
	n := 0
	for _, f := range list {
		t := types.Unalias(f.typ)
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		switch t.Underlying().(type) {
		case *types.Map, *types.Slice, *types.Array, *types.Chan:
			n++
		case *types.Struct:
			if named, ok := t.(*types.Named); !ok || s.holdsContent(named.Obj().Pkg()) {
				n++
			}
		}
	}
	return n
}

// holdsContent reports whether a struct of a package can be a part of a value's content. Structs of most
// other modules are tools that a type uses, such as a logger.
func (s *search) holdsContent(p *types.Package) bool {
	if p == nil {
		return false
	}
	return s.packages.Old[p.Path()] != nil || s.packages.New[p.Path()] != nil ||
		strings.HasPrefix(p.Path(), "container/")
}

// alike reports whether values of two types can be compared as they are. Numbers of one family can, because a
// state does not show their width.
func (s *search) alike(old, new types.Type) bool {
	if symbol.Type(old) == s.Old(symbol.Type(new)) {
		return true
	}
	switch before := old.(type) {
	case *types.Basic:
		after, ok := new.(*types.Basic)
		const families = types.IsBoolean | types.IsInteger | types.IsUnsigned | types.IsFloat | types.IsComplex |
			types.IsString
		return ok && before.Info()&families == after.Info()&families
	case *types.Slice:
		after, ok := new.(*types.Slice)
		return ok && s.alike(before.Elem(), after.Elem())
	}
	return false
}

// shownFields is the number of fields of a version that the report names.
const shownFields = 4

func fieldText(list contents) string {
	var parts []string
	for _, f := range list[:min(len(list), shownFields)] {
		parts = append(parts, f.name+" "+shortType(f.typ))
	}
	if more := len(list) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, ", ")
}

// shortType writes a type with package names instead of paths.
func shortType(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}
