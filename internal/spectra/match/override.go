package match

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// An override is a rename that the user states. Overrides are applied before other renames are looked for.
type override struct {
	kind     declKind
	old, new string // canonical, each under its own version's names
}

// The kinds that an override may name besides those of declarations.
const (
	fieldDecl   declKind = "field"
	packageDecl declKind = "package"
)

// overrideBy is the result of By for an override.
const overrideBy = "--rename"

// overrides finds the declarations that "old=new" texts name.
func overrides(old, new Version, texts []string) ([]override, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	var list []override
	leftOut := onlyHalf(&old, &new)
	before, after := old.nameable(leftOut), new.nameable(leftOut)
	for _, text := range texts {
		oldName, newName, found := strings.Cut(text, "=")
		if !found || oldName == "" || newName == "" {
			return nil, fmt.Errorf("%s: want OLD=NEW", text)
		}
		o, err := resolve(text, oldName, newName, before, after)
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, checkOverrides(&old, &new, list, before, after)
}

// Applicable returns the renames of a list, each as "old=new", that name something in both versions. The others say
// nothing about these two.
func Applicable(old, new Version, renames []string) (list []string) {
	if len(renames) == 0 {
		return nil
	}
	leftOut := onlyHalf(&old, &new)
	before, after := old.nameable(leftOut), new.nameable(leftOut)
	for _, text := range renames {
		oldName, newName, _ := strings.Cut(text, "=")
		if slices.ContainsFunc(before, func(n name) bool { return n.called(oldName) }) &&
			slices.ContainsFunc(after, func(n name) bool { return n.called(newName) }) {
			list = append(list, text)
		}
	}
	return list
}

// A name is something that an override may name.
type name struct {
	kind declKind
	full string
}

// nameable lists all that an override may name in a version.
func (v *Version) nameable(leftOut func(path string) bool) []name {
	var list []name
	for _, d := range v.declarations(leftOut) {
		list = append(list, name{d.kind, d.name})
	}
	for owner, s := range v.structs() {
		for f := range s.Fields() {
			list = append(list, name{fieldDecl, owner + "." + f.Name()})
		}
	}
	for _, p := range v.Packages {
		list = append(list, name{packageDecl, p.PkgPath})
	}
	slices.SortFunc(list, func(one, other name) int {
		return strings.Compare(one.full+" "+string(one.kind), other.full+" "+string(other.kind))
	})
	return slices.Compact(list)
}

// called reports whether a user may mean n by the text.
func (n name) called(text string) bool {
	plain := strings.NewReplacer("(*", "", ")", "")
	for _, full := range []string{n.full, plain.Replace(n.full)} {
		if full == text || strings.HasSuffix(full, "/"+text) {
			return true
		}
		if _, rest, ok := cutPackage(full); ok && n.kind != packageDecl && rest == text {
			return true
		}
	}
	return false
}

// cutPackage cuts a full name into the import path and the name of the declaration.
func cutPackage(full string) (path, rest string, ok bool) {
	slash := strings.LastIndexByte(full, '/') + 1
	base, rest, ok := strings.Cut(full[slash:], ".")
	return full[:slash] + base, rest, ok
}

// resolve finds the two declarations of one kind that the names stand for.
func resolve(text, oldName, newName string, before, after []name) (override, error) {
	sides := []struct {
		version, name string
		all, found    []name
	}{{version: "old", name: oldName, all: before}, {version: "new", name: newName, all: after}}
	for i := range sides {
		s := &sides[i]
		for _, n := range s.all {
			if n.full == s.name {
				s.found = []name{n}
				break
			}
			if n.called(s.name) {
				s.found = append(s.found, n)
			}
		}
		if len(s.found) == 0 {
			return override{}, fmt.Errorf("%s: the %s version has no %s among the compared packages; "+
				"name a function, method, type, field, variable or package as the report does, "+
				"such as p.(*T).M or p.T.field", text, s.version, s.name)
		}
	}
	var fits []override
	for _, o := range sides[0].found {
		for _, n := range sides[1].found {
			if o.kind == n.kind {
				fits = append(fits, override{o.kind, o.full, n.full})
			}
		}
	}
	switch {
	case len(fits) == 1:
		return fits[0], nil
	case len(fits) == 0:
		return override{}, fmt.Errorf("%s: %s is a %s and %s a %s; name two of one kind", text,
			sides[0].found[0].full, sides[0].found[0].kind, sides[1].found[0].full, sides[1].found[0].kind)
	}
	return override{}, fmt.Errorf("%s: it may be %s=%s or %s=%s; write more of the names", text,
		fits[0].old, fits[0].new, fits[1].old, fits[1].new)
}

// checkOverrides returns an error if overrides would make two declarations share a name.
func checkOverrides(old, new *Version, list []override, before, after []name) error {
	names := newNames(old.Module, new.Module)
	names.override(list, packageDecl, typeDecl)
	takenOld, takenNew := map[string]bool{}, map[string]bool{}
	for _, o := range list {
		if takenOld[o.old] || takenNew[o.new] {
			return fmt.Errorf("%s=%s: one of them was given another counterpart before; give one for each",
				o.old, o.new)
		}
		takenOld[o.old], takenNew[o.new] = true, true
	}
	has := func(list []name, kind declKind, full string) bool { return slices.Contains(list, name{kind, full}) }
	plain := newNames(old.Module, new.Module)
	for _, o := range list {
		under := names
		if o.kind == packageDecl || o.kind == typeDecl {
			under = plain
		}
		if twin := under.Old(o.new); twin != o.old && !takenOld[twin] && has(before, o.kind, twin) {
			return fmt.Errorf("%s=%s: the old version has %s too; say with another --rename what became of it",
				o.old, o.new, twin)
		}
		if twin := under.New(o.old); twin != o.new && !takenNew[twin] && has(after, o.kind, twin) {
			return fmt.Errorf("%s=%s: the new version has %s too; say with another --rename what it was",
				o.old, o.new, twin)
		}
	}
	return nil
}

// override adds the overrides of some kinds.
func (n *names) override(list []override, kinds ...declKind) {
	for _, kind := range kinds {
		step := otherNames
		switch kind {
		case packageDecl:
			step = packageNames
		case typeDecl:
			step = typeNames
		}
		own := map[string]string{} // as the steps before leave the names
		for _, o := range list {
			if o.kind == kind {
				own[o.old] = n.Old(o.new)
			}
		}
		for _, old := range slices.Sorted(maps.Keys(own)) {
			n.add(step, old, own[old])
		}
	}
}

// override adds the overrides of some kinds to what was found.
func (r *matcher) override(list []override, kinds ...declKind) {
	r.names.override(list, kinds...)
	for _, o := range list {
		if !slices.Contains(kinds, o.kind) {
			continue
		}
		if o.kind != fieldDecl {
			r.found = append(r.found, Rename{
				Old: spectra.Symbol(o.old), New: spectra.Symbol(o.new), Kind: string(o.kind),
				by: overrideBy, shaped: true,
			})
			continue
		}
		dot := strings.LastIndexByte(o.old, '.')
		owner := o.old[:dot]
		r.fieldNames[owner] = append(r.fieldNames[owner],
			FieldRename{o.old[dot+1:], o.new[strings.LastIndexByte(o.new, '.')+1:], overrideBy})
	}
}

// overridden reports whether an override names a field of one version. owner is the name of its struct type
// in old.
func (r *matcher) overridden(side spectra.Side, f *types.Var, owner string) bool {
	return slices.ContainsFunc(r.fieldNames[owner], func(known FieldRename) bool {
		return side == spectra.Old && known.Old == f.Name() || side == spectra.New && known.New == f.Name()
	})
}
