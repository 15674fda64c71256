package plan

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/load"
)

func variableName(v *types.Var) string { return v.Pkg().Path() + "." + v.Name() }

// states returns the variables that only their package sets, while it works: which values such have together, only it
// knows. What init and main set, or a flag, and what nothing sets, has the value that somebody decided.
func states(version *load.Version, variables []*types.Var) map[string]bool {
	set := map[string]bool{}
	for _, v := range variables {
		if !v.Exported() {
			set[variableName(v)] = false
		}
	}
	flags := map[string]bool{}
	for _, of := range version.Packages {
		named := func(e ast.Expr) string {
			if id, ok := e.(*ast.Ident); ok {
				if v, ok := of.TypesInfo.ObjectOf(id).(*types.Var); ok && ofPackage(v) {
					return variableName(v)
				}
			}
			return ""
		}
		for _, syntax := range of.Syntax {
			for _, d := range syntax.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && (d.Recv != nil || d.Name.Name != "init" && d.Name.Name != "main") {
					setIn(d, named, set, flags)
				}
			}
		}
	}
	maps.DeleteFunc(set, func(name string, set bool) bool { return !set || flags[name] })
	return set
}

// setIn notes which variables code sets, and which it hands over as flags: flags.IntVar(&limit, …).
func setIn(code ast.Node, named func(ast.Expr) string, set, flags map[string]bool) {
	note := func(list ...ast.Expr) {
		for _, e := range list {
			if _, of := set[named(e)]; of {
				set[named(e)] = true
			}
		}
	}
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			note(n.Lhs...)
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.RangeStmt:
			note(n.Key, n.Value)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		case *ast.CallExpr:
			callee, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || !strings.Contains(callee.Sel.Name, "Var") {
				return true
			}
			for _, a := range n.Args {
				if u, ok := a.(*ast.UnaryExpr); ok && u.Op == token.AND {
					flags[named(u.X)] = true
				}
			}
		}
		return true
	})
}
