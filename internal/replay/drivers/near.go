package drivers

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// The tests of mostTested packages are built, and of mostApart that have nothing else, unless all packages are
// recorded, or none is near.
const (
	mostTested = 16
	mostApart  = 32
)

// chosenTests returns the packages whose tests drivers get, those with nothing but tests last.
func (d *Drivers) chosenTests(choice TestChoice) []string {
	s := spectra.Old
	if choice.New {
		s = spectra.New
	}
	var paths, apart []string
	if choice.Match == nil {
		paths, apart = d.nearest(d.nearTests(), mostTested), d.apart(s, false)
	} else {
		paths = slices.DeleteFunc(slices.Concat(d.Plan.Driven, d.apart(s, d.Plan.Whole())), func(path string) bool {
			p := d.tested(s, path)
			return p == nil || !choice.Match.In(p.Dir)
		})
	}
	if choice.New {
		had := func(path string) bool { return len(d.changedTests(path)) == 0 && !d.readsChanged(path) }
		paths, apart = slices.DeleteFunc(paths, had), slices.DeleteFunc(apart, had)
	}
	return slices.Concat(paths, d.nearest(apart, mostApart))
}

// nearTests returns the driven packages whose tests may reach the change, the nearest first: those of changed packages,
// and of packages that import these, or whose tests do.
func (d *Drivers) nearTests() []string {
	old, changed := d.Plan.Sides.Old.Target, d.Plan.ChangedPackages()
	away := load.Distances(old, d.Plan.Sides.New.Target, changed)
	imports := map[string][]string{}
	for _, path := range d.Plan.Driven {
		p := old.Package(path)
		if p == nil {
			continue
		}
		imports[path] = suite.Imports(p.Dir)
		if !changed[path] {
			n, reaches := load.Importing(imports[path], away)
			if before, known := away[path]; reaches && (!known || n < before) {
				away[path] = n
			}
		}
	}
	near := slices.DeleteFunc(slices.Clone(d.Plan.Driven), func(path string) bool {
		_, reaches := away[path]
		return !reaches && len(changed) > 0
	})
	slices.SortStableFunc(near, nearer(away, d.Plan.Reaching(), imports))
	return near
}

// nearer compares packages by their distance to the change, then by how much of their code can reach it, then by how
// much of the packages that their tests import: dozens of packages import a central one, and few what changed there.
func nearer(away, reaching map[string]int, imports map[string][]string) func(x, y string) int {
	besides := func(path string) (sum int) {
		for _, imported := range imports[path] {
			if imported != path {
				sum += reaching[imported]
			}
		}
		return sum
	}
	return func(x, y string) int {
		return cmp.Or(cmp.Compare(away[x], away[y]), cmp.Compare(reaching[y], reaching[x]),
			cmp.Compare(besides(y), besides(x)))
	}
}

// nearest returns as many of the packages as are built.
func (d *Drivers) nearest(near []string, most int) []string {
	if len(near) <= most || d.Plan.Whole() || len(d.Plan.ChangedPackages()) == 0 {
		return near
	}
	const further = "tests of %d packages further from the change are not run: %s"
	d.Tools.Workers.Detailf(further, len(near)-most, strings.Join(near[most:], " "))
	return near[:most]
}

// apart returns the packages of a version with nothing but tests that both versions can have, the nearest to the change
// first: all of them, or those whose tests may reach it.
func (d *Drivers) apart(s spectra.Side, all bool) []string {
	away := d.Plan.Apart(s)
	paths := slices.Sorted(maps.Keys(away))
	if all {
		paths = nil
		for _, path := range d.Plan.Sides.Of(s).Target.Apart() {
			paths = append(paths, string(d.Plan.OldName(spectra.Symbol(path))))
		}
	}
	paths = slices.DeleteFunc(paths, func(path string) bool {
		return d.tested(spectra.Old, path) == nil || d.tested(spectra.New, path) == nil
	})
	imports := map[string][]string{}
	for _, path := range paths {
		for _, imported := range suite.Imports(d.tested(s, path).Dir) {
			imports[path] = append(imports[path], string(d.Plan.OldName(spectra.Symbol(imported))))
		}
	}
	slices.SortStableFunc(paths, nearer(away, d.Plan.Reaching(), imports))
	return paths
}

// tested returns the package of a version in which the tests of a package of old lie, as load.Version.Tested does.
func (d *Drivers) tested(s spectra.Side, path string) *packages.Package {
	return d.Plan.Sides.Of(s).Target.Tested(d.named(s, path))
}

// TestsBelow returns the packages whose tests are in the drivers and that a package imports, directly or not.
func (d *Drivers) TestsBelow(path string) (list []string) {
	old := d.Plan.Sides.Old.Target
	roots := old.Chosen([]string{path})
	for _, s := range d.Suites.Old {
		if len(roots) == 0 && s.Package == path {
			roots = old.Chosen(s.Imports)
		}
	}
	packages.Visit(roots, nil, func(p *packages.Package) {
		tested := func(s *suite.Suite) bool { return s.Package == p.PkgPath }
		if p.PkgPath != path && slices.ContainsFunc(d.Suites.Old, tested) {
			list = append(list, p.PkgPath)
		}
	})
	slices.Sort(list)
	return list
}

// imported returns the packages with tests that have other code, too, as the driver's version has them, and the others
// that a driver imports: those without, and those of external tests.
func imported(v *load.Version, list []*suite.Suite) (tested, others []string) {
	for _, s := range list {
		switch {
		case v.Package(s.Package) != nil:
			tested = append(tested, s.Package)
		case s.Inside:
			others = append(others, s.Package)
		}
		if s.External != "" {
			others = append(others, s.External)
		}
	}
	return tested, others
}
