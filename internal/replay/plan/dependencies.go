package plan

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// includeDependencies has the dependencies that differ recorded as the module itself is. Both versions were listed;
// they are compared and listed again with the sources of these in their trees.
func (p *Plan) includeDependencies(ctx context.Context) error {
	var differing []string
	for _, m := range p.Changes.Modules {
		differing = append(differing, m.Path)
	}
	wanted := load.ChangedDependencies(spectra.MakePair(func(s spectra.Side) []load.Dependency {
		return p.Sides.Of(s).Target.Dependencies
	}), differing)
	if len(wanted) == 0 {
		return nil
	}
	p.in.Workers.Report("copying dependencies", 0, len(wanted))
	var modules spectra.Pair[module.Module]
	for _, s := range spectra.Sides() {
		of, err := p.Sides.Of(s), error(nil)
		*modules.Of(s), of.included, err = load.PlaceDependencies(
			ctx,
			p.Given.Of(s).Build.Module,
			of.Target.Dependencies,
			wanted,
		)
		if err != nil {
			return p.Failed(s, fmt.Errorf("--deps: %w", err))
		}
	}
	with, err := p.Given.With(p.in.Go, modules)
	if err != nil {
		return err
	}
	p.warn(with.Warnings...)
	p.Given = with
	if err := p.load(ctx, load.List, spectra.Both(p.Given.Patterns)); err != nil {
		return err
	}
	p.Changes = with.Changes.Include(func(pkg string) bool {
		return p.Sides.Old.Target.HasSource(pkg) || p.Sides.New.Target.HasSource(pkg)
	})
	return nil
}

// findUnused finds the changed functions of dependencies, and their variables, that no code of the module can reach.
func (p *Plan) findUnused() {
	if len(p.Sides.Old.included)+len(p.Sides.New.included) == 0 {
		return
	}
	of := spectra.MakePair(func(s spectra.Side) map[spectra.Symbol]bool {
		return p.Sides.Of(s).Program.Reached(p.Sides.Of(s).Target.OwnsPath)
	})
	p.Unused = map[spectra.Symbol]source.Change{}
	p.Beyond = func(name spectra.Symbol) bool { return p.Borrowed(name.Package()) && !of.Old[name] && !of.New[name] }
	for _, f := range p.Changes.Functions() {
		if p.Beyond(f.Symbol) {
			p.Unused[f.Symbol] = f
		}
	}
}

// ChangedFunctions returns the changed functions that the module has or may call.
func (p *Plan) ChangedFunctions() []source.Change {
	return slices.DeleteFunc(p.Changes.Functions(), func(f source.Change) bool {
		_, unused := p.Unused[f.Symbol]
		return unused
	})
}

// ChangedDeclarations returns the changed functions that the module has or may call, and whatever else is declared and
// built outside of tests. It leaves out what acts only through others that changed.
func (p *Plan) ChangedDeclarations() []source.Change {
	return slices.DeleteFunc(slices.Clone(p.Changes.Declarations), func(d source.Change) bool {
		_, unused := p.Unused[d.Symbol]
		elsewhere := d.Test || d.Other || d.Vendor || d.Kind == source.Import
		return elsewhere || d.Kind == source.Function && unused || helper(d)
	})
}

// helper reports whether a declaration is a function that one version alone has, and that acts only where its name
// stands: in code that changed, too. Methods may be found by what they implement, and a function with a predeclared
// name takes the place of that one in code that did not change.
func helper(d source.Change) bool {
	name := strings.TrimPrefix(string(d.Symbol), d.Symbol.Package()+".")
	return d.Kind == source.Function && (d.What == spectra.ChangeAdded || d.What == spectra.ChangeRemoved) &&
		!strings.Contains(name, ".") && name != "main" && types.Universe.Lookup(name) == nil
}

// Borrowed reports whether a package belongs to a dependency that is recorded too.
func (p *Plan) Borrowed(path string) bool {
	return len(p.Sides.Old.included)+len(p.Sides.New.included) > 0 && !p.owns(path)
}

// owns reports whether a package, with a path as in plan.recorded, belongs to the module.
func (p *Plan) owns(path string) bool {
	old, new := p.Sides.Old.Target, p.Sides.New.Target
	return old.OwnsPath(path) || new.OwnsPath(path) || new.OwnsPath(symbol.Rebase(path, old.Module, new.Module))
}

// OwnPackages returns the packages of a list that belong to the module.
func (p *Plan) OwnPackages(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !p.owns(path) })
}
