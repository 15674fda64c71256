package drivers

import (
	"context"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

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

// drop leaves out functions of the tests of a package that do not compile with new's code, where a few tests are asked
// for: those are the same in both versions then. It reports false if that is of no use. Not all of a file goes because
// too many errors are in it.
func (b *TestBuild) drop(path string, lines []string) bool {
	lines = slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return !strings.Contains(line, ":") })
	if b.choice.Match == nil || !b.dropped.add(path, lines) {
		return false
	}
	old := b.Plan.Sides.Old.Target
	files, err := suite.Read(b.testsOf(path).Dir, old.Env, old.Fset)
	if err != nil || files == nil {
		return false
	}
	_, ok := files.Without(b.dropped[path], b.choice.Match.Matches)
	return ok
}

// testsOf returns the package whose tests both versions run.
func (b *TestBuild) testsOf(path string) *packages.Package {
	if b.choice.New {
		return b.Plan.Sides.New.Target.Package(b.named(spectra.New, path))
	}
	return b.Plan.Sides.Old.Target.Package(path)
}

// suites returns the tests of the packages for both versions. Those that can't be read in their way are read in the
// next.
func (b *TestBuild) suites(ctx context.Context) (list spectra.Pair[[]*suite.Suite]) {
	for _, path := range b.paths {
		var both spectra.Pair[*suite.Suite]
		for b.ways[path] != noTests {
			found := fault.Do(path, "reading its tests", func() (err error) {
				both, err = b.suitesOf(ctx, path)
				return err
			})
			if len(found) == 0 {
				break
			}
			for _, f := range found {
				const what = "the tests of package %s are read in a simpler way or not at all"
				b.warnings = append(b.warnings, plan.FaultWarning(f, what, b.Tools.Workers.Detailf))
			}
			b.ways[path] = b.ways[path].next()
		}
		if b.ways[path] != noTests && both.Old != nil && both.New != nil && len(both.Old.Tests) > 0 {
			list.Old, list.New = append(list.Old, both.Old), append(list.New, both.New)
		}
	}
	return list
}

// suitesOf returns the tests of one package for both versions in the way that is left, nil without any.
func (b *TestBuild) suitesOf(ctx context.Context, path string) (of spectra.Pair[*suite.Suite], err error) {
	d, first, way := b.Drivers, b.Plan.Sides.Old.Target, b.ways[path]
	old := first.Package(path)
	if old == nil {
		return of, nil
	}
	var holes *suite.Holes
	var shared *suite.Files // for which there are holes
	var like *suite.Files   // old's, where each version has its own
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
			tests = b.testsOf(path)
			work = b.choice.beside(d.Plan.Sides.New.Target.Dir, tests.Dir)
		}
		files, err := suite.Read(tests.Dir, first.Env, first.Fset)
		if err != nil || files == nil {
			return of, err
		}
		if b.choice.Match != nil && b.choice.Holes != nil {
			files = files.Only(b.choice.Match.Matches)
		}
		if dropped := b.dropped[path]; len(dropped) > 0 && way.drops() {
			files, _ = files.Without(dropped, b.choice.Match.Matches)
		}
		if way == variedTests && holes == nil {
			inside, external := files.Syntax()
			info, err := first.CheckTests(ctx, path, inside, external)
			if err != nil {
				return of, err
			}
			holes, shared = suite.Dig(files, info, old.Types, d.known()), files
			holes.Leave(files, b.refused[path])
			if b.choice.Holes != nil {
				holes.Only(files, b.choice.Holes)
			}
		}
		if shared != nil {
			files = shared
		}
		*of.Of(s), err = suite.Write(p, files, holes, suite.Config{
			Name: path, Work: work, Root: first.Dir, Clause: d.clause(s, p), Runtime: spectra.RuntimePath, Like: like,
		})
		if err != nil {
			return of, err
		}
		if way == ownTests {
			like = files
		}
	}
	of.Old.Own, of.New.Own = way == ownTests, way == ownTests
	if way == newTests && !d.readsChanged(path) {
		changed := d.changedTests(path)
		of.Old.Tests = slices.DeleteFunc(of.Old.Tests, func(t suite.Test) bool { return !changed[t.Expr] })
	}
	return of, nil
}

// Differs reports whether new runs another test in the place of one of old: its own, which differs.
func (d *Drivers) Differs(t *suite.Test) bool {
	for _, of := range d.Suites.Old {
		if of.Own && (of.Package == t.Package || of.External == t.Package) {
			return d.changedTests(suite.Tested(t.Package))[t.Expr]
		}
	}
	return false
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

// readsChanged reports whether files of new differ that tests of a package read.
func (d *Drivers) readsChanged(path string) bool {
	p := d.Plan.Sides.New.Target.Package(d.named(spectra.New, path))
	return p != nil && d.Plan.TestdataDiffers(p.Dir)
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
