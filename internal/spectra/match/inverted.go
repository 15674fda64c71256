package match

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A truth says how the code of a version uses a field of type bool: how much more often it reads the field as it is
// than negated, and sets it to true than to false. Both are below 0 where it is the other way round.
type truth struct{ read, set int }

// inverted reports whether a field with the other truth says the opposite, as "open" and "closed" do: most code reads
// it the other way, and the constants that it is set to don't tell otherwise.
func (t truth) inverted(other truth) bool {
	return t.read*other.read < 0 && t.set*other.set <= 0
}

// truths returns how the type-checked packages use the fields of their types, by the names of these.
func (v *Version) truths() map[string]truth {
	c := &truthCounter{fields: map[*types.Var]string{}, found: map[string]truth{}}
	for _, p := range v.Packages {
		nameFields(p.Types, c.fields)
	}
	for _, p := range v.Packages {
		c.info = p.TypesInfo
		for _, file := range p.Syntax {
			ast.Inspect(file, c.visit)
		}
	}
	return c.found
}

// A truthCounter counts while it is led through the files of one package after the other.
type truthCounter struct {
	fields map[*types.Var]string
	info   *types.Info
	found  map[string]truth
}

// visit counts a selected field as read. Where it is negated or set, it corrects that before it comes there.
func (c *truthCounter) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		c.count(n.Sel, 1, 0)
	case *ast.UnaryExpr:
		if s, ok := ast.Unparen(n.X).(*ast.SelectorExpr); ok && n.Op == token.NOT {
			c.count(s.Sel, -2, 0)
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok {
			c.count(key, 0, c.sign(n.Value))
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			s, ok := left.(*ast.SelectorExpr)
			if !ok {
				continue
			}
			set := 0
			if len(n.Rhs) == len(n.Lhs) {
				set = c.sign(n.Rhs[i])
			}
			c.count(s.Sel, -1, set)
		}
	}
	return true
}

func (c *truthCounter) count(name *ast.Ident, read, set int) {
	v, ok := c.info.Uses[name].(*types.Var)
	if !ok || !v.IsField() {
		return
	}
	if field := c.fields[v.Origin()]; field != "" {
		t := c.found[field]
		c.found[field] = truth{t.read + read, t.set + set}
	}
}

// sign returns 1 for true, -1 for false, and 0 for what is no constant.
func (c *truthCounter) sign(e ast.Expr) int {
	switch c.info.Uses[identifier(e)] {
	case types.Universe.Lookup("true"):
		return 1
	case types.Universe.Lookup("false"):
		return -1
	}
	return 0
}

// identifier returns an expression as an identifier, or nil.
func identifier(e ast.Expr) *ast.Ident {
	id, _ := ast.Unparen(e).(*ast.Ident)
	return id
}
