package match

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A Shape is how the fields of a struct type differ. Lists are sorted by the fields' names in old, or in new
// if only new has them. Renames that the user stated come before others.
type Shape struct {
	Type           string   // canonical
	Skip           []string // the fields that can't be compared, under the names of both versions
	Added, Removed []string
	Retyped        []FieldTypes
	Renamed        []FieldRename
	Reordered      bool // the fields that both versions have are in another order
}

// String says how the fields differ.
func (s Shape) String() string {
	var parts []string
	for _, part := range []struct {
		what   string
		fields []string
	}{{"gained", s.Added}, {"lost", s.Removed}} {
		if len(part.fields) > 0 {
			parts = append(parts, part.what+" "+strings.Join(part.fields, ", "))
		}
	}
	for _, f := range s.Retyped {
		parts = append(parts, "retyped "+f.Name+": "+f.Old+" → "+f.New)
	}
	for _, f := range s.Renamed {
		parts = append(parts, "renamed "+f.Old+" → "+f.New+", matched by "+f.By)
	}
	if s.Reordered {
		parts = append(parts, "fields in another order")
	}
	return strings.Join(parts, "; ")
}

// FieldTypes are the two types of a field whose type changed.
type FieldTypes struct{ Name, Old, New string }

// A FieldRename is a field that has another name and the same type.
type FieldRename struct {
	Old, New string
	By       string // what matched them
}

// Agreed returns the name that the field has in the states of both versions. It is the name in old, unless
// only the name in new is unexported. So a field that is unexported in one version is not taken for something
// that callers see.
func (f FieldRename) Agreed() string {
	if token.IsExported(f.Old) && !token.IsExported(f.New) {
		return f.New
	}
	return f.Old
}

// Unset returns by struct type the fields of old that can't be set in new.
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

// Skips returns by struct type the fields that can't be compared, under the names of both versions. The list
// is empty for a type whose fields differ in name or order only.
func (m *Match) Skips() map[string][]string {
	skips := map[string][]string{}
	for _, shape := range m.shapes {
		skips[shape.Type] = slices.Clone(shape.Skip)
	}
	return skips
}

// FieldNames returns by struct type the fields whose name in a version is not the agreed one. It maps that
// name to the agreed one.
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

// A fieldList is the fields of a struct type.
type fieldList struct {
	names []string
	types map[string]string // by name
}

// fields lists the fields of a type by their names in old.
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

// common returns the fields that the other version has too, in the order of l.
func (l fieldList) common(other fieldList) []string {
	return slices.DeleteFunc(slices.Clone(l.names), func(name string) bool { return other.types[name] == "" })
}

// compareStructs fills in m.shapes.
func (m *Match) compareStructs(before, after *inventory, renamed map[string][]FieldRename) {
	for _, name := range slices.Sorted(maps.Keys(before.structs)) {
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
	for _, field := range slices.Sorted(maps.Keys(old.types)) {
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
	for _, field := range slices.Sorted(maps.Keys(new.types)) {
		if old.types[field] == "" {
			shape.Added = append(shape.Added, field)
		}
	}
	shape.Reordered = !slices.Equal(old.common(new), new.common(old))
	shape.Skip = slices.Concat(shape.Skip, shape.Added, shape.Removed)
	slices.Sort(shape.Skip)
	return shape
}
