package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/impact"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/replay/testtypes"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/observe"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
	"github.com/spectradiff/spectradiff/internal/spectra/static/variables"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A built is what is known once both versions can be played.
type built struct {
	in DriversInput
	*plan
	declared *testtypes.Set                 // types that the tests of both versions declare
	inside   spectra.Pair[[]*api.Operation] // changed functions that only code of their package can call
	versions spectra.Pair[instrumented]
	drivers  spectra.Pair[compiled]
	paired   *match.PointPairs                 // functions that both versions have
	matched  map[spectra.Symbol]spectra.Symbol // functions of new → functions of old with the same meaning
	watched  spectra.Pair[map[uint32]bool]     // numbers of the blocks in changed code
	reshaped []observe.Type                    // types that are compared by observers
	expected []observe.Call                    // calls of their methods that follow from the representation
	compared comparisons
	players  *replay.Players
	touched  touched
	initial  judge.InitialValues // package variables before any call
	warnings []string
}

// An instrumented is one version with probes.
type instrumented struct {
	packages  instrument.Packages // sorted by path
	touches   map[spectra.Symbol][]string
	constants map[string]bool // package variables that never change
}

// A compiled is a driver, the program that plays sequences on one version.
type compiled struct {
	binary   *build.Binary
	warnings []string
}

// A DriversInput says for what drivers are built, and by what means.
type DriversInput struct {
	Plan   *plan
	Tools  Tools
	Keep   Folder        // where sources and builds are left
	Opaque []OpaqueEntry // types that the project does not want compared
	All    bool          // every sequence is recorded, whatever it reaches
}

// Tools build drivers and play sequences on them.
type Tools struct {
	Workers *replay.Workers
	Builder Builder
	Players func(spectra.Pair[replay.Player]) *replay.Players
}

// A Builder compiles drivers.
type Builder interface {
	BuildBoth(context.Context, spectra.Pair[build.Request]) (spectra.Pair[*build.Binary], error)
	Build(context.Context, build.Request) (*build.Binary, error)
}

// Build instruments and builds both versions, without the packages for which that is not possible.
func Build(ctx context.Context, in DriversInput) (*built, error) {
	for round := 1; ; round++ {
		b, err := buildOnce(ctx, in)
		var faults fault.List
		if !errors.As(err, &faults) || round == mostRounds {
			return b, err
		}
		if in.Plan, err = in.Plan.Without(faults); err != nil {
			return nil, err
		}
	}
}

// both does something for both versions. Packages that one can't be worked on with are found in the other, too.
func both[T any](ctx context.Context, p *plan, do func(s spectra.Side) (T, error)) (spectra.Pair[T], error) {
	var faults spectra.Pair[fault.List]
	done, err := replay.Both(ctx, func(_ context.Context, s spectra.Side) (T, error) {
		result, err := do(s)
		if errors.As(err, faults.Of(s)) {
			return result, nil
		}
		return result, p.failed(s, err)
	})
	if err == nil {
		err = fault.Together(faults)
	}
	return done, err
}

