package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
)

// An operand that is noted is read when it is noted. Without that the compiler may read it behind calls that stand
// after it: p.pos == p.next() compares what p.pos is afterwards.

// misread reports whether one of some operands of an expression could be read before a call that would come first if
// it were not noted.
func (w *operandWalk) misread(operands ...ast.Expr) bool {
	for _, e := range operands {
		if w.unsteady(e) && w.callFollows(e) {
			return true
		}
	}
	return false
}

// callFollows reports whether a call or receive stands behind an operand in the same expression or statement, and only
// the order of evaluation says what comes first.
func (w *operandWalk) callFollows(e ast.Expr) bool {
	for inner := ast.Node(e); ; {
		around := w.around[inner]
		switch around := around.(type) {
		case *ast.AssignStmt, *ast.ReturnStmt, *ast.SendStmt, *ast.ExprStmt, *ast.IncDecStmt:
			return w.callsBehind(around, inner.End())
		case nil, ast.Stmt:
			return false
		case *ast.BinaryExpr:
			if (around.Op == token.LAND || around.Op == token.LOR) && around.X == inner {
				inner = around
				continue // the other side waits for this one
			}
		}
		if w.callsBehind(around, inner.End()) {
			return true
		}
		if call, ok := around.(*ast.CallExpr); ok && w.isCall(call) {
			return false // calls come in the order of the source
		}
		inner = around
	}
}

// callsBehind reports whether a node has a call or a receive behind a place.
func (w *operandWalk) callsBehind(n ast.Node, at token.Pos) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BlockStmt:
			return false
		case *ast.CallExpr:
			found = found || n.Pos() >= at && w.isCall(n)
		case *ast.UnaryExpr:
			found = found || n.Pos() >= at && n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// isCall reports whether a call is not that of a type, or of a function of the language that only reads.
func (w *operandWalk) isCall(n *ast.CallExpr) bool {
	of := w.pkg.TypesInfo.Types[n.Fun]
	if !of.IsBuiltin() {
		return !of.IsType()
	}
	id, ok := ast.Unparen(n.Fun).(*ast.Ident)
	if !ok {
		return true
	}
	switch id.Name {
	case "len", "cap", "min", "max", "real", "imag", "complex":
		return false
	}
	return true
}

// unsteady reports whether an operand, outside of its own calls, reads what a call may change, or may panic.
func (w *operandWalk) unsteady(e ast.Expr) (found bool) {
	if w.pkg.TypesInfo.Types[e].Value != nil {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if w.isCall(n) {
				return false
			}
			found = found || w.readsElements(n)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				return false
			}
		case *ast.SelectorExpr:
			found = found || !w.ownField(n)
			found = found || w.unsteady(n.X)
			return false
		case *ast.Ident:
			found = found || w.changesBehind(n)
		case *ast.BinaryExpr:
			switch n.Op {
			case token.QUO, token.REM, token.SHL, token.SHR:
				found = true
			}
		case *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr:
			found = true
		}
		return !found
	})
	return found
}

// readsElements reports whether a conversion makes a text of bytes or runes. The compiler may read them behind calls.
func (w *operandWalk) readsElements(n *ast.CallExpr) bool {
	if !w.pkg.TypesInfo.Types[n.Fun].IsType() || kindOf(w.typeOf(n)) != textKind {
		return false
	}
	_, basic := w.typeOf(n.Args[0]).Underlying().(*types.Basic)
	return !basic
}

// ownField reports whether a field lies in the memory of what it is selected from.
func (w *operandWalk) ownField(n *ast.SelectorExpr) bool {
	s := w.pkg.TypesInfo.Selections[n]
	return s != nil && s.Kind() == types.FieldVal && !s.Indirect()
}

// changesBehind reports whether a name is that of a variable that calls may change.
func (w *operandWalk) changesBehind(id *ast.Ident) bool {
	v, ok := w.pkg.TypesInfo.Uses[id].(*types.Var)
	return ok && (v.Kind() == types.PackageVar || w.shared[v])
}

// parents returns the node around each node of a function body.
func parents(body *ast.BlockStmt) map[ast.Node]ast.Node {
	around := map[ast.Node]ast.Node{}
	var stack []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if len(stack) > 0 {
			around[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		return true
	})
	return around
}
