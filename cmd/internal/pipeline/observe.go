package pipeline

// This file finds the types whose representation changed altogether, and what of them can be
// compared instead: what their pure observers give.

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/replay/harness"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/instrument"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// A reshaped type has another representation in new.
type reshaped struct {
	name      string // as old has it
	old, new  *types.Named
	was, is   string // what differs, in either version
	observers []observer
}

// An observer is one result of a method that both versions have, pure in both.
type observer struct {
	method   string // in old
	symbol   spectra.Symbol
	old, new harness.Observer
	gives    types.Type // in old
}

// An observation finds the types with another representation, and their observers.
type observation struct {
	*plan
	env *env.Environment
}

// findReshaped returns the types that are compared by observers, and the calls of their methods that only
// one version makes because of its representation.
func findReshaped(t *task, p *plan, matched map[spectra.Symbol]spectra.Symbol) ([]*reshaped, *noise.Mask) {
	o := &observation{p, t.env}
	var found []*reshaped
	for _, path := range p.common.Packages() {
		old, new := p.sides.Old.target.Package(path), p.sides.New.target.Package(p.newName(path))
		if old == nil || new == nil {
			continue
		}
		for _, name := range old.Types.Scope().Names() {
			if t := o.reshaped(old.Types.Scope().Lookup(name), new.Types); t != nil {
				found = append(found, t)
			}
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	purity := spectra.MakePair(func(s spectra.Side) *instrument.Purity {
		return instrument.NewPurity(p.sides.Of(s).target.Packages)
	})
	for _, t := range found {
		o.findObservers(t, purity)
	}
	o.dropEndless(found)
	return found, o.expectedCalls(found, matched, purity)
}

// observedBy lists the types with another representation as the driver of one version needs them.
func observedBy(list []*reshaped, s spectra.Side) []harness.Observed {
	var observed []harness.Observed
	for _, t := range list {
		named := t.old
		if s == spectra.New {
			named = t.new
		}
		o := harness.Observed{
			Name: t.name, Package: named.Obj().Pkg().Path(), Type: named.Obj().Name(), TypeParams: named.TypeParams().Len(),
		}
		for _, by := range t.observers {
			if s == spectra.Old {
				o.Observers = append(o.Observers, by.old)
			} else {
				o.Observers = append(o.Observers, by.new)
			}
		}
		observed = append(observed, o)
	}
	return observed
}

// reshaped looks at a type of old: nil if new has none like it, or if it is made of the same.
func (o *observation) reshaped(object types.Object, newPackage *types.Package) *reshaped {
	old, ok := declaredType(object)
	if !ok {
		return nil
	}
	name := object.Pkg().Path() + "." + object.Name()
	full := o.newName(name)
	path, short := full[:strings.LastIndexByte(full, '.')], full[strings.LastIndexByte(full, '.')+1:]
	if path != newPackage.Path() {
		p := o.sides.New.target.Package(path)
		if p == nil {
			return nil
		}
		newPackage = p.Types
	}
	new, ok := declaredType(newPackage.Scope().Lookup(short))
	if !ok || old.TypeParams().Len() != new.TypeParams().Len() {
		return nil
	}
	t := &reshaped{name: name, old: old, new: new}
	oldStruct, first := old.Underlying().(*types.Struct)
	newStruct, second := new.Underlying().(*types.Struct)
	if first && second {
		return o.reshapedStruct(t, oldStruct, newStruct)
	}
	if o.alike(old.Underlying(), new.Underlying()) {
		return nil
	}
	t.was, t.is = shortType(old.Underlying()), shortType(new.Underlying())
	return t
}

// declaredType is the type that a package declares by a name, if it can have methods.
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

// reshapedStruct compares two structs. Fields that only came or only went leave the rest comparable.
// Where some came and others went, content may have moved between them: at least as much as stayed.
func (o *observation) reshapedStruct(t *reshaped, old, new *types.Struct) *reshaped {
	before, after := o.fields(t.old, old, false), o.fields(t.new, new, true)
	lost, gained := before.without(after), after.without(before)
	if len(lost) == 0 || len(gained) == 0 || len(lost)+len(gained) == 2 && o.alike(lost[0].typ, gained[0].typ) {
		return nil
	}
	went, came := o.containers(lost), o.containers(gained)
	stayed := o.containers(before) - went
	if stayed > min(went, came) || went+came == 0 {
		return nil
	}
	t.was, t.is = fieldText(lost), fieldText(gained)
	return t
}

// A content is a field that can hold what a type is about.
type content struct {
	name, canonical string // as old has them
	typ             types.Type
}

type contents []content

// fields lists the compared fields of a struct.
func (o *observation) fields(owner *types.Named, s *types.Struct, new bool) contents {
	var list contents
	for f := range s.Fields() {
		name := owner.Obj().Pkg().Path() + "." + owner.Obj().Name() + "." + f.Name()
		canonical := symbol.Type(f.Type())
		if new {
			name, canonical = string(o.common.Old(name)), o.common.Old(canonical)
		}
		if f.Name() != "_" && !strings.HasPrefix(strings.TrimLeft(canonical, "*"), "sync.") {
			list = append(list, content{name[strings.LastIndexByte(name, '.')+1:], canonical, f.Type()})
		}
	}
	return list
}

// without gives the fields that the other list does not have, with that type.
func (c contents) without(other contents) contents {
	return slices.DeleteFunc(slices.Clone(c), func(f content) bool {
		return slices.ContainsFunc(other, func(o content) bool { return o.name == f.name && o.canonical == f.canonical })
	})
}

// containers counts the fields that hold more than one value.
func (o *observation) containers(list contents) int {
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
			if named, ok := t.(*types.Named); !ok || o.holdsContent(named.Obj().Pkg()) {
				n++
			}
		}
	}
	return n
}

// holdsContent says whether structs of a package are what a type of the module may be made of, not
// something that it uses, such as a logger.
func (o *observation) holdsContent(p *types.Package) bool {
	return p != nil && (o.sides.Old.target.Package(p.Path()) != nil || o.sides.New.target.Package(p.Path()) != nil || strings.HasPrefix(p.Path(), "container/"))
}

// alike says whether values of two types can be compared as they are: numbers of one family but
// another width are the same words in a state.
func (o *observation) alike(old, new types.Type) bool {
	if symbol.Type(old) == o.common.Old(symbol.Type(new)) {
		return true
	}
	switch before := old.(type) {
	case *types.Basic:
		after, ok := new.(*types.Basic)
		const families = types.IsBoolean | types.IsInteger | types.IsUnsigned | types.IsFloat | types.IsComplex | types.IsString
		return ok && before.Info()&families == after.Info()&families
	case *types.Slice:
		after, ok := new.(*types.Slice)
		return ok && o.alike(before.Elem(), after.Elem())
	}
	return false
}

// shownFields is how many fields of a version the report names.
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
