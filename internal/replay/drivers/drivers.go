// Package drivers instruments both versions of a plan, and builds the programs that play sequences on them.
//
// In: a plan, and the tools that build and play. Out: Drivers: the instrumented packages, the programs, what each of
// them compares, and players. A package that can't be instrumented or built is left out of the plan, with a warning.
//
// Both programs compare only what both versions have, under the names that old has. A program of both versions' code
// (Variant) takes the place of one of them and is built in the same way. No sequence is played here.
package drivers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/command"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/footprint"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/impact"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/replay/testtypes"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/observe"
	"github.com/spectradiff/spectradiff/internal/spectra/static/variables"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Drivers are what is known once both versions can be played. Nothing changes them.
type Drivers struct {
	Plan     *plan.Plan
	Tools    Tools
	Declared *testtypes.Set                 // types that the tests of both versions declare
	Inside   spectra.Pair[[]*api.Operation] // changed functions that only code of their package can call
	Versions spectra.Pair[Instrumented]
	Compiled spectra.Pair[Compiled]
	paired   *match.PointPairs                 // functions that both versions have
	Matched  map[spectra.Symbol]spectra.Symbol // functions of new → functions of old with the same meaning
	Watched  spectra.Pair[map[uint32]bool]     // numbers of the blocks in changed code
	Reshaped []observe.Type                    // types that are compared by observers
	Expected []observe.Call                    // calls of their methods that follow from the representation
	Compared Comparisons
	Players  *replay.Players
	Touched  Touched
	Suites   spectra.Pair[[]*suite.Suite] // tests that are played instead of what callers can call; none: they are not
	NewTests bool                         // they are those of new
	match    *suite.Match                 // the tests that run
	Commands []command.Command            // which run instead; none: they do not
	LeftOut  []string                     // tests that can't be played, with the reason
	Warnings []string

	testsBeside string // the module's folder beside whose files tests run
	beside      bool   // they are built while others are played
}

// An Instrumented is one version with probes.
type Instrumented struct {
	Packages  instrument.Packages // sorted by path
	touches   map[spectra.Symbol][]string
	constants map[string]bool // package variables that never change
}

// A Compiled is a driver, the program that plays sequences on one version.
type Compiled struct {
	Binary   *build.Binary
	Skipped  []build.Skip // packages that it can't drive
	warnings []string
}

// An Input says for what drivers are built, and by what means.
type Input struct {
	Plan   *plan.Plan
	Tools  Tools
	Keep   Folder         // where sources and builds are left
	Opaque []OpaqueEntry  // types that the project does not want compared
	Ahead  func(*Drivers) // sees them before they are compiled; nil: nobody does
}

// Tools build drivers and play sequences on them.
type Tools struct {
	Workers *replay.Workers
	Builder Builder
	Players func(spectra.Pair[replay.Player]) *replay.Players

	Footprints *footprint.Store // of what tests run; nil: nothing is kept
}

// A Builder compiles drivers.
type Builder interface {
	BuildBoth(context.Context, spectra.Pair[build.Request]) (spectra.Pair[*build.Binary], error)
	Build(context.Context, build.Request) (*build.Binary, error)
	// Exports returns how the dependencies of drivers are compiled.
	Exports(ctx context.Context, dir string, env []string, folders gocommand.Folders) load.Exports
	// GoTree returns the go command that tests may start.
	GoTree(ctx context.Context, dir string, env []string, folders gocommand.Folders) (*build.GoTree, error)
}

// Build instruments and builds both versions, without the packages for which that is not possible.
func Build(ctx context.Context, in Input) (*Drivers, error) {
	for round := 1; ; round++ {
		b, err := buildOnce(ctx, in)
		var faults fault.List
		if !errors.As(err, &faults) || round == plan.MostRounds {
			return b, err
		}
		if in.Plan, err = in.Plan.Without(faults); err != nil {
			return nil, err
		}
	}
}