// buildOnce instruments and builds both versions. If only single packages are at fault, its error is a fault.List.
func buildOnce(ctx context.Context, in DriversInput) (_ *built, err error) {
	p := in.Plan
	defer fault.Catch(&err)
	in.Tools.Workers.Stage("build")
	in.Tools.Workers.Report("instrumenting", 0, 0)
	b := &built{in: in, plan: p, inside: p.insideOperations(), declared: search.DeclaredTypes(p.targets(), p.driven)}
	b.declared.Implement(p.callable.Implemented)
	b.versions, err = both(ctx, p, func(s spectra.Side) (instrumented, error) { return b.addProbes(s) })
	if err != nil {
		return nil, err
	}
	b.paired = match.MatchPoints(p.common, b.versions.Old.packages.Points(), b.versions.New.packages.Points())
	b.matched = b.paired.Olds()
	b.watched = spectra.MakePair(func(s spectra.Side) map[uint32]bool {
		return b.inUse(s, b.versions.Of(s), impact.Watched(p.changes, s, b.versions.Of(s).packages))
	})
	opaque, warnings, err := b.opaqueTypes()
	if err != nil {
		return nil, err
	}
	b.warnings = warnings
	b.reshaped, b.expected = b.findReshaped()
	if b.drivers, err = b.buildDrivers(ctx); err != nil {
		return nil, err
	}
	b.drivers.Each(func(_ spectra.Side, d compiled) { b.warnings = append(b.warnings, d.warnings...) })
	b.warnings = append(b.warnings, b.unrecorded()...)
	compared := b.comparisons(opaque)
	in.Tools.Workers.Stage("variables")
	in.Tools.Workers.Report("comparing package variables", 0, 0)
	seeds := append([]uint64{wire.MainSeed}, judge.OtherSeeds(b.patched())...)
	b.initial, err = judge.CompareInitial(ctx, b.playersOf(compared), b.common.Variables(), seeds)
	if err != nil {
		return nil, err
	}
	compared = compared.without(b.initial.Dropped)
	b.findReach()
	compared.of.Old.Watch = b.byPackage(spectra.Old, b.watched.Old, b.touched.Blocks)
	b.compared, b.players = compared, b.playersOf(compared)
	return b, nil
}

// interest returns which functions note what they compare: changed ones, and those on the way to them.
func (p *plan) interest() func(spectra.Symbol) instrument.Interest {
	changed := p.changedSymbols()
	return func(function spectra.Symbol) instrument.Interest {
		switch name := p.oldName(function.Declared()); {
		case changed[name]:
			return instrument.Changed
		case p.reaching[name]:
			return instrument.OnTheWay
		}
		return instrument.NoInterest
	}
}

// addProbes instruments the recorded packages of one version.
func (b *built) addProbes(s spectra.Side) (instrumented, error) {
	p := b.plan
	of := p.sides.Of(s).target
	var pkgs []*packages.Package
	for _, path := range p.recorded {
		if pkg := of.Package(symbol.Rebase(path, p.sides.Old.target.Module, of.Module)); pkg != nil {
			pkgs = append(pkgs, pkg)
		}
	}
	options := instrument.Options{
		Dir: of.Dir, Runtime: spectra.RuntimePath, Written: p.sides.Of(s).program.Written(), Operands: p.interest(),
	}
	v := instrumented{constants: map[string]bool{}}
	var faults fault.List
	for _, pkg := range pkgs {
		var out *instrument.Package
		found := fault.Do(pkg.PkgPath, "instrumenting", func() (err error) {
			out, err = instrument.Instrument(pkg, options)
			return err
		})
		if faults = append(faults, found...); found != nil {
			continue
		}
		for _, skipped := range out.Skipped {
			b.in.Tools.Workers.Detailf("%s version: %s:%d: %s is not recorded: %s",
				s, skipped.File, skipped.Line, skipped.Symbol, skipped.Reason)
		}
		v.packages = append(v.packages, out)
		for _, variable := range out.Vars {
			if variable.Constant {
				v.constants[variable.Name] = true
			}
		}
	}
	if len(faults) > 0 {
		return v, faults
	}
	var err error
	if v.touches, err = variables.Variables(p.sides.Of(s).program); err != nil {
		b.in.Tools.Workers.Detailf("%s version: %v; all of them are compared at every call", s, err)
	}
	return v, nil
}

// buildDrivers writes the drivers of both versions and builds them.
func (b *built) buildDrivers(ctx context.Context) (spectra.Pair[compiled], error) {
	b.in.Tools.Workers.Report("building", 0, 0)
	folder := b.in.Keep
	var drivers spectra.Pair[compiled]
	requests, err := both(ctx, b.plan, func(s spectra.Side) (build.Request, error) {
		request, warnings, err := b.writeDriver(s)
		if err == nil {
			err = folder.Sources(s, request.Dir, request.Overlay)
		}
		drivers.Of(s).warnings = warnings
		return request, err
	})
	if err != nil {
		return drivers, err
	}
	binaries, err := b.in.Tools.Builder.BuildBoth(ctx, requests)
	if err != nil {
		return drivers, err
	}
	for _, s := range spectra.Sides() {
		d := drivers.Of(s)
		d.binary = *binaries.Of(s)
		d.warnings = append(d.warnings, d.binary.Warnings...)
		if err := folder.Build(s, d.binary.Path); err != nil {
			return drivers, b.failed(s, err)
		}
	}
	return drivers, nil
}

