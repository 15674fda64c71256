package match

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// This file finds out which struct types have other fields.

// A Shape says how the fields of a struct type differ. Lists are sorted by old's names, or new's where
// old has none; of renames those come first that the user named.
type Shape struct {
	Type           string   // canonical
	Skip           []string // the fields that can't be compared, by either version's names
	Added, Removed []string
	Retyped        []FieldTypes
	Renamed        []FieldRename
	Reordered      bool // the fields that both versions have are in another order
}

// FieldTypes are the types of a field that has another one in new.
type FieldTypes struct{ Name, Old, New string }

// A FieldRename is a field that has another name and the same type.
type FieldRename struct {
	Old, New string
	By       string // what matched them
}

// Agreed is the name by which both versions know the field: old's, or new's where only new hides it.
// So a field that one version hides is no part of what a caller sees.
func (f FieldRename) Agreed() string {
	if token.IsExported(f.Old) && !token.IsExported(f.New) {
		return f.New
	}
	return f.Old
}

// Unset lists, by struct type, the fields of old that can't be set in new.
func (m *Match) Unset() map[string][]string {
	unset := map[string][]string{}
	for _, shape := range m.shapes {
		fields := slices.Clone(shape.Skip)
		for _, f := range shape.Renamed {
			if !token.IsExported(f.New) {
				fields = append(fields, f.Old)
			}
		}
		if len(fields) > 0 {
			unset[shape.Type] = fields
		}
	}
	return unset
}

// Skips lists, by struct type, the fields that can't be compared, by either version's names. A type
// whose fields have other names or another order only has none.
func (m *Match) Skips() map[string][]string {
	skips := map[string][]string{}
	for _, shape := range m.shapes {
		skips[shape.Type] = slices.Clone(shape.Skip)
	}
	return skips
}

// FieldNames lists, by struct type, the fields that a version knows by another name than the one both
// agree on: its own, then that one.
func (m *Match) FieldNames() spectra.Pair[map[string]map[string]string] {
	names := spectra.MakePair(func(spectra.Side) map[string]map[string]string { return map[string]map[string]string{} })
	for _, shape := range m.shapes {
		for _, f := range shape.Renamed {
			names.Each(func(side spectra.Side, list map[string]map[string]string) {
				own := f.Old
				if side == spectra.New {
					own = f.New
				}
				if own == f.Agreed() {
					return
				}
				if list[shape.Type] == nil {
					list[shape.Type] = map[string]string{}
				}
				list[shape.Type][own] = f.Agreed()
			})
		}
	}
	return names
}

// A fieldList is what a struct type has.
type fieldList struct {
	names []string
	types map[string]string // by name
}

// fields lists the fields of a type by the names that old has for them.
func (inv *inventory) fields(owner string, s *types.Struct) fieldList {
	list := fieldList{types: map[string]string{}}
	for f := range s.Fields() {
		if f.Name() == "_" {
			continue
		}
		name := inv.rename(owner + "." + f.Name())
		name = name[strings.LastIndexByte(name, '.')+1:]
		list.names = append(list.names, name)
		list.types[name] = inv.rename(symbol.Type(f.Type()))
	}
	return list
}

// common lists, in their order, the fields that the other version has too.
func (l fieldList) common(other fieldList) []string {
	return slices.DeleteFunc(slices.Clone(l.names), func(name string) bool { return other.types[name] == "" })
}

// compareStructs notes the struct types that both versions have with other fields.
func (m *Match) compareStructs(before, after *inventory, renamed map[string][]FieldRename) {
	for _, name := range sortedKeys(before.structs) {
		new, ok := after.structs[name]
		if !ok {
			continue
		}
		shape := shapeOf(name, before.structs[name], new, renamed[name])
		if len(shape.Skip)+len(shape.Renamed) > 0 || shape.Reordered {
			m.shapes = append(m.shapes, shape)
		}
	}
}

func shapeOf(name string, old, new fieldList, renamed []FieldRename) Shape {
	shape := Shape{Type: name, Renamed: renamed}
	for _, field := range sortedKeys(old.types) {
		switch was, is := old.types[field], new.types[field]; {
		case is == "":
			shape.Removed = append(shape.Removed, field)
		case is != was:
			shape.Retyped = append(shape.Retyped, FieldTypes{field, was, is})
			shape.Skip = append(shape.Skip, field)
			for _, f := range shape.Renamed {
				if f.Old == field {
					shape.Skip = append(shape.Skip, f.New)
				}
			}
		}
	}
	for _, field := range sortedKeys(new.types) {
		if old.types[field] == "" {
			shape.Added = append(shape.Added, field)
		}
	}
	shape.Reordered = !slices.Equal(old.common(new), new.common(old))
	shape.Skip = slices.Concat(shape.Skip, shape.Added, shape.Removed)
	slices.Sort(shape.Skip)
	return shape
}