// both does something for both versions. Packages that one can't be worked on with are found in the other, too.
func both[T any](ctx context.Context, p *plan.Plan, do func(s spectra.Side) (T, error)) (spectra.Pair[T], error) {
	var faults spectra.Pair[fault.List]
	done, err := replay.Both(ctx, func(_ context.Context, s spectra.Side) (T, error) {
		result, err := do(s)
		if errors.As(err, faults.Of(s)) {
			return result, nil
		}
		return result, p.Failed(s, err)
	})
	if err == nil {
		err = fault.Together(faults)
	}
	return done, err
}

// buildOnce instruments and builds both versions. If only single packages are at fault, its error is a fault.List.
func buildOnce(ctx context.Context, in Input) (_ *Drivers, err error) {
	p := in.Plan
	defer fault.Catch(&err)
	in.Tools.Workers.Stage("build")
	in.Tools.Workers.Report("instrumenting", 0, 0)
	b := &Drivers{
		Plan: p, Tools: in.Tools, Inside: p.InsideOperations(), Declared: declaredTypes(p.Targets(), p.Driven),
	}
	b.Declared.Implement(p.Callable.Implemented, p.Sides.Old.Target.Module)
	b.Versions, err = both(ctx, p, func(s spectra.Side) (Instrumented, error) { return b.addProbes(ctx, s) })
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	b.paired = match.MatchPoints(p.Common, b.Versions.Old.Packages.Points(), b.Versions.New.Packages.Points())
	b.Matched = b.paired.Olds()
	b.Watched = spectra.MakePair(func(s spectra.Side) map[uint32]bool {
		return b.inUse(s, b.Versions.Of(s), impact.Watched(p.Changes, s, b.Versions.Of(s).Packages))
	})
	opaque, warnings, err := b.opaqueTypes(in.Opaque)
	if err != nil {
		return nil, err
	}
	b.Warnings = warnings
	b.Reshaped, b.Expected = b.findReshaped()
	p.Sides.New.Program.Forget() // linking needs the memory, and what follows asks for old's alone
	b.Tools.Workers.Report("building", 0, 0)
	if in.Ahead != nil {
		early := *b
		in.Ahead(&early)
	}
	if b.Compiled, err = b.buildDrivers(ctx, in.Keep); err != nil {
		return nil, err
	}
	b.Compiled.Each(func(_ spectra.Side, d Compiled) { b.Warnings = append(b.Warnings, d.warnings...) })
	b.Warnings = append(b.Warnings, b.unrecorded()...)
	b.Compared = b.comparisons(opaque)
	b.Players = b.playersOf(b.Compared)
	return b, nil
}

// Without returns the drivers without package variables, by their indexes, in the states that they record. These and
// others differ before any call, when some blocks of both versions ran: what that may touch is found.
func (d *Drivers) Without(
	dropped map[int]bool, differing []string, ran spectra.Pair[map[uint32]bool], all bool,
) *Drivers {
	own := *d
	own.Compared = d.Compared.without(dropped)
	if own.Touched = d.findReach(differing, ran); all { // what is played is recorded anyway
		own.Touched.Known, own.Touched.Unknown = false, ""
	} else if !own.Touched.Known {
		d.Tools.Workers.Detailf("all sequences are recorded: %s", own.Touched.Unknown)
	}
	own.Compared.Of.Old.Watch = d.byPackage(spectra.Old, d.Watched.Old, own.Touched.Blocks)
	own.Players = d.playersOf(own.Compared)
	return &own
}

// addProbes instruments the recorded packages of one version.
func (d *Drivers) addProbes(ctx context.Context, s spectra.Side) (Instrumented, error) {
	p := d.Plan
	of := p.Sides.Of(s).Target
	var pkgs []*packages.Package
	for _, path := range p.Recorded {
		if pkg := of.Package(symbol.Rebase(path, p.Sides.Old.Target.Module, of.Module)); pkg != nil {
			pkgs = append(pkgs, pkg)
		}
	}
	options := instrument.Options{
		Dir: of.Dir, Runtime: spectra.RuntimePath, Written: p.Sides.Of(s).Program.Written(), Operands: p.Interest(),
	}
	v := Instrumented{constants: map[string]bool{}}
	var faults fault.List
	for _, pkg := range pkgs {
		if ctx.Err() != nil { // a run may end early, and this takes seconds
			return v, ctx.Err()
		}
		var out *instrument.Package
		found := fault.Do(pkg.PkgPath, "instrumenting", func() (err error) {
			out, err = instrument.Instrument(pkg, options)
			return err
		})
		if faults = append(faults, found...); found != nil {
			continue
		}
		for _, skipped := range out.Skipped {
			d.Tools.Workers.Detailf("%s version: %s:%d: %s is not recorded: %s",
				s, skipped.File, skipped.Line, skipped.Symbol, skipped.Reason)
		}
		v.Packages = append(v.Packages, out)
		for _, variable := range out.Vars {
			if variable.Constant {
				v.constants[variable.Name] = true
			}
		}
	}
	if len(faults) > 0 {
		return v, faults
	}
	d.Tools.Workers.Detailf("%s version: %d packages instrumented", s, len(v.Packages))
	var err error
	if v.touches, err = variables.Variables(p.Sides.Of(s).Program); err != nil {
		d.Tools.Workers.Detailf("%s version: %v; all of them are compared at every call", s, err)
	}
	return v, nil
}

