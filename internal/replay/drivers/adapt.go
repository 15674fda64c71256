package drivers

import (
	"cmp"
	"context"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
)

// mostAdapted is how often the tests of a package are type-checked with new's code, each time without what was wrong.
const mostAdapted = 20

// adapt has the tests of a package run on the other version without the functions that do not compile with its code.
// Those of old can have new's adapted ones. Where that can't be, each version runs its own. It reports false if that
// changes nothing: the holes are to blame then, or what is not known.
func (b *TestBuild) adapt(ctx context.Context, path string) bool {
	if _, before := b.adapted[path]; before {
		return false
	}
	b.adapted[path] = nil
	check, err := b.checkOf(ctx, path)
	if check == nil || err != nil {
		return false
	}
	for range mostAdapted {
		found, err := check.wrong(ctx)
		if err != nil || slices.ContainsFunc(found, check.unknown) {
			return false
		}
		switch changed, ok := check.Refuse(found); {
		case ok && !changed:
			return b.takeAdapted(path, check.Adaptation)
		case !ok && b.ways[path] == newTests:
			return false
		case !ok:
			b.Tools.Workers.Detailf("tests of package %s: %v", path, found)
			b.ways[path] = ownTests
			return true
		}
	}
	return false
}

// otherwise reports whether tests of one version may use what the other one does not declare so: then they are
// type-checked before they are built.
func (d *Drivers) otherwise(way inclusion) bool {
	common := d.Plan.Common
	missing := func(c match.Structural) bool { return way == newTests || c.Change != spectra.ChangeAdded }
	own := func(s match.Shape) bool { return d.Plan.OwnType(s.Type) }
	return slices.ContainsFunc(common.Structural(), missing) || len(common.Renames()) > 0 ||
		slices.ContainsFunc(common.Shapes(), own)
}

// takeAdapted takes an adaptation, unless it changes nothing, or leaves out what is asked for.
func (b *TestBuild) takeAdapted(path string, a *suite.Adaptation) bool {
	left := slices.Sorted(maps.Keys(a.LeftOut()))
	if len(a.Lines()) == 0 || b.choice.Match != nil && slices.ContainsFunc(left, b.choice.Match.Matches) {
		return false
	}
	b.adapted[path] = a
	const text = "tests of package %s: functions do not compile in the %s version; left out: %s"
	b.Tools.Workers.Detailf(text, path, b.ways[path].adaptedOn(), cmp.Or(strings.Join(left, ", "), "none"))
	return true
}

// adaptedOn returns the version with whose code tests may not compile.
func (way inclusion) adaptedOn() spectra.Side {
	if way == newTests {
		return spectra.Old
	}
	return spectra.New
}

// A testCheck type-checks tests with the code of the version that they are not of.
type testCheck struct {
	*suite.Adaptation
	fset  *token.FileSet
	on    *load.Version
	path  string             // of the package there
	usual map[token.Pos]bool // where the type checker finds something with their own version's code, too
}

// checkOf returns the check of the tests of a package, nil without any.
func (b *TestBuild) checkOf(ctx context.Context, path string) (*testCheck, error) {
	way := b.ways[path]
	on := way.adaptedOn()
	of := on.Other()
	tests, err := b.readTests(of, path)
	if tests == nil || err != nil {
		return nil, err
	}
	var others *suite.Files
	if way == variedTests {
		if others, err = b.readTests(on, path); err != nil {
			return nil, err
		}
	}
	fset := b.Plan.Sides.Old.Target.Fset
	inside, external := tests.Syntax()
	checked, err := b.Plan.Sides.Of(of).Target.CheckTests(ctx, b.named(of, path), fset, inside, external)
	if err != nil {
		return nil, err
	}
	c := &testCheck{
		suite.Adapt(tests, others), fset, b.Plan.Sides.Of(on).Target, b.named(on, path), map[token.Pos]bool{},
	}
	for _, e := range checked.Errors {
		c.usual[e.Pos] = true
	}
	return c, nil
}

// wrong returns what is wrong with the other version's code only.
func (c *testCheck) wrong(ctx context.Context) ([]types.Error, error) {
	inside, external := c.Syntax()
	checked, err := c.on.CheckTests(ctx, c.path, c.fset, inside, external)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(checked.Errors, func(e types.Error) bool { return c.usual[e.Pos] }), nil
}

// unknown reports whether an error says that something can't be imported.
func (c *testCheck) unknown(e types.Error) bool { return !e.Soft && c.Imports(e.Pos) }
