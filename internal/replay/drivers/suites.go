package drivers

import (
	"context"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// refusals are lines of test files, by packages, in which holes do not compile.
type refusals map[string]map[string]bool

// mostRefused is how many lines of the tests of a package are refused, before its files are: the compiler names ten.
const mostRefused = 20

// add adds lines of a package, or their files if none of the lines is new: the compiler may complain elsewhere than
// where a hole is. It reports false if none of the files is new: the holes are not to blame then.
func (r refusals) add(path string, lines []string) (news bool) {
	if r[path] == nil {
		r[path] = map[string]bool{}
	}
	for _, whole := range []bool{len(r[path]) >= mostRefused, true} {
		for _, line := range lines {
			if whole {
				line, _, _ = strings.Cut(line, ":")
			}
			news = news || !r[path][line]
			r[path][line] = true
		}
		if news {
			break
		}
	}
	return news
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
			b.simpler(path)
		}
		if b.ways[path] != noTests && both.Old != nil && both.New != nil && len(both.Old.Tests) > 0 {
			list.Old, list.New = append(list.Old, both.Old), append(list.New, both.New)
		}
	}
	return list
}

// suitesOf returns the tests of one package for both versions in the way that is left, nil without any.
func (b *TestBuild) suitesOf(ctx context.Context, path string) (of spectra.Pair[*suite.Suite], err error) {
	d, way := b.Drivers, b.ways[path]
	files, err := b.filesOf(path)
	if err != nil {
		return of, err
	}
	var holes *suite.Holes
	if way == variedTests && files.Old != nil {
		if holes, err = b.dig(ctx, path, files.Old); err != nil {
			return of, err
		}
	}
	embedded, err := b.embedded(path, files)
	if err != nil {
		b.leave(path, err.Error())
		return of, nil
	}
	twins := files.Old.Twins()
	maps.Copy(twins, files.New.Twins())
	for _, s := range spectra.Sides() {
		p := d.tested(s, path)
		if p == nil || d.clause(s, p) == "main" || *files.Of(s) == nil {
			return of, nil
		}
		cfg := suite.Config{
			Name: path, Folder: b.folderOf(path), Clause: d.clause(s, p), Runtime: spectra.RuntimePath,
			Twins: twins,
		}
		if s != way.home() {
			cfg.Adapted = b.adapted[path]
		}
		if s == spectra.New && way == ownTests {
			cfg.Like = files.Old
		}
		if *of.Of(s), err = suite.Write(p, *files.Of(s), holes, cfg); err != nil {
			return of, err
		}
		if (*of.Of(s)).Own = way == ownTests; s != way.home() {
			maps.Copy((*of.Of(s)).Files, embedded)
		}
	}
	of.Old.Tests = slices.DeleteFunc(of.Old.Tests, b.unfit(path, of))
	b.touchedTests(path, files.Old, of.Old.Tests)
	return of, nil
}

// filesOf returns the test files that each version runs, nil without any.
func (b *TestBuild) filesOf(path string) (files spectra.Pair[*suite.Files], err error) {
	if a := b.adapted[path]; a != nil {
		return spectra.Pair[*suite.Files]{Old: a.Tests, New: a.Tests}, nil
	}
	if files.Old, err = b.readTests(b.ways[path].home(), path); err != nil || b.ways[path] != ownTests {
		return spectra.Pair[*suite.Files]{Old: files.Old, New: files.Old}, err
	}
	files.New, err = b.readTests(spectra.New, path)
	return files, err
}

// readTests reads the tests of a package in a version, all or those that are asked for with their holes; nil without
// any.
func (b *TestBuild) readTests(s spectra.Side, path string) (*suite.Files, error) {
	files, err := b.testFiles(s, path)
	if files != nil && b.choice.Match != nil && b.choice.Holes != nil {
		files = files.Only(b.choice.Match.Matches)
	}
	return files, err
}

// testFiles reads the test files of a package in a version, nil without any.
func (d *Drivers) testFiles(s spectra.Side, path string) (*suite.Files, error) {
	p := d.tested(s, path)
	if p == nil {
		return nil, nil
	}
	of := d.Plan.Sides.Of(s).Target
	return suite.Read(p.Dir, of.GoVersion, of.Env, d.Plan.Sides.Old.Target.Fset)
}

