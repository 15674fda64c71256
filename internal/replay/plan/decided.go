package plan

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// decide finds out who sets some variables, in both versions: the value of one that old decides may be state in new.
func (p *Plan) decide(variables []suite.Variable) {
	if len(variables) == 0 { // most changes mention none, and all code is read
		return
	}
	all := map[string]*suite.Variable{}
	for i := range variables {
		v := &variables[i]
		v.Decided = v.Exported() && importable(v.Pkg())
		all[v.Pkg().Path()+"."+v.Name()] = v
	}
	for _, s := range spectra.Sides() {
		for _, of := range p.Sides.Of(s).Target.Packages {
			own := string(p.OldName(spectra.Symbol(of.PkgPath)))
			d := decision{info: of.TypesInfo, all: all, own: own, old: func(path string) string {
				return string(p.OldName(spectra.Symbol(path)))
			}}
			for _, syntax := range of.Syntax {
				for _, decl := range syntax.Decls {
					f, ok := decl.(*ast.FuncDecl)
					d.starts = ok && f.Recv == nil && (f.Name.Name == "init" || f.Name.Name == "main")
					ast.Inspect(decl, d.visit)
					if s == spectra.Old {
						d.initial(of, decl)
					}
				}
			}
		}
	}
}

// importable reports whether code outside of the module can set what a package exports.
func importable(p *types.Package) bool {
	return p.Name() != "main" && !strings.Contains("/"+p.Path()+"/", "/internal/")
}

// A decision notes who sets variables.
type decision struct {
	info   *types.Info
	all    map[string]*suite.Variable // by path and name in old
	own    string                     // path of the package that is visited, in old
	old    func(path string) string
	starts bool // what is visited runs when a program starts, and never again
}

// of returns the variable that an expression names, nil if it is none of them, and whether it is of another package.
func (d *decision) of(e ast.Expr) (v *suite.Variable, other bool) {
	o := variableOf(d.info, e)
	if o == nil || !ofPackage(o) {
		return nil, false
	}
	path := d.old(o.Pkg().Path())
	return d.all[path+"."+o.Name()], path != d.own
}

// variableOf returns the variable or field that a name is of, alone or behind another one; nil: it is of none.
func variableOf(info *types.Info, e ast.Expr) *types.Var {
	id, ok := e.(*ast.Ident)
	if sel, selected := e.(*ast.SelectorExpr); selected {
		id, ok = sel.Sel, true
	}
	if !ok {
		return nil
	}
	v, _ := info.ObjectOf(id).(*types.Var)
	return v
}

func (d *decision) set(list ...ast.Expr) {
	for _, e := range list {
		switch v, other := d.of(e); {
		case v == nil:
		case other:
			v.Decided = true
		case !d.starts:
			v.State = true
		}
	}
}

// flag notes a variable whose address somebody is given who sets it: flags.IntVar(&limit, …), Destination: &limit.
func (d *decision) flag(e ast.Expr) {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		if v, _ := d.of(u.X); v != nil {
			v.Decided = true
		}
	}
}

func (d *decision) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		d.set(n.Lhs...)
	case *ast.IncDecStmt:
		d.set(n.X)
	case *ast.RangeStmt:
		d.set(n.Key, n.Value)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			d.set(n.X)
		}
	case *ast.KeyValueExpr:
		if id, ok := n.Key.(*ast.Ident); ok && id.Name == "Destination" {
			d.flag(n.Value)
		}
	case *ast.CallExpr:
		callee, ok := n.Fun.(*ast.SelectorExpr)
		if ok && (strings.Contains(callee.Sel.Name, "Var") || strings.Contains(callee.Sel.Name, "Flag")) {
			for _, a := range n.Args {
				d.flag(a)
			}
		}
	}
	return true
}

// initial notes the constants that variables are declared with.
func (d *decision) initial(of *packages.Package, decl ast.Decl) {
	g, ok := decl.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR {
		return
	}
	for _, spec := range g.Specs {
		spec := spec.(*ast.ValueSpec)
		for i, id := range spec.Names {
			if v := d.all[d.own+"."+id.Name]; v != nil && len(spec.Values) == len(spec.Names) {
				v.Initial = of.TypesInfo.Types[spec.Values[i]].Value
			}
		}
	}
}
