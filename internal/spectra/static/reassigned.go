package static

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"

	"golang.org/x/tools/go/packages"
)

// changes collects the result of Reassigned.
type changes struct {
	info *types.Info
	old  bool // a loop variable lives for the whole loop (before Go 1.22)
	set  map[*types.Var]bool
}

// Reassigned returns the variables of a package that are assigned after their declaration or whose
// address is taken. It follows the rule by which the compiler decides how a literal captures a variable.
func Reassigned(pkg *packages.Package) map[*types.Var]bool {
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
			c.change(e) // a variable that is declared here does not count as used
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

// change marks the variable that holds the value of e.
func (c *changes) change(e ast.Expr) {
	if id := root(c.info, e); id != nil {
		if v, ok := c.info.Uses[id].(*types.Var); ok {
			c.set[v] = true
		}
	}
}

// root returns the identifier of the variable in whose own memory the value of e lies. It returns nil if
// the value lies behind a pointer, slice or map.
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
