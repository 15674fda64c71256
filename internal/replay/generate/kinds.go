package generate

import "go/types"

// IsPointer reports whether a type is one of pointers.
func (t *Type) IsPointer() bool { _, ok := t.Under.(*types.Pointer); return ok }

// IsMap reports whether a type is one of maps.
func (t *Type) IsMap() bool { _, ok := t.Under.(*types.Map); return ok }

// IsSlice reports whether a type is one of slices.
func (t *Type) IsSlice() bool { _, ok := t.Under.(*types.Slice); return ok }

// IsStruct reports whether a type is one of structs.
func (t *Type) IsStruct() bool { _, ok := t.Under.(*types.Struct); return ok }

// IsInterface reports whether a type is an interface.
func (t *Type) IsInterface() bool { _, ok := t.Under.(*types.Interface); return ok }

// IsReference reports whether passing one value twice differs from passing two equal ones.
func (t *Type) IsReference() bool {
	switch t.Under.(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Slice, *types.Signature:
		return true
	}
	return false
}

// IsVariadic reports whether a type is one of functions with a variadic parameter.
func (t *Type) IsVariadic() bool {
	signature, ok := t.Under.(*types.Signature)
	return ok && signature.Variadic()
}

func (t *Type) isByte() bool { return t.Plain.Basic != nil && t.Plain.Basic.Kind() == types.Uint8 }

// Yield returns what an iterator of the type calls with each element or pair; nil if the values are no iterators.
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

// Callback returns the first function that functions of the type are handed; nil if there is none that can be called
// with single values, or if the values are iterators.
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
