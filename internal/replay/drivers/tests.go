package drivers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"golang.org/x/tools/go/packages"
)

// An inclusion is how the tests of one package get into the drivers.
type inclusion int

// The ways, each tried where the one before it does not compile. New's tests are taken only where they are asked for.
const (
	newTests    inclusion = iota - 1 // new's tests, on both versions
	variedTests                      // old's, with holes; what does not fit new's code is adapted or left out
	sharedTests                      // old's, as they are
	ownTests                         // each version its own, if they are the same
	noTests
)

// next returns the way that is left where tests can't be read or compiled in one way.
func (way inclusion) next() inclusion {
	if way == newTests {
		return noTests
	}
	return way + 1
}

// adapts reports whether functions that do not compile are others in one version, or left out: the others are the same.
func (way inclusion) adapts() bool { return way == newTests || way == variedTests }

// home returns the version whose tests run, on both unless each runs its own.
func (way inclusion) home() spectra.Side {
	if way == newTests {
		return spectra.New
	}
	return spectra.Old
}

// mostTestBuilds is how often drivers with tests are built, each time without tests that do not compile.
const mostTestBuilds = 10

// ErrNoTests says that no driven package has tests.
var ErrNoTests = errors.New("there are no tests")

// A TestChoice says which tests drivers get: those of the driven packages near the change, unless Match says more.
type TestChoice struct {
	Broken map[string]string // packages whose tests are left out, with the reasons
	Match  *suite.Match      // nil: else those of all packages that have such tests
	New    bool              // the tests of new that old does not have so, on both versions, in the place of old's
	Beside string            // the module's folder beside whose files tests of new run; "": that of new
	// Holes are meanings of the only holes that tests get, as suite.Test.Meanings has them, by numbers of their own.
	// What only other tests use is not built then. nil: all holes, in all files.
	Holes map[string]bool
}

// ReadTests reads the tests that drivers get as operations, instead of what callers can call.
func (d *Drivers) ReadTests(ctx context.Context, choice TestChoice) (*TestBuild, error) {
	b := &TestBuild{
		Drivers: d, choice: choice, ways: map[string]inclusion{}, refused: refusals{},
		adapted: map[string]*suite.Adaptation{}, touched: map[string]bool{},
	}
	if b.paths = d.chosenTests(choice); len(b.paths) == 0 {
		return nil, ErrNoTests
	}
	if choice.New {
		for _, path := range b.paths {
			b.ways[path] = newTests
		}
	}
	_, err := replay.Both(ctx, func(ctx context.Context, s spectra.Side) (none struct{}, _ error) {
		target := d.Plan.Sides.Of(s).Target
		there := slices.DeleteFunc(d.namedAll(s, b.paths), func(path string) bool {
			return target.Package(path) == nil && !slices.Contains(target.Apart(), path)
		})
		if err := target.FetchTests(ctx, there); err != nil {
			d.Tools.Workers.Detailf("tests of the %s version: %v", s, err)
		}
		return none, nil
	})
	if err != nil {
		return nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(choice.Broken)) {
		b.leave(path, choice.Broken[path])
	}
	for _, path := range b.paths {
		if way := b.ways[path]; way.adapts() && b.otherwise(way) {
			b.adapt(ctx, path)
		}
	}
	return b, b.read(ctx)
}

// read reads the tests, each package's in the way that is left.
func (b *TestBuild) read(ctx context.Context) error {
	b.tests = b.suites(ctx)
	switch {
	case len(b.tests.Old) > 0:
		b.tell()
		return nil
	case len(b.leftOut) > 0:
		return errors.New(strings.Join(b.leftOut, "; "))
	}
	return ErrNoTests
}

// tell says which tests were read.
func (b *TestBuild) tell() {
	var packages []string
	tests, holes := 0, map[*suite.Hole]bool{}
	for _, s := range b.tests.Old {
		packages, tests = append(packages, s.Package), tests+len(s.Tests)
		for _, t := range s.Tests {
			for _, h := range t.Holes {
				holes[h] = true
			}
		}
	}
	b.Tools.Workers.Detailf("read %d tests with %d holes of %d packages: %s", tests, len(holes), len(packages),
		strings.Join(packages, " "))
}

