package static

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// dispatches returns the edges from each declaration that calls a function value to the type of that value, and from
// there to the functions that are used as such values, and to the declarations with literals of the type. Types that
// many unrelated functions have, such as func() error, are left out.
func (p *Program) dispatches() edges {
	all := edges{}
	for _, pkg := range p.Packages {
		for _, file := range pkg.Syntax {
			for _, decl := range file.Decls {
				for _, name := range declared(pkg, decl) {
					d := dispatch{Package: pkg, program: p, from: name, edges: all, called: map[ast.Expr]bool{}}
					ast.Inspect(decl, d.visit)
				}
			}
		}
	}
	return all
}

// declared returns the names of what a declaration declares: functions, and variables.
func declared(pkg *packages.Package, decl ast.Decl) (names []string) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if fn, ok := pkg.TypesInfo.Defs[decl.Name].(*types.Func); ok {
			names = append(names, string(symbol.Function(fn)))
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				for _, name := range v.Names {
					names = append(names, pkg.PkgPath+"."+name.Name)
				}
			}
		}
	}
	return names
}

// A dispatch finds the edges of one declaration.
type dispatch struct {
	*packages.Package
	program *Program
	from    string
	edges   edges
	called  map[ast.Expr]bool // what is called at once
}

func (d *dispatch) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		of := ast.Unparen(n.Fun)
		d.called[of] = true
		if s, ok := of.(*ast.SelectorExpr); ok {
			d.called[s.Sel] = true
		}
		_, literal := of.(*ast.FuncLit)
		if !literal && d.function(of) == nil && d.TypesInfo.Types[of].IsValue() {
			d.edges.add(d.from, valueTypes(d.TypesInfo.TypeOf(of))...)
		}
	case *ast.FuncLit:
		if !d.called[n] {
			d.taken(n, d.from)
		}
	case *ast.SelectorExpr:
		if fn := d.function(n); fn != nil && !d.called[n] {
			d.called[n.Sel] = true // it is seen here
			d.taken(n, string(symbol.Function(fn)))
		}
	case *ast.Ident:
		if fn := d.function(n); fn != nil && !d.called[n] {
			d.taken(n, string(symbol.Function(fn)))
		}
	}
	return true
}

// taken notes that a function is used as a value.
func (d *dispatch) taken(e ast.Expr, name string) {
	for _, t := range valueTypes(d.TypesInfo.TypeOf(e)) {
		d.edges.add(t, name)
	}
}

// function returns the declared function of the module that an expression names, nil if it names none.
func (d *dispatch) function(e ast.Expr) *types.Func {
	var id *ast.Ident
	switch e := e.(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return nil
	}
	fn, _ := d.TypesInfo.Uses[id].(*types.Func)
	return fn
}

// valueTypes returns the name of the type of function values that callers are found by, none if it says too little: it
// has to mention a named type other than those of errors and contexts.
func valueTypes(t types.Type) []string {
	if t == nil {
		return nil
	}
	of, ok := t.Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	telling := false
	symbol.Named(of, func(n *types.Named) {
		pkg := n.Obj().Pkg()
		telling = telling || pkg != nil && !(pkg.Path() == "context" && n.Obj().Name() == "Context")
	})
	if !telling {
		return nil
	}
	plain := types.NewSignatureType(nil, nil, nil, unnamed(of.Params()), unnamed(of.Results()), of.Variadic())
	return []string{types.TypeString(plain, nil)}
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
