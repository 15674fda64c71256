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
	info      *types.Info
	old       bool // a loop variable lives for the whole loop (before Go 1.22)
	addresses bool // what is assigned does not count
	set       map[*types.Var]bool
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

// Shared returns the variables of a package that other functions than those that declare them may change: those whose
// address is taken, and those that are assigned after their declaration and used in a literal.
func Shared(pkg *packages.Package) map[*types.Var]bool {
	c := changes{info: pkg.TypesInfo, set: map[*types.Var]bool{}, addresses: true}
	reassigned := Reassigned(pkg)
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if literal, ok := n.(*ast.FuncLit); ok {
				c.uses(literal, reassigned)
			}
			return c.visit(n)
		})
	}
	return c.set
}

// uses marks those of some variables that a literal uses and does not declare.
func (c *changes) uses(literal *ast.FuncLit, of map[*types.Var]bool) {
	ast.Inspect(literal, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := c.info.Uses[id].(*types.Var)
		if ok && of[v] && (v.Pos() < literal.Pos() || literal.End() <= v.Pos()) {
			c.set[v] = true
		}
		return true
	})
}

func (c *changes) visit(n ast.Node) bool {
	if !c.addresses {
		c.assignment(n)
	}
	switch n := n.(type) {
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

func (c *changes) assignment(n ast.Node) {
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
	}
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
