package plan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A change is recorded in mostPackages of the module at most, beside those that changed, the nearest first. With what
// imports the change mostLinked packages of other modules come into the drivers that the change does not need.
const (
	mostPackages = 60
	mostLinked   = 120
)

// findSurface loads the packages that the change touches, can reach or can be seen from, and finds
// what both versions have of them.
func (p *Plan) findSurface(ctx context.Context) error {
	p.in.Workers.Report("loading packages", 0, 0)
	patterns := spectra.Both(p.Given.Patterns)
	if err := p.load(ctx, load.List, patterns); err != nil {
		return err
	}
	if p.in.Deps {
		if err := p.includeDependencies(ctx); err != nil {
			return err
		}
	}
	limits := load.Limits{Packages: mostPackages, Linked: mostLinked}
	p.Recorded, p.Distant = load.Select(
		p.Sides.Old.Target, p.Sides.New.Target, p.ChangedPackages(), p.in.All, limits)
	p.warnOfGo()
	if len(p.Distant) > 0 {
		p.in.Workers.Detailf("%d packages further from the change are not recorded: %s", len(p.Distant),
			strings.Join(p.Distant, " "))
	}
	if len(p.Recorded) == 0 {
		p.warn("no package of the module is affected by the change; --all compares all")
		return ErrOver
	}
	p.in.Workers.Report("type-checking", 0, 0)
	present := spectra.MakePair(func(s spectra.Side) []string { return p.present(s, p.Recorded) })
	if len(present.Old) == 0 || len(present.New) == 0 {
		p.OldOnly, p.NewOnly = present.Old, present.New
		p.warn("nothing was compared: the change concerns nothing but packages that only one version has")
		return ErrOver
	}
	if err := p.load(ctx, load.TypeCheck, present); err != nil {
		return err
	}
	for _, s := range spectra.Sides() {
		of := p.Sides.Of(s)
		of.Program = static.New(of.Target.Packages, of.Target.HasSource)
	}
	p.Sides.Each(func(s spectra.Side, of Side) {
		const read = "%s version: %d packages type-checked from source, the types of %d others from export data"
		p.in.Workers.Detailf(read, s, len(of.Target.Packages), of.Target.Exported)
		p.warn(of.Target.Warnings...)
		p.Unfetched = p.Unfetched || of.Target.Unfetched
	})
	p.warn(brokenWarnings(spectra.MakePair(func(s spectra.Side) []load.Broken {
		return p.Sides.Of(s).Target.Broken
	}))...)
	p.findUnapplied()
	return p.findCommon()
}

// findUnapplied finds the commands whose //go:debug lines differ, and warns of them.
func (p *Plan) findUnapplied() {
	for _, d := range p.Changes.Declarations {
		if d.Kind != source.Directive || d.Symbol.Name() != "go:debug" || d.Test || d.Other || d.Vendor {
			continue
		}
		for _, s := range spectra.Sides() {
			path := symbol.Rebase(d.Package, p.Sides.Of(s).Target.Module, p.Sides.Old.Target.Module)
			if !slices.Contains(p.Unapplied, path) && p.isCommand(spectra.Old, path) && p.isCommand(spectra.New, path) {
				p.Unapplied = append(p.Unapplied, path)
			}
		}
	}
	slices.Sort(p.Unapplied)
	for _, path := range p.Unapplied {
		const text = "the //go:debug lines of command %s differ, and what they set is not compared: no program of " +
			"this run has them; in go.mod, as godebug lines, they are part of both"
		p.warn(fmt.Sprintf(text, path))
	}
}

// isCommand reports whether a version has a main package with a path of old.
func (p *Plan) isCommand(s spectra.Side, path string) bool {
	of := p.Sides.Of(s).Target
	pkg := of.Package(symbol.Rebase(path, p.Sides.Old.Target.Module, of.Module))
	return pkg != nil && pkg.Name == "main"
}

