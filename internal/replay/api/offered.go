package api

import (
	"go/token"
	"go/types"
)

// SamplePackage declares the types that Samples returns.
var SamplePackage = types.NewPackage("zspectra/driver", "driver")

var sampleList = sampleTypes()

// Samples returns the structs that the driver has for slots of type any. They belong to no module. Their fields are
// those in package zspectra/driver.
func Samples() []*types.Named { return sampleList }

func sampleTypes() []*types.Named {
	p := SamplePackage
	declare := func(name string) *types.Named {
		return types.NewNamed(types.NewTypeName(token.NoPos, p, name, nil), nil, nil)
	}
	structure := func(fields ...any) *types.Struct {
		var vars []*types.Var
		for i := 0; i < len(fields); i += 2 {
			vars = append(vars, types.NewField(token.NoPos, p, fields[i].(string), fields[i+1].(types.Type), false))
		}
		return types.NewStruct(vars, nil)
	}
	basic := func(kind types.BasicKind) types.Type { return types.Typ[kind] }
	anyType := types.Universe.Lookup("any").Type()
	nested := declare("Nested")
	nested.SetUnderlying(structure(
		"A", basic(types.Int), "B", basic(types.String), "C", types.NewPointer(basic(types.String))))
	sample := declare("Sample")
	sample.SetUnderlying(structure(
		"Name", basic(types.String), "N", basic(types.Int), "F", basic(types.Float64), "On", basic(types.Bool),
		"B", types.NewSlice(basic(types.Uint8)), "L", types.NewSlice(basic(types.Int)),
		"S", types.NewSlice(basic(types.String)), "M", types.NewMap(basic(types.String), anyType),
		"P", types.NewPointer(basic(types.Int)), "Q", types.NewPointer(basic(types.Bool)), "Any", anyType,
		"T", nested, "U", types.NewPointer(nested)))
	return []*types.Named{sample, nested}
}
