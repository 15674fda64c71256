package pipeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// includeDependencies has the dependencies that differ recorded as the module itself is. Both versions were listed;
// they are compared and listed again with the sources of these in their trees.
func (p *plan) includeDependencies(ctx context.Context, t *task) error {
	var differing []string
	for _, m := range p.changes.Modules {
		differing = append(differing, m.Path)
	}
	wanted := load.ChangedDependencies(spectra.MakePair(func(s spectra.Side) []load.Dependency {
		return p.sides.Of(s).target.Dependencies
	}), differing)
	if len(wanted) == 0 {
		return nil
	}
	t.env.Report("copying dependencies", 0, len(wanted))
	var modules spectra.Pair[module.Module]
	for _, s := range spectra.Sides() {
		of, err := p.sides.Of(s), error(nil)
		*modules.Of(s), of.included, err = load.PlaceDependencies(
			p.given.Of(s).Build.Module,
			of.target.Dependencies,
			wanted,
		)
		if err != nil {
			return p.failed(s, fmt.Errorf("--deps: %w", err))
		}
	}
	with, err := p.given.With(t.env.Go, modules)
	if err != nil {
		return err
	}
	p.warn(with.Warnings...)
	p.given = with
	if err := p.load(ctx, t, load.List, spectra.Both(p.given.Patterns)); err != nil {
		return err
	}
	p.changes = with.Changes.Include(func(pkg string) bool {
		return p.sides.Old.target.HasSource(pkg) || p.sides.New.target.HasSource(pkg)
	})
	return nil
}

// findUnused finds the changed functions of dependencies, and their variables, that no code of the module can reach.
func (p *plan) findUnused() {
	if len(p.sides.Old.included)+len(p.sides.New.included) == 0 {
		return
	}
	of := spectra.MakePair(func(s spectra.Side) map[spectra.Symbol]bool {
		return p.sides.Of(s).program.Reached(p.sides.Of(s).target.OwnsPath)
	})
	p.unused = map[spectra.Symbol]source.Change{}
	p.beyond = func(name spectra.Symbol) bool { return p.borrowed(name.Package()) && !of.Old[name] && !of.New[name] }
	for _, f := range p.changes.Functions() {
		if p.beyond(f.Symbol) {
			p.unused[f.Symbol] = f
		}
	}
}

// changedFunctions returns the changed functions that the module has or may call.
func (p *plan) changedFunctions() []source.Change {
	return slices.DeleteFunc(p.changes.Functions(), func(f source.Change) bool {
		_, unused := p.unused[f.Symbol]
		return unused
	})
}

// inUse returns the blocks of a version, by their numbers, without those of functions that are not used.
func (p *plan) inUse(s spectra.Side, v *instrumented, numbers map[uint32]bool) map[uint32]bool {
	if len(p.unused) == 0 {
		return numbers
	}
	places := map[string][]spectra.Lines{}
	for _, f := range p.unused {
		at := f.Old
		if s == spectra.New {
			at = f.New
		}
		places[at.File] = append(places[at.File], at)
	}
	used := map[uint32]bool{}
	v.packages.Blocks(func(id uint32, _ string, _ int, b spectra.Block) {
		if numbers[id] && !slices.ContainsFunc(places[b.File], func(at spectra.Lines) bool {
			return at.Line <= b.Line && b.EndLine <= at.EndLine
		}) {
			used[id] = true
		}
	})
	return used
}

// borrowed reports whether a package belongs to a dependency that is recorded too.
func (p *plan) borrowed(path string) bool {
	return len(p.sides.Old.included)+len(p.sides.New.included) > 0 && !p.owns(path)
}

// owns reports whether a package, with a path as in plan.recorded, belongs to the module.
func (p *plan) owns(path string) bool {
	old, new := p.sides.Old.target, p.sides.New.target
	return old.OwnsPath(path) || new.OwnsPath(path) || new.OwnsPath(symbol.Rebase(path, old.Module, new.Module))
}

// ownPackages returns the packages of a list that belong to the module.
func (p *plan) ownPackages(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !p.owns(path) })
}
