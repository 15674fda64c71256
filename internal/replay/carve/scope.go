package carve

import (
	"go/ast"
	"go/token"

	"github.com/spectradiff/spectradiff/internal/replay/testtypes"
)

// A scope has the values of the names in one file. It does not resolve declarations: the value written last before a
// use counts.
type scope struct {
	values  map[string][]binding
	makers  map[string][]binding // calls that set names, also one of several results
	structs map[string][]string  // fields of struct types declared in the file
	zeros   map[string][]binding // types of variables declared without a value
	types   *testtypes.File      // nil: no types besides those of parameters are known
}

type binding struct {
	at     token.Pos
	to     ast.Expr
	result int // of a call
}

func newScope(file *ast.File, declared *testtypes.Set) *scope {
	s := &scope{
		values: map[string][]binding{}, makers: map[string][]binding{}, structs: map[string][]string{},
		zeros: map[string][]binding{},
	}
	if declared != nil {
		s.types = declared.File(file)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if id, ok := left.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) && n.Tok != token.ADD_ASSIGN {
					s.values[id.Name] = append(s.values[id.Name], binding{id.Pos(), n.Rhs[i], 0})
				}
			}
			s.results(n)
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Names) == len(n.Values) {
					s.values[id.Name] = append(s.values[id.Name], binding{id.Pos(), n.Values[i], 0})
				} else if len(n.Values) == 0 {
					s.zeros[id.Name] = append(s.zeros[id.Name], binding{id.Pos(), n.Type, 0})
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

// results notes the names that get the results of a call.
func (s *scope) results(n *ast.AssignStmt) {
	for i, left := range n.Lhs {
		id, ok := left.(*ast.Ident)
		right, result := n.Rhs[0], i
		if len(n.Lhs) == len(n.Rhs) {
			right, result = n.Rhs[i], 0
		}
		if ok && id.Name != "_" {
			s.makers[id.Name] = append(s.makers[id.Name], binding{id.Pos(), right, result})
		}
	}
}

// maker returns the call that makes the value of an expression, and the index of the result; nil if there is none.
func (s *scope) maker(e ast.Expr, r row) (call *ast.CallExpr, result int) {
	for range maxDepth {
		switch of := e.(type) {
		case *ast.CallExpr:
			return of, result
		case *ast.ParenExpr:
			e = of.X
			continue
		case *ast.Ident:
			if to, ok := r[of.Name]; ok {
				e = to
				continue
			}
			var found *binding
			for i, b := range s.makers[of.Name] {
				if b.at < of.Pos() {
					found = &s.makers[of.Name][i]
				}
			}
			if found == nil {
				return nil, 0
			}
			e, result = found.to, found.result
			continue
		}
		if e = s.meant(e, r); e == nil {
			return nil, 0
		}
	}
	return nil, 0
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

// lookup returns the value of a name at a place: the last one written before it, or else the first one.
func (s *scope) lookup(id *ast.Ident) ast.Expr {
	var found ast.Expr
	for i, b := range s.values[id.Name] {
		if i == 0 || b.at < id.Pos() {
			found = b.to
		}
	}
	return found
}

// variable reports whether the file has a variable with the name.
func (s *scope) variable(name string) bool {
	return len(s.values[name])+len(s.makers[name])+len(s.zeros[name]) > 0
}

// A row maps names to their values in one row of a table: a loop's variables, and their fields as "variable.field".
type row map[string]ast.Expr

type table struct{ rows []row }

// table returns the rows of a loop, if they are written in the file.
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

// literal returns the composite literal of an expression, possibly behind a name.
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

// bind adds a loop's variable and its fields to a row.
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

// fields returns the field names of a struct type that is written out or declared in the file.
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
