package plan

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Asserted returns the types that changed functions of either version assert values of type any to be, in the order of
// the source. Of new these are types without names, which are the same in both.
func (p *Plan) Asserted() (list []types.Type) {
	seen := map[string]bool{}
	for _, c := range p.ChangedFunctions() {
		for _, s := range spectra.Sides() {
			lines := c.Old
			if s == spectra.New {
				lines = c.New
			}
			if lines.Line == 0 {
				continue
			}
			EachIn(p.Sides.Of(s).Target, lines, func(of *packages.Package, n ast.Node) {
				for _, t := range assertedBy(of.TypesInfo, n) {
					if name := symbol.Type(t); !seen[name] && (s == spectra.Old || !named(t)) {
						seen[name] = true
						list = append(list, t)
					}
				}
			})
		}
	}
	return list
}

// assertedBy returns the types of a type switch or a type assertion on a value of type any, without interfaces.
func assertedBy(info *types.Info, n ast.Node) (list []types.Type) {
	var of ast.Expr
	var as []ast.Expr
	switch n := n.(type) {
	case *ast.TypeAssertExpr:
		if n.Type != nil {
			of, as = n.X, []ast.Expr{n.Type}
		}
	case *ast.TypeSwitchStmt:
		of = switched(n.Assign)
		for _, clause := range n.Body.List {
			as = append(as, clause.(*ast.CaseClause).List...)
		}
	}
	if of == nil {
		return nil
	}
	if iface, ok := info.TypeOf(of).Underlying().(*types.Interface); !ok || !iface.Empty() {
		return nil
	}
	for _, e := range as {
		if tv := info.Types[e]; tv.IsType() && !types.IsInterface(tv.Type) {
			list = append(list, tv.Type)
		}
	}
	return list
}

// switched returns the value of a type switch.
func switched(s ast.Stmt) ast.Expr {
	var e ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		e = s.Rhs[0]
	}
	if assertion, ok := e.(*ast.TypeAssertExpr); ok {
		return assertion.X
	}
	return nil
}

// named reports whether a type has a named type in it.
func named(t types.Type) (found bool) {
	symbol.Named(t, func(*types.Named) { found = true })
	return found
}