// buildDrivers writes the drivers of both versions and builds them.
func (d *Drivers) buildDrivers(ctx context.Context, folder Folder) (spectra.Pair[Compiled], error) {
	var drivers spectra.Pair[Compiled]
	requests, err := both(ctx, d.Plan, func(s spectra.Side) (build.Request, error) {
		if ctx.Err() != nil {
			return build.Request{}, ctx.Err()
		}
		request, skipped, err := d.writeDriver(s)
		if err == nil {
			err = folder.Sources(s, request.Dir, request.Overlay)
		}
		of := drivers.Of(s)
		of.Skipped = skipped
		for _, skip := range skipped {
			const text = "%s version: package %s is not driven: %s"
			of.warnings = append(of.warnings, fmt.Sprintf(text, s, skip.Package, skip.Reason))
		}
		return request, err
	})
	if err != nil {
		return drivers, err
	}
	binaries, err := d.Tools.Builder.BuildBoth(ctx, requests)
	if err != nil {
		return drivers, err
	}
	for _, s := range spectra.Sides() {
		built := drivers.Of(s)
		built.Binary = *binaries.Of(s)
		built.warnings = append(built.warnings, built.Binary.Warnings...)
		if err := folder.Build(s, built.Binary.Path); err != nil {
			return drivers, d.Plan.Failed(s, err)
		}
	}
	return drivers, nil
}

// writeDriver writes the driver of one version, and returns which packages can't be driven.
func (d *Drivers) writeDriver(s spectra.Side) (request build.Request, skipped []build.Skip, err error) {
	defer fault.Catch(&err)
	of := d.Plan.Sides.Of(s).Target
	names, overlay := map[string]string{}, map[string][]byte{}
	for _, p := range d.Versions.Of(s).Packages {
		names[p.Path] = p.Name
		maps.Copy(overlay, p.Files)
	}
	cfg := build.Config{
		Target: of, Operations: slices.Concat(d.Plan.Callable.All(s), *d.Inside.Of(s)),
		Types: *d.Plan.Callable.Types.Of(s), Packages: d.Plan.DrivenIn(s),
		Names: names, Runtime: spectra.RuntimePath, Observed: observedBy(d.Reshaped, s),
		Stubs: *d.Declared.Stubs.Of(s), Tree: d.Plan.Given.Of(s).Build.Tree,
	}
	if suites := *d.Suites.Of(s); len(suites) > 0 {
		cfg.Operations, cfg.Types, cfg.Stubs = nil, nil, nil
		cfg.Packages, cfg.Imports = imported(of, suites)
		for _, suite := range suites {
			maps.Copy(overlay, suite.Files)
		}
	}
	source, err := build.Write(cfg)
	if err != nil {
		return request, nil, err
	}
	maps.Copy(overlay, source.Files)
	if s == spectra.New {
		if err := d.placeLines(overlay); err != nil {
			return request, nil, err
		}
	}
	request = build.Request{
		Name: d.Plan.Given.Named(s), Dir: of.Dir, Package: source.Package, Overlay: overlay, Env: of.Env,
		Samples: d.Declared.Source(), Folders: of.Folders, Outside: d.Plan.Given.Allowed.Folders(), Parts: d.parts(s),
		Natives: d.natives(s), LowPriority: d.beside,
	}
	if len(d.Suites.Old) > 0 && len(d.Commands) == 0 {
		request.Sources, request.Module = d.testsBeside, of.Module
	}
	return request, source.Skipped, nil
}

