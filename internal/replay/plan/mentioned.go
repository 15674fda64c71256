package plan

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Errors returns the package variables of type error that changed functions of either version mention, as old has them,
// by package and name.
func (p *Plan) Errors() []*types.Var { return p.mentioned.errors }

// Variables returns the other package variables of the module that hold plain values, likewise, and first those that
// only one version mentions there.
func (p *Plan) Variables() []suite.Variable { return p.mentioned.variables }

// What changed functions of either version mention, as old has it. An interface counts where a value of its type does.
type mentioned struct {
	errors     []*types.Var
	variables  []suite.Variable
	interfaces []*types.Named
}

// findMentioned finds what changed functions mention.
func (p *Plan) findMentioned() (all mentioned) {
	found := spectra.MakePair(func(spectra.Side) map[string]types.Object { return map[string]types.Object{} })
	for _, c := range p.ChangedFunctions() {
		p.mentionedIn(spectra.Old, c.Old, found.Old)
		p.mentionedIn(spectra.New, c.New, found.New)
	}
	both := maps.Clone(found.Old)
	maps.Copy(both, found.New)
	var inBoth []suite.Variable
	for _, name := range slices.Sorted(maps.Keys(both)) {
		switch v, ok := both[name].(*types.Var); {
		case !ok || api.IsError(v.Type()):
			all.add(both[name])
		case !settable(p.Sides.Old.Target, v): // only in new
		case found.Old[name] != nil && found.New[name] != nil:
			inBoth = append(inBoth, suite.Variable{Var: v})
		default:
			all.variables = append(all.variables, suite.Variable{Var: v})
		}
	}
	all.variables = append(all.variables, inBoth...)
	return all
}

func (m *mentioned) add(o types.Object) {
	switch o := o.(type) {
	case *types.Var:
		if api.IsError(o.Type()) {
			m.errors = append(m.errors, o)
		} else {
			m.variables = append(m.variables, suite.Variable{Var: o})
		}
	case *types.TypeName:
		if named, ok := o.Type().(*types.Named); ok && types.IsInterface(named) {
			m.interfaces = append(m.interfaces, named)
		}
	}
}

// mentionedIn adds what some lines of a version mention, by package and name.
func (p *Plan) mentionedIn(s spectra.Side, lines spectra.Lines, found map[string]types.Object) {
	if lines.Line == 0 {
		return
	}
	target := p.Sides.Of(s).Target
	EachIn(target, lines, func(of *packages.Package, n ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok {
			return
		}
		o := of.TypesInfo.ObjectOf(id)
		v, ok := o.(*types.Var)
		if !ok {
			return
		}
		if !ofPackage(v) || !api.IsError(v.Type()) && !settable(target, v) {
			named, ok := types.Unalias(v.Type()).(*types.Named)
			if !ok || !types.IsInterface(named) {
				return
			}
			o = named.Obj()
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

// ofPackage reports whether a variable is declared at package level.
func ofPackage(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// settable reports whether a package variable is of the module and holds a plain value.
func settable(of *load.Version, v *types.Var) bool {
	_, plain := v.Type().Underlying().(*types.Basic)
	return plain && of.Owns(v.Pkg())
}

// declared returns the errors, variables and interfaces that the loaded packages of old declare, those of the module
// that these import, and the errors of the standard library that callers compare with, by package and name.
func (p *Plan) declared() (all mentioned) {
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
			o := scope.Lookup(name)
			v, variable := o.(*types.Var)
			switch {
			case variable && api.IsError(v.Type()):
				if old.Owns(o.Pkg()) || slices.Contains(compared, path+"."+name) {
					all.add(o)
				}
			case variable && settable(old, v), !variable && old.Owns(o.Pkg()):
				all.add(o)
			}
		}
	}
	return all
}

// compared are errors of the standard library that callers compare with.
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
