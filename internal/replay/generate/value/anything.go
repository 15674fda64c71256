package value

import "go/types"

// AnyTypes returns unnamed types of values for slots of type any.
func AnyTypes() []types.Type {
	text, anyType := types.Typ[types.String], types.Universe.Lookup("any").Type()
	return []types.Type{
		text, types.Typ[types.Int], types.Typ[types.Float64],
		types.Typ[types.Bool], types.Typ[types.Int64], types.Typ[types.Uint8],
		types.NewSlice(anyType), types.NewSlice(text),
		types.NewSlice(types.Typ[types.Int]), types.NewSlice(types.Typ[types.Uint8]),
		types.NewMap(text, anyType), types.NewMap(text, text),
	}
}

// AnyBasics returns basic types of values for slots of type any, each as often as it is wanted. It returns an array
// because the order must not change.
func AnyBasics() [12]string {
	return [...]string{
		"string", "string", "string", "string", "int", "int", "float64", "bool", "bool", "int64", "uint8", "[]uint8",
	}
}
