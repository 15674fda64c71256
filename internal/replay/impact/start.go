package impact

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
	"github.com/spectradiff/spectradiff/internal/spectra/static/purity"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A Start says what of a version ran before any call. The zero Start says nothing.
type Start struct {
	Program  *static.Program
	Recorded instrument.Packages
	Ran      map[uint32]bool // blocks, numbered through the packages
}

// started reports whether functions that the change concerns ran before any call, in either version. What that leaves
// in the module's package variables is compared. Unknown says where it may leave something elsewhere: in the standard
// library, say, whose settings all code shares.
func (c *Change) started(affected map[spectra.Symbol]bool) (acts bool, unknown string) {
	for _, s := range spectra.Sides() {
		of := c.Starts.Of(s)
		if of.Program == nil {
			continue
		}
		ran, changed := c.ranFirst(s, affected)
		acts = acts || len(changed) > 0
		maps.Copy(changed, c.valuesOf(s))
		if user, used := outward(of.Program, changed, ran); user != "" && unknown == "" {
			unknown = fmt.Sprintf("what runs when the program starts changed, and %s uses %s there", user, used)
		}
	}
	return acts, unknown
}

// ranFirst returns the functions of a version that ran before any call, and those of them that the change concerns.
func (c *Change) ranFirst(s spectra.Side, affected map[spectra.Symbol]bool) (ran, changed map[spectra.Symbol]bool) {
	of := c.Starts.Of(s)
	ran, changed = map[spectra.Symbol]bool{}, map[spectra.Symbol]bool{}
	owners, watched := owners(of.Recorded), Watched(c.Source, s, of.Recorded)
	for id := range of.Ran {
		owner := owners[id]
		ran[owner] = true
		old := owner
		if s == spectra.New {
			old = c.old(owner)
		}
		if affected[old] || watched[id] && !c.Match.Same(old) {
			changed[owner] = true
		}
	}
	return ran, changed
}

// valuesOf returns the variables and constants of a version that changed: values of variables are made when the program
// starts.
func (c *Change) valuesOf(s spectra.Side) map[spectra.Symbol]bool {
	found := map[spectra.Symbol]bool{}
	for _, d := range c.Source.Declarations {
		if d.Kind != source.Variable && d.Kind != source.Constant || d.Test || d.Other || d.Vendor {
			continue
		}
		switch {
		case s == spectra.New && d.New.Line > 0:
			found[d.Symbol] = true
		case s == spectra.Old && d.Old.Line > 0:
			found[c.old(d.Symbol)] = true
		}
	}
	return found
}

// outward returns a function, or the variable whose value is made, that runs before any call, that the change reaches
// there, and that uses something outside of the program which may outlast it, with what that is: the first by these
// names, because several init functions share one, and so do several blank variables.
func outward(p *static.Program, changed, ran map[spectra.Symbol]bool) (user spectra.Symbol, used string) {
	if len(changed) == 0 {
		return "", ""
	}
	from := p.Reaching(changed)
	reached := p.ReachedBy(func(o types.Object) bool {
		name := symbol.Declared(o)
		_, ok := o.(*types.Func)
		return from[name] && (!ok || ran[name])
	})
	own := map[string]bool{}
	for _, pkg := range p.Packages {
		own[pkg.PkgPath] = true
	}
	for _, pkg := range p.Packages {
		for node, names := range declared(pkg) {
			_, function := node.(*ast.FuncDecl)
			for _, name := range names {
				if !from[name] && !(function && reached[name]) || function && !ran[name] || user != "" && user < name {
					continue
				}
				found := uses(pkg.TypesInfo, node, own)
				if found != "" && (user == "" || name < user || found < used) {
					user, used = name, found
				}
			}
		}
	}
	return user, used
}

// declared returns the names of the functions and variables that a package declares. Init functions share one.
func declared(pkg *packages.Package) map[ast.Node][]spectra.Symbol {
	found := map[ast.Node][]spectra.Symbol{}
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if fn, ok := pkg.TypesInfo.Defs[n.Name].(*types.Func); ok {
					found[n] = append(found[n], symbol.Function(fn))
				}
				return false
			case *ast.ValueSpec:
				for _, name := range n.Names {
					found[n] = append(found[n], spectra.Symbol(pkg.PkgPath+"."+name.Name))
				}
			}
			return true
		})
	}
	return found
}

// uses returns the first function or variable of another program that code mentions and through which it may leave
// something there, "" if there is none.
func uses(info *types.Info, n ast.Node, own map[string]bool) (used string) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || used != "" {
			return used == ""
		}
		o := info.Uses[id]
		if o == nil || o.Pkg() == nil || own[o.Pkg().Path()] {
			return true
		}
		switch o := o.(type) {
		case *types.Func:
			if !purity.Contained(o) {
				used = string(symbol.Function(o))
			}
		case *types.Var:
			if o.Parent() == o.Pkg().Scope() && !types.Identical(o.Type(), types.Universe.Lookup("error").Type()) {
				used = symbol.Global(o)
			}
		}
		return true
	})
	return used
}