// writeDriver writes the driver of one version, and returns which packages can't be driven.
func (b *built) writeDriver(s spectra.Side) (request build.Request, warnings []string, err error) {
	defer fault.Catch(&err)
	of := b.sides.Of(s).target
	names, overlay := map[string]string{}, map[string][]byte{}
	for _, p := range b.versions.Of(s).packages {
		names[p.Path] = p.Name
		maps.Copy(overlay, p.Files)
	}
	source, err := build.Write(build.Config{
		Target: of, Operations: slices.Concat(b.callable.All(s), *b.inside.Of(s)),
		Types: *b.callable.Types.Of(s), Packages: b.drivenIn(s),
		Names: names, Runtime: spectra.RuntimePath, Observed: observedBy(b.reshaped, s),
		Stubs: *b.declared.Stubs.Of(s),
	})
	if err != nil {
		return request, nil, err
	}
	for _, skipped := range source.Skipped {
		const text = "%s version: package %s is not driven: %s"
		warnings = append(warnings, fmt.Sprintf(text, s, skipped.Package, skipped.Reason))
	}
	maps.Copy(overlay, source.Files)
	if s == spectra.New {
		if err := b.placeLines(overlay); err != nil {
			return request, nil, err
		}
	}
	request = build.Request{
		Name: b.given.Named(s), Dir: of.Dir, Package: source.Package, Overlay: overlay, Env: of.Env,
		Samples: b.declared.Source(), Folders: of.Folders, Outside: b.given.Allowed.Folders(), Parts: b.parts(s),
	}
	return request, warnings, nil
}

// parts returns the folders of the packages that are instrumented or driven, by their paths in one version.
func (b *built) parts(s spectra.Side) map[string]string {
	folders := map[string]string{}
	add := func(path string) {
		if p := b.sides.Of(s).target.Package(path); p != nil {
			folders[path] = p.Dir
		}
	}
	for _, p := range b.versions.Of(s).packages {
		add(p.Path)
	}
	for _, path := range b.drivenIn(s) {
		add(path)
	}
	return folders
}

// drivenIn lists the driven packages by their paths in one version.
func (p *plan) drivenIn(s spectra.Side) []string {
	if s == spectra.Old {
		return p.driven
	}
	var paths []string
	for _, path := range p.driven {
		paths = append(paths, p.newName(path))
	}
	return paths
}

// patched reports whether both versions run on a runtime in which one seed decides what is left to chance
// elsewhere.
func (b *built) patched() bool { return b.drivers.Old.binary.Patched && b.drivers.New.binary.Patched }

// playersOf returns players that compare what both versions have.
func (b *built) playersOf(c comparisons) *replay.Players {
	return b.in.Tools.Players(spectra.MakePair(func(s spectra.Side) replay.Player { return b.player(s, c) }))
}

func (b *built) player(s spectra.Side, c comparisons) replay.Player {
	binary := b.drivers.Of(s).binary
	return replay.Player{
		Binary: binary, Table: *c.tables.Of(s), Compare: *c.of.Of(s), Limits: replay.DefaultLimits(),
		Scratch: b.in.Tools.Workers.Temp, Root: binary.GoRoot, Side: string(s),
	}
}

// insideOperations returns operations for the changed functions that only code of their own package can call.
func (p *plan) insideOperations() spectra.Pair[[]*api.Operation] {
	return api.Inside(p.sides.Old.target, p.sides.New.target, p.driven, p.common, p.changedSymbols())
}

// changedIn returns the numbers of the blocks in changed code of a function of old.
func (b *built) changedIn(function spectra.Symbol) []uint32 {
	blocks := b.versions.Old.packages.BlocksOf(function)
	return slices.DeleteFunc(blocks, func(id uint32) bool { return !b.watched.Old[id] })
}
