package gotest

import (
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode"
)

// fresh returns a name that nothing else in the file has.
func (f *file) fresh(name string) string {
	own := name
	for i := 2; f.taken[own] || token.IsKeyword(own); i++ {
		own = name + strconv.Itoa(i)
	}
	f.taken[own] = true
	return own
}

// nameFor returns the name for a variable of a type.
func nameFor(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return nameFor(types.Unalias(t))
	case *types.Named:
		if t.Obj().Pkg() == nil && t.Obj().Name() == "error" {
			return "err"
		}
		return initial(t.Obj().Name())
	case *types.Pointer:
		return nameFor(t.Elem())
	case *types.Slice:
		return ofElements(t.Elem())
	case *types.Array:
		return ofElements(t.Elem())
	case *types.Map:
		return "m"
	case *types.Chan:
		return "ch"
	case *types.Signature:
		return "fn"
	case *types.Basic:
		return basicName(t)
	}
	return "v"
}

func ofElements(elem types.Type) string {
	if b, ok := elem.Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
		return "data"
	}
	return strings.TrimRight(nameFor(elem), "s") + "s"
}

func basicName(t *types.Basic) string {
	switch info := t.Info(); {
	case info&types.IsBoolean != 0:
		return "ok"
	case info&types.IsString != 0:
		return "s"
	case info&types.IsInteger != 0:
		return "n"
	case info&types.IsFloat != 0:
		return "x"
	case info&types.IsComplex != 0:
		return "c"
	}
	return "v"
}

// initial returns the first letter of a name in lower case.
func initial(name string) string {
	for _, r := range name {
		if unicode.IsLetter(r) {
			return string(unicode.ToLower(r))
		}
	}
	return "v"
}