// Build returns the drivers with tests. Packages whose tests can't be compiled are left out. Built beside, while other
// drivers are played, they leave the processors to these.
func (b *TestBuild) Build(ctx context.Context, beside bool) (*Drivers, error) {
	for range mostTestBuilds {
		own := b.drivers()
		own.beside = beside
		var err error
		if own.Compiled, err = own.buildDrivers(ctx, ""); err == nil {
			own.Players, own.LeftOut, own.Warnings = own.playersOf(own.Compared), b.leftOut, b.warnings
			own.beside = false
			return &own, nil
		}
		if err := b.simplify(ctx, &own, err); err != nil {
			return nil, err
		}
		if err := b.read(ctx); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("they could not be built in %d attempts", mostTestBuilds)
}

// Ahead compiles the drivers, so that Build finds them. It reads nothing, so it may run while others of the same plan
// are built. What does not compile is left to Build.
func (b *TestBuild) Ahead(ctx context.Context) {
	own := b.drivers()
	if _, err := own.buildDrivers(ctx, ""); err != nil {
		b.Tools.Workers.Detailf("drivers with tests, ahead: %v", err)
	}
}

// drivers returns the drivers with the tests that were read, not compiled.
func (b *TestBuild) drivers() Drivers {
	own := *b.Drivers
	own.Warnings, own.Inside, own.NewTests = nil, spectra.Pair[[]*api.Operation]{}, b.choice.New
	own.match, own.Suites, own.testsBeside = b.choice.Match, b.tests, b.Plan.Sides.Old.Target.Dir
	own.Touched.Tests = b.touched
	if b.choice.New {
		own.testsBeside = cmp.Or(b.choice.Beside, b.Plan.Sides.New.Target.Dir)
	}
	return own
}

// A TestBuild is how drivers with the tests of some packages are built: in simpler ways, until they compile. What it
// reads first is all that it fetches and imports, so drivers may be built while others of the same plan are played.
type TestBuild struct {
	*Drivers
	choice            TestChoice
	paths             []string
	tests             spectra.Pair[[]*suite.Suite]
	ways              map[string]inclusion
	refused           refusals                     // lines without holes
	adapted           map[string]*suite.Adaptation // nil: that was tried
	touched           map[string]bool              // as in Touched.Tests
	leftOut, warnings []string
}

// simpler has the tests of a package read in the next way, as they are.
func (b *TestBuild) simpler(path string) {
	b.ways[path], b.adapted[path] = b.ways[path].next(), nil
}

// leave leaves out the tests of a package.
func (b *TestBuild) leave(path, reason string) {
	b.ways[path] = noTests
	b.leftOut = append(b.leftOut, fmt.Sprintf("tests of package %s: %s", path, reason))
	b.Tools.Workers.Detailf("tests of package %s: %s", path, reason)
}

// simplify simplifies what did not compile in drivers. An error that is not about tests stays one.
func (b *TestBuild) simplify(ctx context.Context, built *Drivers, err error) error {
	var faults fault.List
	if !errors.As(err, &faults) {
		path := built.inCycle(err.Error(), b.ways)
		if path == "" || ctx.Err() != nil {
			return err
		}
		b.leave(path, "they import what the tests of other packages import")
		return nil
	}
	reasons, lines := map[string]string{}, map[string][]string{} // both versions may be at fault
	for _, f := range faults {
		path := string(b.Plan.OldName(spectra.Symbol(suite.Tested(f.Package))))
		if f.Importer != "" {
			b.leaveImporting(f, path)
			continue
		}
		reasons[path], lines[path] = cmp.Or(reasons[path], f.Reason), append(lines[path], f.Lines...)
	}
	for _, path := range slices.Sorted(maps.Keys(reasons)) {
		way := b.ways[path]
		if way.adapts() && b.adapt(ctx, path) || way == variedTests && b.refused.add(path, lines[path]) {
			continue
		}
		if b.simpler(path); b.ways[path] == noTests {
			b.leave(path, reasons[path])
		}
	}
	return nil
}

// leaveImporting leaves out the tests of a package that can't be built because it imports something, and of the others
// whose code or tests do: an attempt names only one of them.
func (b *TestBuild) leaveImporting(f *fault.Fault, path string) {
	side := cmp.Or(f.Side, spectra.Old)
	target, seen := b.Plan.Sides.Of(side).Target, map[*packages.Package]bool{}
	needs := func(needed string) bool {
		p := target.Package(needed)
		return needed == f.Importer || p != nil && imports(p, f.Importer, seen)
	}
	for _, other := range b.paths {
		of := b.tested(side, other)
		if b.ways[other] != noTests && (other == path || needs(b.named(side, other)) ||
			of != nil && slices.ContainsFunc(suite.Imports(of.Dir), needs)) {
			b.leave(other, f.Reason)
		}
	}
}

// imports reports whether a package is of that path, or imports it, directly or not. What was seen is not it.
func imports(p *packages.Package, path string, seen map[*packages.Package]bool) bool {
	if p.PkgPath == path {
		return true
	}
	if does, known := seen[p]; known {
		return does
	}
	seen[p] = false
	for _, of := range p.Imports {
		seen[p] = seen[p] || imports(of, path, seen)
	}
	return seen[p]
}

// importedFrom matches a line of the go command about an import cycle.
var importedFrom = regexp.MustCompile(`(?m)^(?:package (\S+)|\s+imports (\S+) from (\S+?)(?::|$))`)

// inCycle returns a package with tests that are part of an import cycle, as the go command prints it: in one driver, a
// package and its own tests are one. Packages that did not change come first, then those with few tests. "": there is
// no cycle.
func (d *Drivers) inCycle(printed string, ways map[string]inclusion) (found string) {
	if !strings.Contains(printed, "import cycle not allowed") {
		return ""
	}
	worth := map[string]int{} // to be kept
	for path := range d.changedPackages() {
		worth[path] = math.MaxInt
	}
	for _, s := range d.Suites.Old {
		worth[s.Package] = max(worth[s.Package], len(s.Tests))
	}
	importer := ""
	for _, line := range importedFrom.FindAllStringSubmatch(printed, -1) {
		path := string(d.Plan.OldName(spectra.Symbol(suite.Tested(importer))))
		if strings.HasSuffix(line[3], "_test.go") && ways[path] != noTests && slices.Contains(d.Plan.Driven, path) &&
			(found == "" || worth[path] < worth[found]) {
			found = path
		}
		importer = line[1] + line[2]
	}
	return found
}

// changedPackages returns the packages of old in which functions changed.
func (d *Drivers) changedPackages() map[string]bool {
	changed := map[string]bool{}
	for _, c := range d.Plan.ChangedFunctions() {
		changed[string(d.Plan.OldName(spectra.Symbol(c.Symbol.Package())))] = true
	}
	return changed
}

// namedAll returns the paths of packages of old in a version.
func (d *Drivers) namedAll(s spectra.Side, paths []string) (list []string) {
	for _, path := range paths {
		list = append(list, d.named(s, path))
	}
	return list
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

// Tests returns the tests of both versions that may run.
func (d *Drivers) Tests() (list []suite.Test) {
	for _, s := range d.Suites.Old {
		for _, t := range s.Tests {
			if d.match.Matches(t.Expr) {
				list = append(list, t)
			}
		}
	}
	return list
}

// testFolders returns the folders that tests may read.
func (d *Drivers) testFolders() []string {
	if len(d.Suites.Old) == 0 || len(d.Commands) > 0 {
		return nil
	}
	return []string{d.testsBeside}
}

// Copyable returns why tests can't have copies of their folders to write to; nil if they can.
func (d *Drivers) Copyable() error {
	folders := d.testFolders()
	if len(folders) == 0 {
		return errors.New("they read no folders")
	}
	for _, folder := range folders {
		if err := d.Tools.Workers.Sandboxes[0].Copyable(folder); err != nil {
			return err
		}
	}
	return nil
}