// matchVersions finds what both versions have of the loaded packages.
func (p *Plan) matchVersions() (err error) {
	defer fault.Catch(&err)
	old, new, renames := p.Sides.Old.matchable(), p.Sides.New.matchable(), p.in.Renames
	if p.in.Between {
		renames = match.Applicable(old, new, renames)
	}
	if p.Common, err = match.Versions(old, new, renames); err != nil {
		return fmt.Errorf("--rename %w", err)
	}
	p.findUnused()
	p.reaching = p.Sides.Old.Program.Reaching(p.ChangedSymbols())
	near := p.reaching
	if p.in.Between { // the sequences were made for more changes than there are
		near = nil
	}
	p.mentioned = p.findMentioned()
	if p.in.Between { // the sequences may have types for what only further changes mention
		p.mentioned = p.declared()
	}
	p.decide(p.mentioned.variables)
	p.Callable = api.Common(
		p.Sides.Old.Target, p.Sides.New.Target, p.OwnPackages(p.Recorded), p.Common, near, p.mentioned.interfaces...)
	p.findSetters()
	for _, op := range p.Callable.Operations.Old {
		op.Prepares = p.Sets(op.Symbol) && !op.Reaches
	}
	packages := p.Common.Packages()
	p.Driven = slices.DeleteFunc(p.OwnPackages(p.Recorded), func(path string) bool {
		return !slices.Contains(packages, path)
	})
	if len(p.Callable.Operations.Old) == 0 && !p.HasTests() && len(p.Common.Variables()) == 0 && !p.hasCommands() {
		const text = "nothing was compared: both versions have no function in common that can be called; " +
			"name what was renamed with --rename OLD=NEW"
		p.warn(text)
		return ErrOver
	}
	return nil
}

// Reaching returns how many declarations of packages can reach changed code, by their paths in old.
func (p *Plan) Reaching() map[string]int {
	count := map[string]int{}
	for name := range p.reaching {
		count[name.Package()]++
	}
	return count
}

// hasCommands reports whether a driven package is a program.
func (p *Plan) hasCommands() bool {
	return slices.ContainsFunc(p.Driven, func(path string) bool { return p.isCommand(spectra.Old, path) })
}

// HasTests reports whether driven packages have tests, or others that have nothing else and may reach the change.
func (p *Plan) HasTests() bool {
	return slices.ContainsFunc(p.Driven, func(path string) bool {
		of := p.Sides.Old.Target.Package(path)
		if of == nil {
			return false
		}
		return len(api.TestFiles(of.Dir)) > 0
	}) || len(p.Apart(spectra.Old)) > 0
}

// TestdataDiffers reports whether a file below testdata of a folder of new differs.
func (p *Plan) TestdataDiffers(dir string) bool {
	folder, err := filepath.Rel(p.Sides.New.Target.Dir, filepath.Join(dir, "testdata"))
	return err == nil && slices.ContainsFunc(p.Changes.Files, func(f source.FileChange) bool {
		return f.Kind == source.TestdataFile && strings.HasPrefix(f.Path, filepath.ToSlash(folder)+"/")
	})
}

// matchable is what matching needs of a version.
func (s *Side) matchable() match.Version {
	v := match.Version{
		Module: s.Target.Module, Dir: s.Target.Dir, Packages: s.Target.Packages, Foreign: s.Target.Foreign(),
	}
	for _, b := range s.Target.Broken {
		v.Broken = append(v.Broken, b.Package)
	}
	return v
}

// load has both versions' packages listed or type-checked.
func (p *Plan) load(
	ctx context.Context, do func(context.Context, load.Config) (*load.Version, error),
	patterns spectra.Pair[[]string],
) error {
	var compiling sync.Mutex
	loaded, err := replay.Both(ctx, func(ctx context.Context, s spectra.Side) (*load.Version, error) {
		of := p.Sides.Of(s)
		build := p.Given.Of(s).Build
		// Files that name other copies of allowed folders are other files.
		folder := sha256.Sum256(slices.Concat([]byte(build.Dir), build.ModFile, build.WorkFile))
		t, err := do(ctx, load.Config{
			Dir: build.Dir, Root: build.Tree, Patterns: *patterns.Of(s), Wanted: api.Wanted(),
			Go:      p.in.Go,
			ModFile: build.ModFile, WorkFile: build.WorkFile, WorkSum: build.WorkSum,
			Outside: p.Given.Allowed.Folders(), Unvendored: build.Unvendored, Included: of.included,
			Compiling: &compiling, Exports: p.in.Exports, Listed: of.Target,
			ModFolder: p.in.Store.Hold(cache.ModuleFiles, hex.EncodeToString(folder[:12])),
		})
		return t, p.Failed(s, err)
	})
	if err != nil {
		return err
	}
	p.Sides.Old.Target, p.Sides.New.Target = loaded.Old, loaded.New
	return nil
}

// present returns the paths, as a version has them, of those packages that it has.
func (p *Plan) present(s spectra.Side, paths []string) []string {
	of := p.Sides.Of(s).Target
	var found []string
	for _, path := range paths {
		path = symbol.Rebase(path, p.Sides.Old.Target.Module, of.Module)
		if of.Package(path) != nil {
			found = append(found, path)
		}
	}
	return found
}
