package static

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// mutableErrors returns the error types of pkgs, by canonical name without pointer, that have a field
// which is assigned to or whose address is taken anywhere.
func mutableErrors(pkgs []*packages.Package) map[string]bool {
	found := map[string]bool{}
	for _, pkg := range pkgs {
		m := mutations{info: pkg.TypesInfo, found: found}
		for _, f := range pkg.Syntax {
			ast.Inspect(f, m.visit)
		}
	}
	return found
}

type mutations struct {
	info  *types.Info
	found map[string]bool
}

func (m mutations) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			m.changed(e)
		}
	case *ast.IncDecStmt:
		m.changed(n.X)
	case *ast.RangeStmt:
		m.changed(n.Key)
		m.changed(n.Value)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			m.changed(n.X)
		}
	case *ast.SelectorExpr:
		if takesAddress(m.info, n) {
			m.changed(n.X)
		}
	case *ast.SliceExpr:
		m.changed(n.X)
	}
	return true
}

// changed notes the types of all values that the expression e passes through.
func (m mutations) changed(e ast.Expr) {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			if m.info.Selections[x] == nil {
				return
			}
			e = x.X
			m.note(m.info.TypeOf(e))
		case *ast.IndexExpr:
			e = x.X
			m.note(m.info.TypeOf(e))
		case *ast.StarExpr:
			e = x.X
			m.note(m.info.TypeOf(e))
		default:
			return
		}
	}
}

func (m mutations) note(t types.Type) {
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if isError(t) {
		m.found[symbol.Key(t)] = true
	}
}

var errorType = types.Universe.Lookup("error").Type()

// isError reports whether values of the type, or pointers to them, are errors.
func isError(t types.Type) bool {
	i := errorType.Underlying().(*types.Interface)
	return !types.IsInterface(t) && (types.Implements(t, i) || types.Implements(types.NewPointer(t), i))
}

// steadyError reports whether the code of pkgs can't change the error that is the value of e. That holds
// if the error comes from elsewhere, if no error's fields are changed, or if e has a type whose fields
// are not changed.
func (w *writes) steadyError(e ast.Expr) bool {
	if len(w.mutable) == 0 || w.info.Types[e].IsNil() {
		return true
	}
	t := w.info.TypeOf(e)
	if t != nil && !types.IsInterface(t) {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		return !w.mutable[symbol.Key(t)]
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn, ok := w.info.Uses[calleeName(call.Fun)].(*types.Func)
	return ok && fn.Pkg() != nil && !w.module[fn.Pkg().Path()]
}
