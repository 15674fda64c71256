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

// mostAdapted is how often the tests of a package are type-checked with the other version's code, each time without
// what was wrong.
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
		if err != nil {
			b.Tools.Workers.Detailf("tests of package %s are not type-checked: %v", path, err)
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
	b.Tools.Workers.Detailf(text, path, b.ways[path].home().Other(), cmp.Or(strings.Join(left, ", "), "none"))
	return true
}

// A testCheck type-checks tests with the code of the version that they are not of.
type testCheck struct {
	*suite.Adaptation
	fset    *token.FileSet
	on      *load.Version
	path    string             // of the package there
	usual   map[token.Pos]bool // where the type checker finds something with the code of their own version, too
	unknown map[string]bool    // what can't be imported there, either
}

// checkOf returns the check of the tests of a package, nil without any.
func (b *TestBuild) checkOf(ctx context.Context, path string) (*testCheck, error) {
	way := b.ways[path]
	of := way.home()
	on := of.Other()
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
	c := &testCheck{
		Adaptation: suite.Adapt(tests, others), fset: b.Plan.Sides.Old.Target.Fset,
		on: b.Plan.Sides.Of(on).Target, path: b.named(on, path),
		usual: map[token.Pos]bool{}, unknown: map[string]bool{},
	}
	if err := c.expect(ctx, b.Plan.Sides.Of(of).Target, b.named(of, path), tests); err != nil {
		return nil, err
	}
	return c, c.expect(ctx, c.on, c.path, others)
}

// expect notes what the type checker finds in tests with the code of their own version.
func (c *testCheck) expect(ctx context.Context, of *load.Version, path string, tests *suite.Files) error {
	if tests == nil {
		return nil
	}
	inside, external := tests.Syntax()
	checked, err := of.CheckTests(ctx, path, c.fset, inside, external)
	if err != nil {
		return err
	}
	for _, e := range checked.Errors {
		c.usual[e.Pos] = true
		if !e.Soft {
			c.unknown[c.Imported(e.Pos)] = true
		}
	}
	return nil
}

// wrong returns what is wrong with the other version's code only. That something can't be imported there only is an
// error.
func (c *testCheck) wrong(ctx context.Context) ([]types.Error, error) {
	inside, external := c.Syntax()
	checked, err := c.on.CheckTests(ctx, c.path, c.fset, inside, external)
	if err != nil {
		return nil, err
	}
	var found []types.Error
	for _, e := range checked.Errors {
		imported := c.Imported(e.Pos)
		switch {
		case c.usual[e.Pos] || imported != "" && !e.Soft && c.unknown[imported]:
		case imported != "" && !e.Soft:
			return nil, e
		default:
			found = append(found, e)
		}
	}
	return found, nil
}
