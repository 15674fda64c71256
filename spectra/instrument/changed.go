package instrument

// This file defines which local variables may change after their declaration.

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"slices"

	"golang.org/x/tools/go/packages"
)

// changes collects the variables that are assigned after their declaration or whose address is
// taken, as the compiler sees it when it decides how a literal captures them.
type changes struct {
	info *types.Info
	old  bool // loop variables live for the whole loop (before Go 1.22)
	set  map[*types.Var]bool
}

func changedVariables(pkg *packages.Package) map[*types.Var]bool {
	c := changes{info: pkg.TypesInfo, set: map[*types.Var]bool{}}
	for _, f := range pkg.Syntax {
		v := pkg.TypesInfo.FileVersions[f]
		c.old = v != "" && version.Compare(v, "go1.22") < 0
		ast.Inspect(f, c.visit)
	}
	return c.set
}

func (c *changes) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			c.change(e) // a variable declared here is no use of one, so it does not count
		}
	case *ast.IncDecStmt:
		c.change(n.X)
	case *ast.RangeStmt:
		c.rangeVariable(n.Key)
		c.rangeVariable(n.Value)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			c.change(n.X)
		}
	case *ast.SliceExpr:
		if _, ok := c.info.TypeOf(n.X).Underlying().(*types.Array); ok {
			c.change(n.X)
		}
	case *ast.SelectorExpr:
		if takesAddress(c.info, n) {
			c.change(n.X)
		}
	}
	return true
}

func (c *changes) rangeVariable(e ast.Expr) {
	if e == nil {
		return
	}
	c.change(e)
	if id, ok := e.(*ast.Ident); ok && c.old {
		if v, ok := c.info.Defs[id].(*types.Var); ok {
			c.set[v] = true
		}
	}
}

// change marks the variable that holds what e denotes.
func (c *changes) change(e ast.Expr) {
	if id := root(c.info, e); id != nil {
		if v, ok := c.info.Uses[id].(*types.Var); ok {
			c.set[v] = true
		}
	}
}

// root is the identifier of the variable in whose own memory the value of e lies, nil if it lies
// behind a pointer, slice or map.
func root(info *types.Info, e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			s := info.Selections[x]
			if s == nil {
				return x.Sel // pkg.Var
			}
			if throughPointer(s) {
				return nil
			}
			e = x.X
		case *ast.IndexExpr:
			if _, ok := info.TypeOf(x.X).Underlying().(*types.Array); !ok {
				return nil
			}
			e = x.X
		default:
			return nil
		}
	}
}

// throughPointer reports whether the path of a field selection follows a pointer. Unlike
// Selection.Indirect it leaves the last step's own type out.
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
	// Only the holder of the method, the last embedded field or x.X itself, matters.
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

func sortByName(list []*types.Var) {
	slices.SortFunc(list, func(x, y *types.Var) int {
		return cmp.Or(cmp.Compare(x.Name(), y.Name()), cmp.Compare(x.Pos(), y.Pos()))
	})
}
