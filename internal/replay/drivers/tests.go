package drivers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
	"golang.org/x/tools/go/packages"
)

// An inclusion is how the tests of one package get into the drivers.
type inclusion int

// Old's tests run on both versions. Where these don't compile with new's code, each version's own do. New's tests are
// asked for.
const (
	newTests    inclusion = iota - 1
	variedTests           // with holes
	sharedTests
	ownTests
	noTests
)

// next returns the way that is left where tests can't be read or compiled in one way.
func (way inclusion) next() inclusion {
	if way == newTests {
		return noTests
	}
	return way + 1
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
}

// WithTests returns the drivers with tests as operations, instead of what callers can call. Packages whose tests can't
// be compiled are left out.
func (d *Drivers) WithTests(ctx context.Context, choice TestChoice) (*Drivers, error) {
	d.Tools.Workers.Stage("build")
	d.Tools.Workers.Report("building tests", 0, 0)
	paths, ways, refused := d.nearTests(), map[string]inclusion{}, refusals{}
	if choice.Match != nil {
		paths = slices.DeleteFunc(slices.Clone(d.Plan.Driven), func(path string) bool {
			p := d.Plan.Sides.Old.Target.Package(path)
			return p == nil || !choice.Match.In(p.Dir)
		})
	}
	if choice.New {
		paths = slices.DeleteFunc(paths, func(path string) bool { return len(d.changedTests(path)) == 0 })
		if len(paths) == 0 {
			return nil, ErrNoTests
		}
		for _, path := range paths {
			ways[path] = newTests
		}
	}
	for _, s := range spectra.Sides() {
		if err := d.Plan.Sides.Of(s).Target.FetchTests(ctx, d.namedAll(s, paths)); err != nil {
			d.Tools.Workers.Detailf("tests of the %s version: %v", s, err)
		}
	}
	var leftOut, warnings []string
	leave := func(path, reason string) {
		ways[path] = noTests
		leftOut = append(leftOut, fmt.Sprintf("tests of package %s: %s", path, reason))
		d.Tools.Workers.Detailf("tests of package %s: %s", path, reason)
	}
	for _, path := range slices.Sorted(maps.Keys(choice.Broken)) {
		leave(path, choice.Broken[path])
	}
	for range mostTestBuilds {
		own := *d
		own.Warnings, own.Inside, own.NewTests = nil, spectra.Pair[[]*api.Operation]{}, choice.New
		own.match = choice.Match
		var faults fault.List
		own.Suites, faults = d.suites(ctx, paths, ways, refused)
		for _, f := range faults {
			const what = "the tests of package %s are read in a simpler way or not at all"
			warnings = append(warnings, plan.FaultWarning(f, what, d.Tools.Workers.Detailf))
		}
		if len(own.Suites.Old) == 0 && len(leftOut) > 0 {
			return nil, errors.New(strings.Join(leftOut, "; "))
		} else if len(own.Suites.Old) == 0 {
			return nil, ErrNoTests
		}
		var err error
		own.Compiled, err = own.buildDrivers(ctx, "")
		switch {
		case err == nil:
			own.Players, own.LeftOut, own.Warnings = own.playersOf(own.Compared), leftOut, warnings
			return &own, nil
		case !errors.As(err, &faults):
			path := own.inCycle(err.Error(), ways)
			if path == "" || ctx.Err() != nil {
				return nil, err
			}
			leave(path, "they import what the tests of other packages import")
			continue
		}
		again := map[string]bool{} // both versions may be at fault
		for _, f := range faults {
			path := string(d.Plan.OldName(spectra.Symbol(suite.Tested(f.Package))))
			if again[path] {
				continue
			}
			again[path] = true
			if ways[path] == variedTests && refused.add(path, f.Lines) {
				continue
			}
			if ways[path] = ways[path].next(); ways[path] == noTests {
				leave(path, f.Reason)
			}
		}
	}
	return nil, fmt.Errorf("they could not be built in %d attempts", mostTestBuilds)
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

// mostTested is the number of packages whose tests are built, unless all packages are recorded, or none is near.
const mostTested = 16

// nearTests returns the driven packages whose tests may reach the change, the nearest first: those of changed packages,
// and of packages that import these, or whose tests do.
func (d *Drivers) nearTests() []string {
	old, changed := d.Plan.Sides.Old.Target, d.Plan.ChangedPackages()
	away := load.Distances(old, d.Plan.Sides.New.Target, changed)
	for _, path := range d.Plan.Driven {
		if p := old.Package(path); p != nil && !changed[path] {
			for _, imported := range suite.Imports(p.Dir) {
				if n, reaches := away[imported]; reaches {
					before, known := away[path]
					if !known || n+1 < before {
						away[path] = n + 1
					}
				}
			}
		}
	}
	near := slices.DeleteFunc(slices.Clone(d.Plan.Driven), func(path string) bool {
		_, reaches := away[path]
		return !reaches && len(changed) > 0
	})
	slices.SortStableFunc(near, func(x, y string) int { return cmp.Compare(away[x], away[y]) })
	if len(changed) == 0 || d.Plan.Whole() {
		return near
	}
	return near[:min(len(near), mostTested)]
}

// TestsBelow returns the packages whose tests are in the drivers and that a package imports, directly or not.
func (d *Drivers) TestsBelow(path string) (list []string) {
	of := d.Plan.Sides.Old.Target.Package(path)
	if of == nil {
		return nil
	}
	packages.Visit([]*packages.Package{of}, nil, func(p *packages.Package) {
		tested := func(s *suite.Suite) bool { return s.Package == p.PkgPath }
		if p != of && slices.ContainsFunc(d.Suites.Old, tested) {
			list = append(list, p.PkgPath)
		}
	})
	slices.Sort(list)
	return list
}

// refusals are lines of test files, by packages, in which holes do not compile.
type refusals map[string]map[string]bool

// mostRefused is how many lines of the tests of a package are refused, before its files are: the compiler names ten.
const mostRefused = 20

// add adds lines of a package. It reports false if none of them is new: the holes are not to blame then.
func (r refusals) add(path string, lines []string) (news bool) {
	if r[path] == nil {
		r[path] = map[string]bool{}
	}
	whole := len(r[path]) >= mostRefused
	for _, line := range lines {
		if whole {
			line, _, _ = strings.Cut(line, ":")
		}
		news = news || !r[path][line]
		r[path][line] = true
	}
	return news
}

// suites returns the tests of packages for both versions. Those that can't be read in their way are read in the next.
func (d *Drivers) suites(
	ctx context.Context, paths []string, ways map[string]inclusion, refused refusals,
) (list spectra.Pair[[]*suite.Suite], faults fault.List) {
	for _, path := range paths {
		var both spectra.Pair[*suite.Suite]
		for ways[path] != noTests {
			found := fault.Do(path, "reading its tests", func() (err error) {
				both, err = d.suitesOf(ctx, path, ways[path], refused[path])
				return err
			})
			if len(found) == 0 {
				break
			}
			faults = append(faults, found...)
			ways[path] = ways[path].next()
		}
		if ways[path] != noTests && both.Old != nil && both.New != nil && len(both.Old.Tests) > 0 {
			list.Old, list.New = append(list.Old, both.Old), append(list.New, both.New)
		}
	}
	return list, faults
}

// suitesOf returns the tests of one package for both versions, nil without any.
func (d *Drivers) suitesOf(
	ctx context.Context, path string, way inclusion, refused map[string]bool,
) (of spectra.Pair[*suite.Suite], err error) {
	first := d.Plan.Sides.Old.Target
	old := first.Package(path)
	if old == nil {
		return of, nil
	}
	var holes *suite.Holes
	var shared *suite.Files // for which there are holes
	for _, s := range spectra.Sides() {
		target := d.Plan.Sides.Of(s).Target
		p := target.Package(d.named(s, path))
		if p == nil || d.clause(s, p) == "main" {
			return of, nil
		}
		tests, work := old, old.Dir
		switch way {
		case ownTests:
			tests = p
		case newTests:
			tests = d.Plan.Sides.New.Target.Package(d.named(spectra.New, path))
			work = tests.Dir
		}
		files, err := suite.Read(tests.Dir, first.Env, first.Fset)
		if err != nil || files == nil {
			return of, err
		}
		if way == variedTests && holes == nil {
			inside, external := files.Syntax()
			info, err := first.CheckTests(ctx, path, inside, external)
			if err != nil {
				return of, err
			}
			holes, shared = suite.Dig(files, info, old.Types, d.known()), files
			holes.Leave(files, refused)
		}
		if shared != nil {
			files = shared
		}
		*of.Of(s), err = suite.Write(p, files, holes, suite.Config{
			Name: path, Work: work, Root: first.Dir, Clause: d.clause(s, p), Runtime: spectra.RuntimePath,
		})
		if err != nil {
			return of, err
		}
	}
	if way == newTests {
		changed := d.changedTests(path)
		of.Old.Tests = slices.DeleteFunc(of.Old.Tests, func(t suite.Test) bool { return !changed[t.Expr] })
	}
	return of, nil
}

// changedTests returns the names of the tests of a package that old does not have as new does.
func (d *Drivers) changedTests(path string) map[string]bool {
	read := spectra.MakePair(func(s spectra.Side) *suite.Files {
		target := d.Plan.Sides.Of(s).Target
		p := target.Package(d.named(s, path))
		if p == nil {
			return nil
		}
		files, _ := suite.Read(p.Dir, target.Env, target.Fset) // what can't be read has none
		return files
	})
	if read.New == nil {
		return nil
	}
	return suite.Changed(read.Old, read.New)
}

// known returns what the digger of holes asks of the tested code.
func (d *Drivers) known() suite.Known {
	return suite.Known{
		Common:   d.common,
		Sets:     func(f *types.Func) bool { return d.Plan.Sets(symbol.Function(f)) },
		Mentions: d.Plan.Mentions,
		Own:      func(path string) bool { return d.Plan.Sides.Old.Target.Package(path) != nil },
	}
}

// common reports whether new, too, has a field or method of a type of old. What tests declare is the same in both, and
// so is what was not type-checked again.
func (d *Drivers) common(t *types.Named, o types.Object) bool {
	path := t.Obj().Pkg().Path()
	old, new := d.Plan.Sides.Old.Target.Package(path), d.Plan.Sides.New.Target.Package(d.named(spectra.New, path))
	if old == nil || new == nil || old.Types.Scope().Lookup(t.Obj().Name()) == nil {
		return true
	}
	of := new.Types.Scope().Lookup(t.Obj().Name())
	if of == nil {
		return false
	}
	found, _, _ := types.LookupFieldOrMethod(of.Type(), true, new.Types, o.Name())
	name := func(p *types.Package) string { return string(d.Plan.OldName(spectra.Symbol(p.Path()))) }
	return found != nil && types.TypeString(found.Type(), name) == types.TypeString(o.Type(), name)
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
	return []string{d.testedSide().Target.Dir}
}

// testedSide returns the version whose tests run, beside its files.
func (d *Drivers) testedSide() *plan.Side {
	if d.NewTests {
		return &d.Plan.Sides.New
	}
	return &d.Plan.Sides.Old
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