// dig returns the holes of old's tests of a package.
func (b *TestBuild) dig(ctx context.Context, path string, files *suite.Files) (*suite.Holes, error) {
	first := b.Plan.Sides.Old.Target
	inside, external := files.Syntax()
	checked, err := first.CheckTests(ctx, path, first.Fset, inside, external)
	if err != nil {
		return nil, err
	}
	holes := suite.Dig(files, checked.Info, first.Tested(path).Types, b.known(path))
	holes.Leave(files, b.refused[path])
	holes.Leave(files, b.adapted[path].Lines())
	if b.choice.Holes != nil {
		holes.Only(files, b.choice.Holes)
	}
	return holes, nil
}

// folderOf returns the folder in which the tests of a package run, below that of the module.
func (b *TestBuild) folderOf(path string) string {
	of := b.ways[path].home()
	return below(b.Plan.Sides.Of(of).Target, b.tested(of, path))
}

// unfit returns which of old's tests are none of both versions, or differ, or, of new's, don't: what they show would
// not be due to the code.
func (b *TestBuild) unfit(path string, of spectra.Pair[*suite.Suite]) func(suite.Test) bool {
	left := b.adapted[path].LeftOut()
	switch way := b.ways[path]; {
	case way == newTests:
		all, changed := b.readsChanged(path), b.changedTests(path)
		return func(t suite.Test) bool { return left[t.Expr] || !all && !changed[t.Expr] }
	case way == ownTests && b.choice.Match == nil:
		had, changed := map[string]bool{}, b.changedTests(path)
		for _, t := range of.New.Tests {
			had[t.Name] = true
		}
		return func(t suite.Test) bool { return changed[t.Expr] || !had[t.Name] }
	}
	return func(t suite.Test) bool { return left[t.Expr] }
}

// below returns the folder of a package below that of the module.
func below(v *load.Version, p *packages.Package) string {
	folder, err := filepath.Rel(v.Dir, p.Dir)
	if err != nil { // one of them is not absolute
		return p.Dir
	}
	return folder
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
		files, _ := d.testFiles(s, path) // what can't be read has none
		return files
	})
	if read.New == nil {
		return nil
	}
	oldPath := func(path string) string { return string(d.Plan.OldName(spectra.Symbol(path))) }
	return suite.Changed(read.Old, read.New, oldPath)
}

// readsChanged reports whether files of new differ that tests of a package read.
func (d *Drivers) readsChanged(path string) bool {
	p := d.tested(spectra.New, path)
	return p != nil && d.Plan.TestdataDiffers(p.Dir)
}

// known returns what the digger of holes in the tests of a package of old asks of the tested code.
func (d *Drivers) known(path string) suite.Known {
	near := map[string]bool{}
	for _, c := range d.Plan.ChangedDeclarations() {
		if d.Plan.Common.Old(c.Package) == path {
			near[strings.TrimSuffix(filepath.Base(c.File), ".go")+"_test.go"] = true
		}
	}
	return suite.Known{
		Common:   d.common,
		Sets:     func(f *types.Func) bool { return d.Plan.Sets(symbol.Function(f)) },
		Mentions: d.Plan.Mentions,
		Errors:   d.Plan.Errors(),
		Globals:  d.Plan.Variables(),
		Near:     near,
		All:      d.Plan.Between(),
		Own:      func(path string) bool { return d.Plan.Sides.Old.Target.Package(path) != nil },
	}
}

// common reports whether new, too, has a field or method of a type of old; nil: what a package declares. What tests
// declare is the same in both, and so is what was not type-checked again.
func (d *Drivers) common(t *types.Named, o types.Object) bool {
	declared := o
	if t != nil {
		declared = t.Obj()
	}
	path := declared.Pkg().Path()
	old, new := d.Plan.Sides.Old.Target.Package(path), d.Plan.Sides.New.Target.Package(d.named(spectra.New, path))
	if old == nil || new == nil || old.Types.Scope().Lookup(declared.Name()) == nil {
		return true
	}
	found := new.Types.Scope().Lookup(declared.Name())
	if found != nil && t != nil {
		found, _, _ = types.LookupFieldOrMethod(found.Type(), true, new.Types, o.Name())
	}
	name := func(p *types.Package) string { return string(d.Plan.OldName(spectra.Symbol(p.Path()))) }
	if found == nil || types.TypeString(found.Type(), name) != types.TypeString(o.Type(), name) {
		return false
	}
	if _, variable := o.(*types.Var); variable && t == nil {
		_, still := found.(*types.Var)
		same := types.TypeString(found.Type().Underlying(), name) == types.TypeString(o.Type().Underlying(), name)
		return still && same
	}
	return true
}
