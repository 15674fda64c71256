package carve

// This file finds what names in a test file stand for, and the rows of its tables.

import (
	"go/ast"
	"go/token"
)

// A scope has the values of the names in one file. Names are told apart by where they are declared only so far that the
// value written last before a use counts.
type scope struct {
	values  map[string][]binding
	structs map[string][]string // fields of struct types that the file declares
}

type binding struct {
	at token.Pos
	to ast.Expr
}

func newScope(file *ast.File) *scope {
	s := &scope{values: map[string][]binding{}, structs: map[string][]string{}}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if id, ok := left.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) && n.Tok != token.ADD_ASSIGN {
					s.values[id.Name] = append(s.values[id.Name], binding{id.Pos(), n.Rhs[i]})
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Names) == len(n.Values) {
					s.values[id.Name] = append(s.values[id.Name], binding{id.Pos(), n.Values[i]})
				}
			}
		case *ast.TypeSpec:
			if t, ok := n.Type.(*ast.StructType); ok {
				s.structs[n.Name.Name] = fieldNames(t)
			}
		}
		return true
	})
	return s
}

func fieldNames(t *ast.StructType) []string {
	var names []string
	for _, field := range t.Fields.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
		if len(field.Names) == 0 {
			names = append(names, "")
		}
	}
	return names
}

// lookup returns what a name stands for at a place: what was written last before it, or else first of all.
func (s *scope) lookup(id *ast.Ident) ast.Expr {
	var found ast.Expr
	for i, b := range s.values[id.Name] {
		if i == 0 || b.at < id.Pos() {
			found = b.to
		}
	}
	return found
}

// A row of a table says what names stand for in it: a loop's variables, and their fields as "variable.field".
type row map[string]ast.Expr

type table struct{ rows []row }

// table returns the rows over which a loop runs, if they are written down.
func (s *scope) table(n *ast.RangeStmt) (t table, ok bool) {
	literal := s.literal(n.X)
	if literal == nil {
		return t, false
	}
	of := literal.Type
	var elem ast.Expr
	switch of := of.(type) {
	case *ast.ArrayType:
		elem = of.Elt
	case *ast.MapType:
		elem = of.Value
	default:
		return t, false
	}
	for _, e := range literal.Elts {
		r := row{}
		if pair, keyed := e.(*ast.KeyValueExpr); keyed {
			s.bind(r, n.Key, pair.Key, nil)
			e = pair.Value
		}
		s.bind(r, n.Value, e, elem)
		if t.rows = append(t.rows, r); len(t.rows) == maxRows {
			break
		}
	}
	return t, true
}

// literal returns the composite literal that an expression is, or that its name stands for.
func (s *scope) literal(e ast.Expr) *ast.CompositeLit {
	for range 3 {
		switch of := ast.Unparen(e).(type) {
		case *ast.CompositeLit:
			return of
		case *ast.Ident:
			if e = s.lookup(of); e == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// bind has a variable of a loop stand for an element, and its fields for those of the element.
func (s *scope) bind(r row, variable, e, typ ast.Expr) {
	id, ok := variable.(*ast.Ident)
	if !ok || id.Name == "_" {
		return
	}
	r[id.Name] = e
	if pointer, ok := e.(*ast.UnaryExpr); ok && pointer.Op == token.AND {
		e = pointer.X
	}
	literal, ok := e.(*ast.CompositeLit)
	if !ok {
		return
	}
	if literal.Type != nil {
		typ = literal.Type
	}
	names := s.fields(typ)
	for i, elem := range literal.Elts {
		if pair, keyed := elem.(*ast.KeyValueExpr); keyed {
			if name, ok := pair.Key.(*ast.Ident); ok {
				r[id.Name+"."+name.Name] = pair.Value
			}
		} else if i < len(names) {
			r[id.Name+"."+names[i]] = elem
		}
	}
}

// fields returns the names of the fields of a struct type that is written down or declared in the file.
func (s *scope) fields(typ ast.Expr) []string {
	switch typ := typ.(type) {
	case *ast.StarExpr:
		return s.fields(typ.X)
	case *ast.StructType:
		return fieldNames(typ)
	case *ast.Ident:
		return s.structs[typ.Name]
	}
	return nil
}
