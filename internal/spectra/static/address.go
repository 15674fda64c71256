package static

import (
	"go/ast"
	"go/types"
)

// throughPointer reports whether the path of a field selection follows a pointer. Unlike
// Selection.Indirect it ignores whether the selected field is a pointer itself.
func throughPointer(s *types.Selection) bool {
	t := s.Recv()
	index := s.Index()
	if s.Kind() != types.FieldVal {
		index = index[:len(index)-1]
	}
	for _, i := range index {
		if isPointer(t) {
			return true
		}
		t = t.Underlying().(*types.Struct).Field(i).Type()
	}
	return false
}

// takesAddress reports whether a method is selected whose receiver is the address of x.X.
func takesAddress(info *types.Info, x *ast.SelectorExpr) bool {
	s := info.Selections[x]
	if s == nil || s.Kind() != types.MethodVal || throughPointer(s) {
		return false
	}
	recv := s.Obj().(*types.Func).Signature().Recv()
	if recv == nil || !isPointer(recv.Type()) {
		return false
	}
	// Only the value that has the method matters: the last embedded field, or x.X itself.
	holder := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		holder = holder.Underlying().(*types.Struct).Field(i).Type()
	}
	return !isPointer(holder)
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
