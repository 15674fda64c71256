package generate

import "go/types"

// IsPointer reports whether a type is a pointer type.
func (t *Type) IsPointer() bool { _, ok := t.Under.(*types.Pointer); return ok }

// IsMap reports whether a type is a map type.
func (t *Type) IsMap() bool { _, ok := t.Under.(*types.Map); return ok }

// IsSlice reports whether a type is a slice type.
func (t *Type) IsSlice() bool { _, ok := t.Under.(*types.Slice); return ok }

// IsStruct reports whether a type is a struct type.
func (t *Type) IsStruct() bool { _, ok := t.Under.(*types.Struct); return ok }

// IsInterface reports whether a type is an interface.
func (t *Type) IsInterface() bool { _, ok := t.Under.(*types.Interface); return ok }

// IsReference reports whether passing one value twice differs from passing two equal values.
func (t *Type) IsReference() bool {
	switch t.Under.(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Slice, *types.Signature:
		return true
	}
	return false
}

// IsVariadic reports whether a type is a function type with a variadic parameter.
func (t *Type) IsVariadic() bool {
	signature, ok := t.Under.(*types.Signature)
	return ok && signature.Variadic()
}

func (t *Type) isByte() bool { return t.Plain.Basic != nil && t.Plain.Basic.Kind() == types.Uint8 }

// Yield returns the yield function of an iterator type, nil for other types.
func (t *Type) Yield() *Operation {
	if t.Function == nil || len(t.Function.Results) > 0 || len(t.Function.Params) != 2 {
		return nil
	}
	yield := t.Function.Params[1].Function
	if yield == nil || len(yield.Params) < 2 || len(yield.Params) > 3 || t.Function.Params[1].IsVariadic() ||
		len(yield.Results) != 1 || yield.Results[0].Name != "bool" {
		return nil
	}
	return yield
}

// Callback returns the first parameter of a function type that is a function and can be called with single values. It
// returns nil if there is none, and for iterators.
func (t *Type) Callback() *Operation {
	if t.Function == nil || t.Yield() != nil {
		return nil
	}
	for _, p := range t.Function.Params[1:] {
		if p.Function != nil && p.IsVariadic() {
			break
		} else if p.Function != nil {
			return p.Function
		}
	}
	return nil
}
