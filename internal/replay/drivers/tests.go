package drivers

import (
	"context"
	"errors"
	"fmt"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"golang.org/x/tools/go/packages"
)

// An inclusion is how the tests of one package get into the drivers.
type inclusion int

// Old's tests run on both versions. Where these don't compile with new's code, each version's own do.
const (
	sharedTests inclusion = iota
	ownTests
	noTests
)

// mostTestBuilds is how often drivers with tests are built, each time without tests that do not compile.
const mostTestBuilds = 6

// ErrNoTests says that no package has tests that can be played.
var ErrNoTests = errors.New("no tests can be played")

// WithTests returns the drivers with the tests of the driven packages as operations, instead of what callers can call.
// Packages whose tests can't be compiled are left out, with a warning.
func (d *Drivers) WithTests(ctx context.Context) (*Drivers, error) {
	d.Tools.Workers.Stage("build")
	d.Tools.Workers.Report("building tests", 0, 0)
	for _, s := range spectra.Sides() {
		if err := d.Plan.Sides.Of(s).Target.FetchTests(ctx, d.Plan.DrivenIn(s)); err != nil {
			d.Tools.Workers.Detailf("tests of the %s version: %v", s, err)
		}
	}
	ways := map[string]inclusion{}
	var leftOut []string
	for range mostTestBuilds {
		own := *d
		own.Warnings, own.Inside = nil, spectra.Pair[[]*api.Operation]{}
		var err error
		if own.Suites, err = d.suites(ways); err != nil {
			return nil, err
		}
		if len(own.Suites.Old) == 0 {
			return nil, ErrNoTests
		}
		own.Compiled, err = own.buildDrivers(ctx, "")
		var faults fault.List
		switch {
		case err == nil:
			own.Players, own.LeftOut = own.playersOf(own.Compared), leftOut
			return &own, nil
		case !errors.As(err, &faults):
			return nil, err
		}
		for _, f := range faults {
			path := string(d.Plan.OldName(spectra.Symbol(suite.Tested(f.Package))))
			if ways[path]++; ways[path] == noTests {
				leftOut = append(leftOut, fmt.Sprintf("tests of package %s: %s", path, f.Reason))
			}
			d.Tools.Workers.Detailf("tests of package %s: %s", path, f.Reason)
		}
	}
	return nil, fmt.Errorf("%w: they do not compile", ErrNoTests)
}

// suites returns the tests of the driven packages for both versions.
func (d *Drivers) suites(ways map[string]inclusion) (spectra.Pair[[]*suite.Suite], error) {
	var list spectra.Pair[[]*suite.Suite]
	for _, path := range d.Plan.Driven {
		old := d.Plan.Sides.Old.Target.Package(path)
		var of spectra.Pair[*suite.Suite]
		for _, s := range spectra.Sides() {
			p := d.Plan.Sides.Of(s).Target.Package(d.named(s, path))
			if p == nil || old == nil || ways[path] >= noTests || d.clause(s, p) == "main" {
				continue
			}
			cfg := suite.Config{
				Name: path, Tests: old.Dir, Work: old.Dir, Env: d.Plan.Sides.Of(s).Target.Env,
				Clause: d.clause(s, p), Runtime: spectra.RuntimePath,
			}
			if ways[path] == ownTests {
				cfg.Tests = p.Dir
			}
			var err error
			if *of.Of(s), err = suite.Of(p, cfg); err != nil {
				d.Tools.Workers.Detailf("%v", err)
			}
		}
		if of.Old != nil && of.New != nil {
			list.Old, list.New = append(list.Old, of.Old), append(list.New, of.New)
		}
	}
	return list, nil
}

// named returns the path of a package of old in a version.
func (d *Drivers) named(s spectra.Side, path string) string {
	if s == spectra.Old {
		return path
	}
	return d.Plan.NewName(path)
}

// clause returns the package clause of a package in the driver of a version.
func (d *Drivers) clause(s spectra.Side, p *packages.Package) string {
	for _, i := range d.Versions.Of(s).Packages {
		if i.Path == p.PkgPath {
			return i.Name
		}
	}
	return p.Name
}

// Tests returns the operations that are tests.
func (d *Drivers) Tests() (list []*api.Operation) {
	for _, s := range d.Suites.Old {
		list = append(list, s.Tests...)
	}
	return list
}

// testFolders returns the folders that tests may read.
func (d *Drivers) testFolders() []string {
	if len(d.Suites.Old) == 0 {
		return nil
	}
	return []string{d.Plan.Sides.Old.Target.Dir}
}

// testedPackages returns the packages with tests, as the driver's version has them.
func testedPackages(list []*suite.Suite) (paths []string) {
	for _, s := range list {
		paths = append(paths, s.Package)
	}
	return paths
}

// externalTests returns the packages of external tests.
func externalTests(list []*suite.Suite) (paths []string) {
	for _, s := range list {
		if s.External != "" {
			paths = append(paths, s.External)
		}
	}
	return paths
}
