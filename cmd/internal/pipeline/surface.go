package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// findSurface loads the packages that the change touches, can reach or can be seen from, and finds
// what both versions have of them.
func (p *plan) findSurface(ctx context.Context) error {
	p.in.Workers.Report("loading packages", 0, 0)
	patterns := spectra.Both(p.given.Patterns)
	if err := p.load(ctx, load.List, patterns); err != nil {
		return err
	}
	if p.in.Deps {
		if err := p.includeDependencies(ctx); err != nil {
			return err
		}
	}
	p.recorded = load.Select(p.sides.Old.target, p.sides.New.target, p.changedPackages(), p.in.All)
	if len(p.recorded) == 0 {
		p.warn("no package of the module is touched by the change")
		return ErrOver
	}
	p.in.Workers.Report("type-checking", 0, 0)
	present := spectra.MakePair(func(s spectra.Side) []string { return p.present(s, p.recorded) })
	if err := p.load(ctx, load.TypeCheck, present); err != nil {
		return err
	}
	for _, s := range spectra.Sides() {
		of := p.sides.Of(s)
		of.program = static.New(of.target.Packages, of.target.HasSource)
	}
	p.sides.Each(func(s spectra.Side, of side) {
		p.warn(of.target.Warnings...)
		for _, b := range of.target.Broken {
			p.warn(fmt.Sprintf("%s version: package %s is left out: %s", s, b.Package, b.Error))
		}
	})
	return p.findCommon()
}

// matchVersions finds what both versions have of the loaded packages.
func (p *plan) matchVersions() (err error) {
	defer fault.Catch(&err)
	if p.common, err = match.Versions(p.sides.Old.matchable(), p.sides.New.matchable(), p.in.Renames); err != nil {
		return fmt.Errorf("--rename %w", err)
	}
	p.findUnused()
	p.reaching = p.sides.Old.program.Reaching(p.changedSymbols())
	p.callable = api.Common(p.sides.Old.target, p.sides.New.target, p.ownPackages(p.recorded), p.common, p.reaching)
	packages := p.common.Packages()
	p.driven = slices.DeleteFunc(p.ownPackages(p.recorded), func(path string) bool {
		return !slices.Contains(packages, path)
	})
	if len(p.callable.Operations.Old) == 0 {
		p.warn("both versions have no function in common that can be called: nothing was compared")
		return ErrOver
	}
	return nil
}

// matchable is what matching needs of a version.
func (s *side) matchable() match.Version {
	v := match.Version{
		Module: s.target.Module, Dir: s.target.Dir, Packages: s.target.Packages, Foreign: s.target.Foreign(),
	}
	for _, b := range s.target.Broken {
		v.Broken = append(v.Broken, b.Package)
	}
	return v
}

// load has both versions' packages listed or type-checked.
func (p *plan) load(
	ctx context.Context, do func(context.Context, load.Config) (*load.Version, error),
	patterns spectra.Pair[[]string],
) error {
	loaded, err := replay.Both(ctx, func(ctx context.Context, s spectra.Side) (*load.Version, error) {
		of := p.sides.Of(s)
		build := p.given.Of(s).Build
		// Files that name other copies of allowed folders are other files.
		folder := sha256.Sum256(slices.Concat([]byte(build.Dir), build.ModFile, build.WorkFile))
		t, err := do(ctx, load.Config{
			Dir: build.Dir, Root: build.Tree, Patterns: *patterns.Of(s), Wanted: api.Wanted(),
			Go:      p.in.Go,
			ModFile: build.ModFile, WorkFile: build.WorkFile, WorkSum: build.WorkSum,
			Outside: p.given.Allowed.Folders(), Unvendored: build.Unvendored, Included: of.included,
			ModFolder: p.in.Store.Hold(cache.ModuleFiles, hex.EncodeToString(folder[:12])),
		})
		return t, p.failed(s, err)
	})
	if err != nil {
		return err
	}
	p.sides.Old.target, p.sides.New.target = loaded.Old, loaded.New
	return nil
}

// present returns the paths, as a version has them, of those packages that it has.
func (p *plan) present(s spectra.Side, paths []string) []string {
	of := p.sides.Of(s).target
	var found []string
	for _, path := range paths {
		path = symbol.Rebase(path, p.sides.Old.target.Module, of.Module)
		if of.Package(path) != nil {
			found = append(found, path)
		}
	}
	return found
}
