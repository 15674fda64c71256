package plan

import (
	"go/ast"
	"go/constant"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// mostRoutes is how many routes there are at most.
const mostRoutes = 16

// Routes returns the routes of old by which a server calls what can reach the change, in the order of the source: calls
// that are given a text that is a path and a function, such as r.Post("/reload", reload), or r.Handle("POST /reload",
// wrapped(reload)).
func (p *Plan) Routes() (list []api.Route) {
	eachNode(p.Sides.Old.Target, func(of *packages.Package, n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 2 {
			return
		}
		r, ok := routeOf(of, call)
		if ok && len(list) < mostRoutes && !slices.Contains(list, r) && p.calledBy(of, call) {
			list = append(list, r)
		}
	})
	return list
}

// eachNode visits all code of a version, in the order of the source.
func eachNode(target *load.Version, visit func(of *packages.Package, n ast.Node)) {
	for _, of := range target.Packages {
		for _, syntax := range of.Syntax {
			ast.Inspect(syntax, func(n ast.Node) bool {
				visit(of, n)
				return true
			})
		}
	}
}

// routeOf returns the route that a call is given, and false if it is given none.
func routeOf(of *packages.Package, call *ast.CallExpr) (r api.Route, ok bool) {
	for _, a := range call.Args {
		v := of.TypesInfo.Types[a].Value
		if v == nil || v.Kind() != constant.String {
			continue
		}
		method, path, both := strings.Cut(constant.StringVal(v), " ")
		switch {
		case both && slices.Contains(api.Methods, method) && strings.HasPrefix(path, "/"):
			r.Method, r.Path = method, filled(path)
		case strings.HasPrefix(method, "/") && !both:
			r.Path = filled(method)
		case slices.Contains(api.Methods, method):
			r.Method = method
		}
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok && r.Method == "" {
		if name := strings.ToUpper(sel.Sel.Name); slices.Contains(api.Methods, name) {
			r.Method = name
		}
	}
	return r, r.Path != ""
}

// filled returns a path in which what stands for any text is one: {id}, :id, *rest.
func filled(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		switch {
		case part == "{$}":
			parts[i] = ""
		case strings.HasPrefix(part, "{"), strings.HasPrefix(part, ":"), strings.HasPrefix(part, "*"):
			parts[i] = "1"
		}
	}
	return strings.Join(parts, "/")
}

// calledBy reports whether a call is given a function that can reach the change.
func (p *Plan) calledBy(of *packages.Package, call *ast.CallExpr) (reaches bool) {
	for _, a := range call.Args {
		ast.Inspect(a, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				reaches = reaches || p.isChanged(n)
			case *ast.Ident:
				if fn, ok := of.TypesInfo.Uses[n].(*types.Func); ok {
					reaches = reaches || p.reaching[symbol.Function(fn.Origin())]
				}
			}
			return !reaches
		})
	}
	return reaches
}

// isChanged reports whether a function literal of old lies in a changed function, or has one in it.
func (p *Plan) isChanged(lit *ast.FuncLit) bool {
	target := p.Sides.Old.Target
	from, to := target.Fset.PositionFor(lit.Pos(), false), target.Fset.PositionFor(lit.End(), false)
	return slices.ContainsFunc(p.ChangedFunctions(), func(c source.Change) bool {
		file := filepath.Join(target.Dir, filepath.FromSlash(c.Old.File))
		return c.Old.Line > 0 && from.Filename == file && c.Old.Line <= to.Line && from.Line <= c.Old.EndLine
	})
}