// parts returns the folders of the packages that are instrumented or driven, by their paths in one version.
func (d *Drivers) parts(s spectra.Side) map[string]string {
	folders := map[string]string{}
	add := func(path string) {
		if p := d.Plan.Sides.Of(s).Target.Package(path); p != nil {
			folders[path] = p.Dir
		}
	}
	for _, p := range d.Versions.Of(s).Packages {
		add(p.Path)
	}
	for _, path := range d.Plan.DrivenIn(s) {
		add(path)
	}
	for _, suite := range *d.Suites.Of(s) {
		if p := d.Plan.Sides.Of(s).Target.Tested(suite.Package); p != nil {
			folders[suite.Package] = p.Dir
		}
		if suite.External != "" {
			folders[suite.External] = filepath.Join(folders[suite.Package], filepath.Base(suite.External))
		}
	}
	return folders
}

// natives returns the packages of a version that are not Go alone, with those that a program can't have without them.
func (d *Drivers) natives(s spectra.Side) (list []build.Native) {
	of := d.Plan.Sides.Of(s).Target
	for _, p := range of.Native(d.Plan.Given.Of(s).Build.Tree) {
		users := of.Linking(p.PkgPath)
		for _, suite := range *d.Suites.Of(s) {
			if slices.ContainsFunc(suite.Imports, func(path string) bool { return slices.Contains(users, path) }) {
				users = append(users, suite.Package)
			}
		}
		list = append(list, build.Native{
			Package: p.PkgPath, Main: p.Name == "main", Files: load.NativeFiles(p), Users: users,
		})
	}
	return list
}

// Patched reports whether both versions run on a runtime in which one seed decides what is left to chance
// elsewhere.
func (d *Drivers) Patched() bool {
	return d.Compiled.Old.Binary.Patched && d.Compiled.New.Binary.Patched
}

// GoTree returns the go command that tests of both versions may start: that of old's toolchain.
func (d *Drivers) GoTree(ctx context.Context) (*build.GoTree, error) {
	old := d.Plan.Sides.Old.Target
	return d.Tools.Builder.GoTree(ctx, old.Dir, old.Env, old.Folders)
}

// playersOf returns players that compare what both versions have.
func (d *Drivers) playersOf(c Comparisons) *replay.Players {
	return d.Tools.Players(spectra.MakePair(func(s spectra.Side) replay.Player { return d.Player(s, c) }))
}

// Player returns how a version is played, and what of it is compared. Both versions have the time zones of old.
func (d *Drivers) Player(s spectra.Side, c Comparisons) replay.Player {
	binary := d.Compiled.Of(s).Binary
	return replay.Player{
		Binary: binary, Table: *c.Tables.Of(s), Compare: *c.Of.Of(s), Limits: replay.DefaultLimits(),
		Scratch: d.Tools.Workers.Temp, Zones: d.Compiled.Old.Binary.Zones(), Side: string(s), Folders: d.testFolders(),
		Tests: len(d.Suites.Old) > 0, Clock: d.Plan.Given.Old.Commit.Time, Own: d.ownFiles(s),
	}
}

// ChangedIn returns the numbers of the blocks in changed code of a function of old.
func (d *Drivers) ChangedIn(function spectra.Symbol) []uint32 {
	blocks := d.Versions.Old.Packages.BlocksOf(function)
	return slices.DeleteFunc(blocks, func(id uint32) bool { return !d.Watched.Old[id] })
}

// declaredTypes returns the types that the tests of both versions declare.
func declaredTypes(of spectra.Pair[*load.Version], driven []string) *testtypes.Set {
	var dirs []string
	of.Each(func(_ spectra.Side, target *load.Version) {
		for _, path := range driven {
			if p := target.Package(symbol.Rebase(path, of.Old.Module, target.Module)); p != nil {
				dirs = append(dirs, p.Dir)
			}
		}
	})
	return testtypes.Read(dirs, of.Old.Known)
}
