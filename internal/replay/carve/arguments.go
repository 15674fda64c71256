package carve

import (
	"go/ast"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// filled returns the call with the arguments known in one row of a table. It reports whether any is known and nothing
// contradicts the operation.
func (w *walk) filled(n *ast.CallExpr, op *api.Operation, r row, depth int) (Call, bool) {
	call := Call{
		Op: op.Name, Args: make([]*sequence.Value, len(op.Params)), From: make([]*Made, len(op.Params)),
	}
	first, told, args := 0, false, n.Args
	if op.Receiver {
		first = 1
		var receiver ast.Expr
		if receiver, args = w.receiver(n, op); receiver != nil {
			made, other := w.made(receiver, op.Params[0], r, depth)
			if other {
				return call, false
			}
			call.From[0], told = made, made != nil
		}
	}
	list := n.Ellipsis.IsValid()
	if !takes(op, first, len(args), list) {
		return call, false
	}
	own := len(op.Params) - first // parameters besides the receiver
	for i := range own {
		t := op.Params[first+i]
		var v *sequence.Value
		if op.Variadic && i == own-1 && !list {
			v = w.scope.rest(args[i:], t, r)
		} else {
			v = w.scope.value(args[i], t, r, 0)
		}
		call.Args[first+i] = v
		if v == nil && i < len(args) {
			call.From[first+i], _ = w.made(args[i], t, r, depth)
			told = told || call.From[first+i] != nil
		}
		told = told || v != nil && (v.Kind != sequence.List || len(v.Elems) > 0) && v.Kind != sequence.Nil
	}
	return call, told
}

// takes reports whether an operation takes so many arguments behind its first parameters, the last of them a list for
// its variadic parameter or not. What is called need not be the operation: a field, or a method of another type, may
// have its name.
func takes(op *api.Operation, first, args int, list bool) bool {
	own := len(op.Params) - first
	if op.Variadic && !list {
		return args >= own-1
	}
	return args == own && op.Variadic == list
}

// receiver returns the receiver of a method's call, nil if it has none, and the arguments without it: what stands
// before the method's name, or in T.Method(x, …) and (*T).Method(x, …) the first argument.
func (w *walk) receiver(n *ast.CallExpr, op *api.Operation) (receiver ast.Expr, args []ast.Expr) {
	x, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	switch {
	case !ok:
		return nil, n.Args
	case !w.names(x.X, op):
		return x.X, n.Args
	case len(n.Args) == 0:
		return nil, nil
	}
	return n.Args[0], n.Args[1:]
}

// names reports whether an expression names the type whose method an operation is, or a pointer to it.
func (w *walk) names(e ast.Expr, op *api.Operation) bool {
	named, _ := symbol.Receiver(op.Params[0])
	if named == nil {
		return false
	}
	e = ast.Unparen(e)
	if of, ok := e.(*ast.StarExpr); ok {
		e = ast.Unparen(of.X)
	}
	switch of := e.(type) {
	case *ast.IndexExpr:
		e = of.X
	case *ast.IndexListExpr:
		e = of.X
	}
	switch of := e.(type) {
	case *ast.Ident:
		return of.Name == named.Obj().Name() && !w.scope.variable(of.Name)
	case *ast.SelectorExpr:
		x, ok := of.X.(*ast.Ident)
		return ok && of.Sel.Name == named.Obj().Name() && w.imports[x.Name] == named.Obj().Pkg().Path()
	}
	return false
}
