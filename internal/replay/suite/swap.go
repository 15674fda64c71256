package suite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// swap adds the choice that the second of two neighbouring statements comes before the first, if both call a method of
// one variable and can be moved.
func (w *walker) swap(first, second ast.Stmt) {
	x, y := w.moved(first), w.moved(second)
	if x == nil || y == nil || w.receiver(x) == nil || w.receiver(x) != w.receiver(y) || w.shown(x) == w.shown(y) {
		return
	}
	w.choose(first, nil, choice{kind: swapped, second: second, text: w.shown(y) + " before " + w.shown(x)})
	chosen := w.found[len(w.found)-1]
	w.choose(second, nil, choice{kind: movedAway})
	w.found[len(w.found)-1].within = chosen
}

// moved returns the call of a statement that may stand elsewhere in its list: that declares nothing for others,
// contains neither a function nor a label, and leaves a way to what follows, without which the compiler would miss a
// return. Nil: it may not.
func (w *walker) moved(s ast.Stmt) *ast.CallExpr {
	switch of := s.(type) {
	case *ast.ExprStmt, *ast.IfStmt:
	case *ast.AssignStmt:
		if of.Tok != token.ASSIGN {
			return nil
		}
	default:
		return nil
	}
	fixed := mayTerminate(s)
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit, *ast.LabeledStmt:
			fixed = true
		}
		return !fixed
	})
	if fixed {
		return nil
	}
	call, _ := w.callOf(s).(*ast.CallExpr)
	return call
}

// mayTerminate reports whether a statement may be one that the language calls terminating: nothing runs behind it.
func mayTerminate(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.GOTO
	case *ast.ExprStmt:
		call, _ := ast.Unparen(s.X).(*ast.CallExpr)
		return call != nil && isName(call.Fun, "panic")
	case *ast.ForStmt:
		return s.Cond == nil
	case *ast.IfStmt:
		return s.Else != nil && mayTerminate(s.Body) && mayTerminate(s.Else)
	case *ast.BlockStmt:
		return len(s.List) > 0 && mayTerminate(s.List[len(s.List)-1])
	}
	return false
}

func isName(e ast.Expr, name string) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == name
}

// receiver returns the variable whose method is called, nil if there is none.
func (w *walker) receiver(call *ast.CallExpr) types.Object {
	if s, ok := call.Fun.(*ast.SelectorExpr); ok {
		if id, ok := s.X.(*ast.Ident); ok {
			if v, ok := w.info.Uses[id].(*types.Var); ok && !ofTesting(v.Type()) {
				return v
			}
		}
	}
	return nil
}

// dropped returns what drops the results of a call that is made once more before its statement: with the holes around
// it, it may be no statement. One without results is.
func (d *digger) dropped(s ast.Node, call ast.Expr) string {
	n := 1
	if results, ok := d.info.Types[call].Type.(*types.Tuple); ok {
		n = results.Len()
	}
	if of, ok := s.(*ast.ExprStmt); ok && of.X == call || n == 0 {
		return ""
	}
	return strings.Repeat("_, ", n-1) + "_ = "
}

// again returns the source of a statement, to be put before another one, without the choices of statements in it.
func (d *digger) again(f file, head string, n, before ast.Node) string {
	text := head + d.edited(f, f.offset(n.Pos()), f.offset(n.End()), true)
	line := ""
	if strings.Contains(text, "\n") {
		at := f.fset.PositionFor(before.Pos(), false)
		line = fmt.Sprintf("/*line :%d:%d*/", at.Line, at.Column)
	}
	return "{ " + text + " }; " + line
}
