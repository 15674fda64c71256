package instrument

// This file defines the analysis that finds the package variables which a function may touch.

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/spectra"
)

// Touches gives for every function, method and function literal of pkgs the sorted names of the
// package variables of pkgs that it, or anything it can call, may touch. Variables that never
// change after initialisation are left out, and so is what only package initialisation does.
//
// The analysis follows types, not values, and errs on the side of too much: a call through an
// interface reaches every method that fits, a call of a function value every function of that
// signature that is used as a value. Code outside pkgs is taken to call every exported method of
// what it is handed; it is not followed to values that it kept from earlier calls.
func Touches(pkgs []*packages.Package) map[spectra.Symbol][]string {
	g := newGraph()
	written := Writes(pkgs)
	for _, pkg := range pkgs {
		g.module[pkg.PkgPath] = true
		for _, short := range pkg.Types.Scope().Names() {
			v := packageVariable(pkg.Types.Scope().Lookup(short))
			if v != nil && written[variableName(v)] {
				g.variables = append(g.variables, variableName(v))
			}
		}
	}
	slices.Sort(g.variables)
	for _, pkg := range pkgs {
		w := graphWalk{
			graph: g, info: pkg.TypesInfo, path: pkg.PkgPath, called: map[*ast.Ident]bool{},
			through: map[*ast.Ident]types.Type{}, run: map[*ast.FuncLit]bool{},
		}
		for _, f := range pkg.Syntax {
			for _, decl := range f.Decls {
				w.declaration(decl)
			}
		}
	}
	g.resolve()
	return g.reach()
}

// graphWalk enters the code of one package into the graph.
type graphWalk struct {
	*graph
	info    *types.Info
	path    string
	inits   int
	globals int
	called  map[*ast.Ident]bool       // names of functions that are called, not used as values
	through map[*ast.Ident]types.Type // names of methods selected from an interface → its type
	run     map[*ast.FuncLit]bool     // literals that are called where they stand
}

func (w *graphWalk) declaration(decl ast.Decl) {
	fn, ok := decl.(*ast.FuncDecl)
	if !ok {
		// Initialisers belong to no function, but what they use as a value can be called.
		w.body(decl, w.add("initialisers of "+w.path), &w.globals, spectra.Symbol(w.path+".glob."), true)
		return
	}
	object := w.info.Defs[fn.Name].(*types.Func)
	symbol := symbolOf(object)
	if fn.Recv == nil && fn.Name.Name == "init" {
		symbol = spectra.Symbol(fmt.Sprintf("%s.init.%d", w.path, w.inits))
		w.inits++
	}
	count := 0
	if fn.Body != nil {
		w.body(fn.Body, w.function(symbol), &count, symbol, true)
	}
}

// body enters what stands below root as done by node; literals directly inside get numbers.
func (w *graphWalk) body(root ast.Node, node int, count *int, symbol spectra.Symbol, declared bool) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			*count++
			inner := spectra.Symbol(fmt.Sprintf("%s.%d", symbol, *count))
			if declared {
				inner = spectra.Symbol(fmt.Sprintf("%s.func%d", symbol, *count))
			}
			literal, nestedCount := w.function(inner), 0
			w.edge(node, literal)
			if !w.run[n] {
				w.taken(literal, w.info.TypeOf(n))
			}
			w.body(n.Body, literal, &nestedCount, inner, false)
			return false
		case *ast.CallExpr:
			w.call(node, n)
		case *ast.SelectorExpr:
			if s := w.info.Selections[n]; s != nil && types.IsInterface(s.Recv()) {
				w.through[n.Sel] = s.Recv()
			}
		case *ast.Ident:
			w.use(node, n)
		case *ast.TypeSpec:
			w.namedType(n)
		case *ast.StructType:
			w.holder(w.info.TypeOf(n))
		}
		return true
	})
}

func (w *graphWalk) namedType(spec *ast.TypeSpec) {
	if object, ok := w.info.Defs[spec.Name].(*types.TypeName); ok && !object.IsAlias() {
		w.holder(object.Type())
	}
}

// use enters a name: a package variable is touched, a function is called or used as a value.
func (w *graphWalk) use(node int, id *ast.Ident) {
	if v := packageVariable(w.info.Uses[id]); v != nil {
		w.touch(node, variableName(v))
		return
	}
	fn, ok := w.info.Uses[id].(*types.Func)
	if !ok {
		return
	}
	target := w.callee(fn, w.through[id])
	if target < 0 {
		return
	}
	w.edge(node, target)
	if !w.called[id] {
		w.taken(target, fn.Signature())
		if recv := fn.Signature().Recv(); recv != nil {
			w.taken(target, methodExpression(fn.Signature(), recv))
		}
	}
}

// methodExpression is the signature of T.M.
func methodExpression(s *types.Signature, recv *types.Var) *types.Signature {
	params := []*types.Var{recv}
	for p := range s.Params().Variables() {
		params = append(params, p)
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), s.Results(), s.Variadic())
}

// call enters what a call does beyond naming a function.
func (w *graphWalk) call(node int, call *ast.CallExpr) {
	fun := w.info.Types[call.Fun]
	if fun.IsType() || fun.IsBuiltin() {
		return
	}
	if literal, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		w.run[literal] = true
		return
	}
	id := calleeName(call.Fun)
	fn, static := w.info.Uses[id].(*types.Func)
	if !static {
		if s, ok := fun.Type.Underlying().(*types.Signature); ok {
			w.edge(node, w.dynamic(s))
		}
		return
	}
	w.called[id] = true
	if fn.Pkg() != nil && w.module[fn.Pkg().Path()] && !isInterfaceMethod(fn) {
		return
	}
	// The code behind is, or may be, outside: it may use all that its arguments offer.
	for _, arg := range call.Args {
		if t := w.info.TypeOf(arg); t != nil {
			w.edge(node, w.handedOut(t))
		}
	}
}

// calleeName is the identifier that names a called function, an empty one if nothing does.
func calleeName(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return calleeName(e.X)
	case *ast.IndexListExpr:
		return calleeName(e.X)
	}
	return &ast.Ident{}
}
