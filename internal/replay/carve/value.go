package carve

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// Limits of values.
const (
	maxText  = 4 << 10
	maxElems = 50
	maxDepth = 6 // of literals, and of names that stand for others
)

// value returns the value of an expression as a parameter of some type, nil if it is unknown.
func (s *scope) value(e ast.Expr, t types.Type, r row, depth int) *sequence.Value {
	if depth > maxDepth {
		return nil
	}
	if to := s.meant(e, r); to != nil {
		return s.value(to, t, r, depth+1)
	}
	if id, ok := e.(*ast.Ident); ok && id.Name == "nil" && nillable(t) {
		return &sequence.Value{Kind: sequence.Nil}
	}
	switch under := t.Underlying().(type) {
	case *types.Interface:
		if under.Empty() {
			return s.anything(e, r, depth)
		}
	case *types.Map:
		if literal, ok := e.(*ast.CompositeLit); ok {
			return s.mapping(literal, under, r, depth+1)
		}
	case *types.Basic:
		return basic(s.constant(e, r, depth), under)
	case *types.Slice:
		if isByte(under.Elem()) {
			return textOf(s.constant(e, r, depth))
		}
		if literal, ok := e.(*ast.CompositeLit); ok {
			return s.list(literal, under.Elem(), r, depth)
		}
	case *types.Struct:
		if literal, ok := e.(*ast.CompositeLit); ok {
			return s.structure(literal, under, r, depth)
		}
	case *types.Pointer:
		if of, ok := e.(*ast.UnaryExpr); ok && of.Op == token.AND {
			if v := s.value(of.X, under.Elem(), r, depth+1); v != nil {
				return &sequence.Value{Kind: sequence.Address, Elems: []sequence.Value{*v}}
			}
		}
	}
	return nil
}

// meant returns the value of a name or of a field of a loop's variable, nil for other expressions.
func (s *scope) meant(e ast.Expr, r row) ast.Expr {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return e.X
	case *ast.Ident:
		if to, ok := r[e.Name]; ok {
			return to
		}
		return s.lookup(e)
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			return r[x.Name+"."+e.Sel.Name]
		}
	}
	return nil
}

func nillable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface, *types.Signature, *types.Chan:
		return true
	}
	return false
}

func isByte(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
}

// rest returns the arguments of a variadic parameter as one list.
func (s *scope) rest(args []ast.Expr, t types.Type, r row) *sequence.Value {
	slice, ok := t.Underlying().(*types.Slice)
	if !ok {
		return nil
	}
	return s.elems(args, slice.Elem(), r, 0)
}

func (s *scope) list(literal *ast.CompositeLit, elem types.Type, r row, depth int) *sequence.Value {
	return s.elems(literal.Elts, elem, r, depth+1)
}

// elems returns a list of values of one type, nil if one of them is unknown.
func (s *scope) elems(list []ast.Expr, t types.Type, r row, depth int) *sequence.Value {
	v := &sequence.Value{Kind: sequence.List}
	if len(list) > maxElems {
		return nil
	}
	for _, e := range list {
		elem := s.value(e, t, r, depth)
		if elem == nil {
			return nil
		}
		v.Elems = append(v.Elems, *elem)
	}
	return v
}

// structure returns a struct with those exported fields that are known.
func (s *scope) structure(literal *ast.CompositeLit, t *types.Struct, r row, depth int) *sequence.Value {
	v := &sequence.Value{Kind: sequence.Struct}
	for _, e := range literal.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		name, ok := pair.Key.(*ast.Ident)
		if !ok || !name.IsExported() {
			return nil
		}
		for i := range t.NumFields() {
			if t.Field(i).Name() != name.Name {
				continue
			}
			if field := s.value(pair.Value, t.Field(i).Type(), r, depth+1); field != nil {
				v.Fields = append(v.Fields, sequence.Field{Name: name.Name, Value: *field})
			}
		}
	}
	return v
}

// constant returns the value of an expression of constants and conversions, unknown for other expressions.
func (s *scope) constant(e ast.Expr, r row, depth int) constant.Value {
	unknown := constant.MakeUnknown()
	if depth > maxDepth {
		return unknown
	}
	if to := s.meant(e, r); to != nil {
		return s.constant(to, r, depth+1)
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.Ident:
		if e.Name == "true" || e.Name == "false" {
			return constant.MakeBool(e.Name == "true")
		}
	case *ast.UnaryExpr:
		x := s.constant(e.X, r, depth+1)
		if number := x.Kind() == constant.Int || x.Kind() == constant.Float; number && e.Op == token.SUB {
			return constant.UnaryOp(e.Op, x, 0)
		}
	case *ast.BinaryExpr:
		x, y := s.constant(e.X, r, depth+1), s.constant(e.Y, r, depth+1)
		if e.Op == token.ADD && x.Kind() == y.Kind() && x.Kind() == constant.String {
			return constant.BinaryOp(x, e.Op, y)
		}
	case *ast.CallExpr: // a conversion, or another call
		if conversion(e.Fun) && len(e.Args) == 1 {
			return s.constant(e.Args[0], r, depth+1)
		}
	}
	return unknown
}

// conversion reports whether a call of an expression converts a constant.
func conversion(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.ArrayType:
		id, ok := e.Elt.(*ast.Ident)
		return e.Len == nil && ok && (id.Name == "byte" || id.Name == "uint8")
	case *ast.Ident:
		return types.Universe.Lookup(e.Name) != nil && e.Name != "len" && e.Name != "cap"
	}
	return false
}

// basic returns a constant as a value of a basic type, nil if it has another type or does not fit.
func basic(c constant.Value, t *types.Basic) *sequence.Value {
	switch info := t.Info(); {
	case info&types.IsString != 0:
		return textOf(c)
	case info&types.IsBoolean != 0 && c.Kind() == constant.Bool:
		return &sequence.Value{Kind: sequence.Bool, Text: strconv.FormatBool(constant.BoolVal(c))}
	case info&types.IsInteger != 0:
		return integer(constant.ToInt(c), t)
	case info&types.IsFloat != 0:
		if f := constant.ToFloat(c); f.Kind() == constant.Float {
			number, _ := constant.Float64Val(f)
			bits := 64
			if t.Kind() == types.Float32 {
				bits = 32
			}
			return &sequence.Value{Kind: sequence.Float, Text: sequence.FloatText(number, bits)}
		}
	}
	return nil
}

func textOf(c constant.Value) *sequence.Value {
	if c.Kind() != constant.String || len(constant.StringVal(c)) > maxText {
		return nil
	}
	return &sequence.Value{Kind: sequence.String, Text: constant.StringVal(c)}
}

// integer returns an integer that fits its type.
func integer(c constant.Value, t *types.Basic) *sequence.Value {
	sizes := types.SizesFor("gc", "amd64")
	bits := uint(8 * sizes.Sizeof(t))
	if c.Kind() != constant.Int {
		return nil
	}
	if t.Info()&types.IsUnsigned != 0 {
		if n, exact := constant.Uint64Val(c); exact && n <= ^uint64(0)>>(64-bits) {
			return &sequence.Value{Kind: sequence.Uint, Text: strconv.FormatUint(n, 10)}
		}
		return nil
	}
	if n, exact := constant.Int64Val(c); exact && n <= 1<<(bits-1)-1 && n >= -1<<(bits-1) {
		return &sequence.Value{Kind: sequence.Int, Text: strconv.FormatInt(n, 10)}
	}
	return nil
}
