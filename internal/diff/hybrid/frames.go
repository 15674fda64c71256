package hybrid

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// asksFrames returns the function by which a declared one asks which frame it runs in, "" if none: what it hands its
// call to would run one frame below it. Literals inside have frames of their own.
func asksFrames(of *packages.Package, decl *ast.FuncDecl) (name string) {
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.Ident:
			switch object := of.TypesInfo.Uses[n].(type) {
			case *types.Builtin:
				if object.Name() == "recover" {
					name = "recover"
				}
			case *types.Func:
				if full := object.FullName(); full == "runtime.Caller" || full == "runtime.Callers" {
					name = full
				}
			}
		}
		return true
	})
	return name
}
