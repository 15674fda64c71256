package carve

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// anything returns the value of an expression with its type, nil if one of them is unknown.
func (s *scope) anything(e ast.Expr, r row, depth int) *sequence.Value {
	if s.types == nil {
		return nil
	}
	t, v := s.typed(e, r, depth)
	if v == nil {
		return nil
	}
	return &sequence.Value{Kind: sequence.Typed, Type: symbol.Type(t), Elems: []sequence.Value{*v}}
}

// typed returns the type of an expression and its value.
func (s *scope) typed(e ast.Expr, r row, depth int) (types.Type, *sequence.Value) {
	if depth > maxDepth {
		return nil, nil
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		return s.as(s.types.Type(e.Type), e, r, depth)
	case *ast.UnaryExpr:
		if e.Op != token.AND {
			break
		}
		if t, v := s.typed(e.X, r, depth+1); v != nil {
			return types.NewPointer(t), &sequence.Value{Kind: sequence.Address, Elems: []sequence.Value{*v}}
		}
		return nil, nil
	case *ast.CallExpr:
		return s.made(e, r, depth)
	case *ast.Ident:
		if t := s.zero(e); t != nil {
			return t, &sequence.Value{Kind: sequence.Zero}
		}
	}
	if to := s.meant(e, r); to != nil {
		return s.typed(to, r, depth+1)
	}
	c := s.constant(e, r, depth)
	for kind, basic := range map[constant.Kind]types.BasicKind{
		constant.String: types.String, constant.Int: types.Int,
		constant.Bool: types.Bool, constant.Float: types.Float64,
	} {
		if c.Kind() == kind {
			return s.as(types.Typ[basic], e, r, depth)
		}
	}
	return nil, nil
}

// as returns the value of an expression of a known type.
func (s *scope) as(t types.Type, e ast.Expr, r row, depth int) (types.Type, *sequence.Value) {
	if t == nil {
		return nil, nil
	}
	return t, s.value(e, t, r, depth+1)
}

// made returns the value of new(T) or of a conversion.
func (s *scope) made(e *ast.CallExpr, r row, depth int) (types.Type, *sequence.Value) {
	if len(e.Args) != 1 {
		return nil, nil
	}
	if id, ok := e.Fun.(*ast.Ident); ok && id.Name == "new" {
		if t := s.types.Type(e.Args[0]); t != nil {
			zero := sequence.Value{Kind: sequence.Zero}
			return types.NewPointer(t), &sequence.Value{Kind: sequence.Address, Elems: []sequence.Value{zero}}
		}
		return nil, nil
	}
	return s.as(s.types.Type(e.Fun), e.Args[0], r, depth)
}

// zero returns the type of a variable that is declared without a value and not assigned before its use.
func (s *scope) zero(id *ast.Ident) types.Type {
	var found *binding
	for i, b := range s.zeros[id.Name] {
		if b.at < id.Pos() {
			found = &s.zeros[id.Name][i]
		}
	}
	if found == nil {
		return nil
	}
	for _, b := range s.values[id.Name] {
		if b.at < id.Pos() && b.at > found.at {
			return nil
		}
	}
	return s.types.Type(found.to)
}

// mapping returns a map, nil if one of its keys or values is unknown.
func (s *scope) mapping(literal *ast.CompositeLit, t *types.Map, r row, depth int) *sequence.Value {
	v := &sequence.Value{Kind: sequence.Map}
	if len(literal.Elts) > maxElems {
		return nil
	}
	for _, e := range literal.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		key, elem := s.value(pair.Key, t.Key(), r, depth), s.value(pair.Value, t.Elem(), r, depth)
		if key == nil || elem == nil {
			return nil
		}
		v.Elems = append(v.Elems, *key, *elem)
	}
	return v
}
