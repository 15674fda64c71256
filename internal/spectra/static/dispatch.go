package static

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A dispatch finds, for a declaration, edges from it to the types of function values that it calls, and from such types
// to the functions that it uses as values, and to itself if it has literals of the type. Types that many unrelated
// functions have, such as func() error, are left out.
type dispatch struct {
	info   *types.Info
	from   string
	edges  edges
	called map[ast.Expr]bool // what is called at once
}

func (d *dispatch) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		of := ast.Unparen(n.Fun)
		d.called[of], d.called[calleeName(of)] = true, true
		_, literal := of.(*ast.FuncLit)
		if literal || functionOf(d.info, of) != nil || !d.info.Types[of].IsValue() { // a conversion calls nothing
			break
		}
		if t := valueType(d.info.TypeOf(of)); t != "" {
			d.edges.add(d.from, t)
		}
	case *ast.FuncLit:
		if !d.called[n] {
			d.taken(n, d.from)
		}
	case *ast.SelectorExpr:
		if fn := functionOf(d.info, n); fn != nil && !d.called[n.Sel] {
			d.called[n.Sel] = true // it is seen here
			d.taken(n, string(symbol.Function(fn)))
		}
	case *ast.Ident:
		if fn := functionOf(d.info, n); fn != nil && !d.called[n] {
			d.taken(n, string(symbol.Function(fn)))
		}
	}
	return true
}

// taken notes that a function is used as a value.
func (d *dispatch) taken(e ast.Expr, name string) {
	if t := valueType(d.info.TypeOf(e)); t != "" {
		d.edges.add(t, name)
	}
}

// functionOf returns the declared function that an expression names, nil if it names none.
func functionOf(info *types.Info, e ast.Expr) *types.Func {
	fn, _ := info.Uses[calleeName(e)].(*types.Func)
	return fn
}

// valueType returns the name of the type of function values that callers are found by, "" if it says too little: it
// has to mention a named type other than those of errors and contexts.
func valueType(t types.Type) string {
	if t == nil {
		return ""
	}
	of, ok := t.Underlying().(*types.Signature)
	if !ok {
		return ""
	}
	telling := false
	symbol.Named(of, func(n *types.Named) {
		pkg := n.Obj().Pkg()
		telling = telling || pkg != nil && !(pkg.Path() == "context" && n.Obj().Name() == "Context")
	})
	if !telling {
		return ""
	}
	plain := types.NewSignatureType(nil, nil, nil, unnamed(of.Params()), unnamed(of.Results()), of.Variadic())
	return types.TypeString(plain, nil)
}

// unnamed returns parameters without their names.
func unnamed(list *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range list.Variables() {
		vars = append(vars, types.NewVar(0, nil, "", v.Type()))
	}
	return types.NewTuple(vars...)
}

// isValueType reports whether a name is that of a type of function values.
func isValueType(name string) bool { return strings.HasPrefix(name, "func(") }
