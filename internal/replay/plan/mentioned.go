package plan

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Errors returns the package variables of type error that changed functions of either version mention, as old has them,
// by package and name.
func (p *Plan) Errors() []*types.Var { return p.errors }

// mentioned finds the errors and the declared interfaces that changed functions of either version mention, as old has
// them. An interface counts where a value of its type does.
func (p *Plan) mentioned() (errors []*types.Var, interfaces []*types.Named) {
	found := map[string]types.Object{}
	for _, c := range p.ChangedFunctions() {
		p.mentionedIn(spectra.Old, c.Old, found)
		p.mentionedIn(spectra.New, c.New, found)
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		switch o := found[name].(type) {
		case *types.Var:
			errors = append(errors, o)
		case *types.TypeName:
			if named, ok := o.Type().(*types.Named); ok {
				interfaces = append(interfaces, named)
			}
		}
	}
	return errors, interfaces
}

// mentionedIn adds what some lines of a version mention, by package and name.
func (p *Plan) mentionedIn(s spectra.Side, lines spectra.Lines, found map[string]types.Object) {
	if lines.Line == 0 {
		return
	}
	EachIn(p.Sides.Of(s).Target, lines, func(of *packages.Package, n ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok {
			return
		}
		o := of.TypesInfo.ObjectOf(id)
		if v, ok := o.(*types.Var); ok && (v.Pkg() == nil || v.Parent() != v.Pkg().Scope() || !api.IsError(v.Type())) {
			named, ok := types.Unalias(v.Type()).(*types.Named)
			if !ok || !types.IsInterface(named) {
				return
			}
			o = named.Obj()
		} else if !ok {
			return
		}
		if o.Pkg() == nil {
			return
		}
		path := string(p.OldName(spectra.Symbol(o.Pkg().Path())))
		if s == spectra.New {
			if o = p.inOld(path, o.Name()); o == nil {
				return
			}
		}
		found[path+"."+o.Name()] = o
	})
}

// declared returns the errors and interfaces that the loaded packages of old declare, those of the module that these
// import, and the errors of the standard library that callers compare with, by package and name.
func (p *Plan) declared() (errors []*types.Var, interfaces []*types.Named) {
	old := p.Sides.Old.Target
	seen := map[string]*types.Package{}
	for _, of := range old.Packages {
		for _, known := range append(slices.Clip(of.Types.Imports()), of.Types) {
			seen[known.Path()] = known
		}
	}
	for _, path := range slices.Sorted(maps.Keys(seen)) {
		scope := seen[path].Scope()
		for _, name := range scope.Names() {
			switch o := scope.Lookup(name).(type) {
			case *types.Var:
				if api.IsError(o.Type()) && (old.Owns(o.Pkg()) || slices.Contains(compared, path+"."+name)) {
					errors = append(errors, o)
				}
			case *types.TypeName:
				if named, ok := o.Type().(*types.Named); ok && types.IsInterface(named) && old.Owns(o.Pkg()) {
					interfaces = append(interfaces, named)
				}
			}
		}
	}
	return errors, interfaces
}

// compared are those errors.
var compared = []string{
	"context.Canceled", "context.DeadlineExceeded", "io.EOF", "io.ErrUnexpectedEOF", "io/fs.ErrNotExist",
	"os.ErrNotExist",
}

// inOld returns what a package of old declares, or one that the recorded packages import.
func (p *Plan) inOld(path, name string) types.Object {
	for _, of := range p.Sides.Old.Target.Packages {
		for _, known := range append(slices.Clip(of.Types.Imports()), of.Types) {
			if known.Path() == path {
				return known.Scope().Lookup(name)
			}
		}
	}
	return nil
}
