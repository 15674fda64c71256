package pipeline

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/summary"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// An Ask is what a root shows, as a question to other versions: does this sequence show this value there? It holds
// nothing of the versions that were compared, and can be kept.
type Ask struct {
	Root   string // fingerprint
	Module Module
	Tier   spectra.Tier

	Driver   string         // what plays the sequence, of Drives(); "": nothing, Variable is read before any call
	Test     string         // the test, for suite.ParseMatch; "": it is none
	NewTest  string         // the folder of a test of new, from the repository's root; "": it is old's
	Sequence string         // in text form
	Holes    map[int]string // of the called test, what those are that it fills
	Within   Patience       // with which it was played

	Variable spectra.Symbol // by its name in old
	Function spectra.Symbol // where the value shows, by its name in old; "": the whole run
	State    noise.State    // of its executions; "": an effect shows it, as in diff.Effect
	Path     string
	Old, New string

	Proven bool         // what it shows is stable: trials showed it again and again
	Places []AskedPlace // of the change
	Reason string       // why no version can be asked; "": they can

	Together Together
}

// Together is what drivers are built with for all asks of a report, whichever of them are asked: so old's are the same
// for all versions. Nothing stands twice, and all is sorted. The answers do not depend on it.
type Together struct {
	Operations []string // that sequences call
	Inside     []string // functions among them that only code of their package can call, by their names in old
	Tests      []string // of old, for suite.ParseMatch
	NewTests   []string // of new
	Holes      []string // meanings of what the calls of tests give other values
}

// Question returns what of an ask decides its answers.
func (a Ask) Question() Ask {
	a.Root, a.Module, a.Places, a.Together = "", Module{}, nil, Together{}
	return a
}

// Check returns an error for an ask that Query can't take, whoever made it.
func (a Ask) Check() error {
	if a.Module.Folder != "" && !filepath.IsLocal(filepath.FromSlash(a.Module.Folder)) {
		return fmt.Errorf("folder %.80q is none of a repository", a.Module.Folder)
	}
	switch {
	case a.Driver == "" && a.Variable != "":
		return nil
	case !slices.Contains(Drives(), a.Driver):
		return fmt.Errorf("nothing is played by %.80q", a.Driver)
	}
	one, err := sequence.Parse(a.Sequence)
	switch {
	case err != nil:
		return err
	case len(one.Statements) == 0:
		return errors.New("its sequence has no statement")
	case len(a.Holes) > 0 && len(one.Statements[0].Args) != 1:
		return errors.New("its sequence begins with no test that is given something")
	}
	return nil
}

// A Module is what of a repository was recorded.
type Module struct {
	Folder   string   // of the module, relative to the repository's root
	Patterns []string // of the packages, relative to the module, sorted
	Folders  []string // those that the packages are made of, relative to the repository's root, sorted; nil: any
	Embeds   []string // those of Folders whose packages embed files
	Beside   []string // folders of the repository that are in the place of other modules, sorted
}

// A Patience says how long a sequence may wait, and in which time.
type Patience struct {
	Bubbles bool
	Idle    time.Duration
	Outside bool // it uses what may differ from run to run
	Go      bool // it may start the go command
	Writes  bool // it may write into the source tree
}

// An AskedPlace is a function that changed, or another declaration.
type AskedPlace struct {
	File        string // relative to the repository's root
	Symbol      spectra.Symbol
	First, Last int // changed lines in File of new; 0: not known
}

// Why roots can't be asked.
const (
	noValue   = "no value differs"
	noEnd     = "one version does not end"
	noExample = "no sequence shows it"
	noRun     = "the run that showed it is not known"
)

// asked returns what the roots of a report ask, which was made of what was found.
func (f *flow) asked(r *report.Report) (list []Ask) {
	if f.found.Drivers == nil {
		return nil
	}
	of := f.recorded()
	for i, found := range f.found.Findings {
		a := f.ask(found)
		a.Root, a.Module, a.Tier, a.Proven = r.Roots[i].Fingerprint, of, found.Tier(), found.Confirmed()
		a.Places = placesOf(&r.Roots[i], of.Folder)
		list = append(list, a)
	}
	all := f.together(list)
	for i := range list {
		list[i].Together = all
	}
	return list
}

// together returns what asks have together.
func (f *flow) together(asks []Ask) (all Together) {
	inside := map[string]spectra.Symbol{}
	for _, op := range f.found.Drivers.Inside.Old {
		inside[op.Name] = op.Symbol
	}
	for _, a := range asks {
		switch {
		case a.NewTest != "":
			all.NewTests = append(all.NewTests, a.Test)
		case a.Test != "":
			all.Tests = append(all.Tests, a.Test)
		}
		all.Holes = slices.AppendSeq(all.Holes, maps.Values(a.Holes))
		if a.Driver != DriveAPI {
			continue
		}
		one, _ := sequence.Parse(a.Sequence) // what can't be parsed can't be asked
		for _, st := range one.Statements {
			if st.Kind != sequence.Call {
				continue
			}
			all.Operations = append(all.Operations, st.Op)
			if of, is := inside[st.Op]; is {
				all.Inside = append(all.Inside, string(of))
			}
		}
	}
	for _, list := range []*[]string{&all.Operations, &all.Inside, &all.Tests, &all.NewTests, &all.Holes} {
		*list = sortedSet(*list)
	}
	return all
}

// ask returns what a finding asks.
func (f *flow) ask(found *diff.Finding) Ask {
	p, own := f.found.Plan, found.Example.Effect
	switch c := found.Example.Case; {
	case c == nil && found.Initial != nil:
		i := found.Initial
		return Ask{Variable: p.OldName(i.Variable), Path: string(i.Path), Old: i.Old, New: i.New}
	case c == nil:
		return Ask{Reason: noExample}
	case found.Example.Endless:
		return Ask{Reason: noEnd}
	case own.Tier == spectra.TierCalls:
		return Ask{Reason: noValue}
	}
	run := f.runOf(found)
	if run == nil {
		return Ask{Reason: noRun}
	}
	players := run.Generated.Players
	a := Ask{
		Driver: DriveAPI, Sequence: found.Example.Case.Sequence.String(),
		Within: Patience{
			Bubbles: players.Bubbles(), Idle: players.Limits().Idle, Outside: run.Generated.Outside,
			Go: players.Go() != nil, Writes: players.Writes(),
		},
		Function: p.OldName(own.Function), Path: own.Path, Old: own.Old, New: own.New,
	}
	if d := beginning(found); d != nil {
		a.Function, a.State = p.OldName(d.Function), d.State
		a.Path, a.Old, a.New = string(d.Path), d.Old, d.New
	}
	switch c := found.Example.Case; {
	case c.Command:
		a.Driver = DriveCommand
	case c.Test:
		a.Driver = DriveTests
		a.Test, a.NewTest, a.Holes = f.testOf(c)
	}
	return a
}

// beginning returns where the deviation of a finding begins, if a value differs there: what is seen at the end of the
// sequence may be a large value, in which other changes show as well, and another change may bring the same crash or
// error into it, even where it is proven that this change alone does. It returns nil if no execution shows it, or if it
// is proven that the value differs from run to run.
func beginning(found *diff.Finding) *diff.Deviation {
	if found.Example.Effect.Tier == spectra.TierNondeterminism && found.Confirmed() {
		return nil
	}
	n := found.Example.Node
	if n == nil || n.Deviation == nil || n.Old == nil || n.New == nil {
		return nil
	}
	d := n.Deviation
	value := d.Kind == spectra.KindContainer || d.Kind == spectra.KindFollower
	if !value || len(d.Differences) == 0 || d.Path != d.Differences[0].Path {
		return nil
	}
	return d
}

// runOf returns the run whose sequence is the example of a finding, nil if none is.
func (f *flow) runOf(found *diff.Finding) *summary.Run {
	for _, run := range f.found.Runs() {
		if run.Judged != nil && slices.ContainsFunc(run.Judged.Findings, func(of *diff.Finding) bool {
			return of.Example.Case == found.Example.Case
		}) {
			return &run
		}
	}
	return nil
}

// testOf returns what matches the test of a case alone, for a test of new its folder, and what the holes are to which
// the case gives another value.
func (f *flow) testOf(c *diff.Case) (match, folder string, holes map[int]string) {
	d := f.found.Tests.Drivers
	if c.NewTest {
		d = f.found.NewTests.Drivers
	}
	for _, t := range d.Tests() {
		if t.Name != c.Sequence.Statements[0].Op {
			continue
		}
		if c.NewTest {
			folder = f.folderOf(f.found.Plan.NewName(t.Tests()))
		}
		return suite.Exactly(t.Expr), folder, t.Meanings(c.Sequence.Statements[0])
	}
	return "", "", nil
}

// folderOf returns the folder of a package of new, relative to the repository's root.
func (f *flow) folderOf(path string) string {
	p := f.found.Plan.Sides.New.Target.Tested(path)
	if p == nil {
		return ""
	}
	name, err := filepath.Rel(f.found.Plan.Given.New.Build.Tree, p.Dir)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(name)
}

// recorded returns what was recorded.
func (f *flow) recorded() Module {
	p := f.found.Plan
	of := Module{}
	for _, s := range spectra.Sides() {
		target, build := p.Sides.Of(s).Target, p.Given.Of(s).Build
		of.Folder = build.Rel
		paths := f.recordedIn(s)
		for _, tests := range f.suites(s) {
			paths = append(paths, tests.Package)
		}
		for _, path := range paths {
			if pkg := target.Tested(path); pkg != nil {
				if rel, err := filepath.Rel(target.Dir, pkg.Dir); err == nil {
					of.Patterns = append(of.Patterns, "./"+filepath.ToSlash(rel))
				}
			}
		}
	}
	of.Patterns, of.Folders, of.Beside = sortedSet(of.Patterns), sortedSet(f.foldersOf()), sortedSet(f.beside())
	for _, folder := range of.Folders {
		if f.embeds(folder) {
			of.Embeds = append(of.Embeds, folder)
		}
	}
	return of
}

// embeds reports whether a package in a folder embeds files, in any version.
func (f *flow) embeds(folder string) bool {
	for _, s := range spectra.Sides() {
		tree := f.found.Plan.Given.Of(s).Build.Tree
		files, err := fs.Glob(os.DirFS(filepath.Join(tree, folder)), "*.go")
		if err != nil {
			return true
		}
		for _, file := range files {
			text, err := repository.ReadFile(tree, filepath.Join(folder, file))
			if err != nil || bytes.Contains(text, []byte("//go:embed")) {
				return true
			}
		}
	}
	return false
}

// beside returns the folders that are in the place of other modules, relative to the repository's root.
func (f *flow) beside() (list []string) {
	p := f.found.Plan
	for _, s := range spectra.Sides() {
		for _, folder := range p.Sides.Of(s).Target.Beside() {
			if name, err := filepath.Rel(p.Given.Of(s).Build.Tree, folder); err == nil && filepath.IsLocal(name) {
				list = append(list, filepath.ToSlash(name))
			}
		}
	}
	return list
}

// foldersOf returns the folders of which what plays sequences is made, relative to the repository's root; nil where it
// is made of others, too.
func (f *flow) foldersOf() (list []string) {
	p := f.found.Plan
	for _, s := range spectra.Sides() {
		target, tree := p.Sides.Of(s).Target, p.Given.Of(s).Build.Tree
		needed, ok := target.Needed(f.neededIn(s))
		if !ok {
			return nil
		}
		for _, folder := range needed {
			name, err := filepath.Rel(tree, folder)
			if err != nil || !filepath.IsLocal(name) {
				return nil
			}
			list = append(list, filepath.ToSlash(name))
		}
	}
	return list
}

// neededIn returns the packages that what plays sequences imports in one version.
func (f *flow) neededIn(s spectra.Side) []string {
	paths := f.recordedIn(s)
	for _, of := range f.suites(s) {
		paths = append(paths, of.Imports...)
	}
	return paths
}

// recordedIn returns the recorded packages of the module in one version.
func (f *flow) recordedIn(s spectra.Side) (paths []string) {
	p := f.found.Plan
	for _, path := range p.OwnPackages(p.Recorded) {
		if s == spectra.New {
			path = p.NewName(path)
		}
		paths = append(paths, path)
	}
	return paths
}

// suites returns the tests and commands that were played in one version.
func (f *flow) suites(s spectra.Side) (list []*suite.Suite) {
	for _, of := range []summary.Tests{f.found.Tests, f.found.NewTests, f.found.Commands} {
		if of.Drivers != nil {
			list = append(list, *of.Drivers.Suites.Of(s)...)
		}
	}
	return list
}

func sortedSet(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// placesOf returns the places of a root, whose files lie in the folder of a module.
func placesOf(root *report.Root, folder string) []AskedPlace {
	one := func(at *report.Position, symbol string) AskedPlace {
		p := AskedPlace{Symbol: spectra.Symbol(symbol)}
		if at != nil {
			p.File = path.Join(folder, at.File)
		}
		if at != nil && at.Side == spectra.New {
			p.First, p.Last = at.Line, max(at.Line, at.EndLine)
		}
		return p
	}
	list := []AskedPlace{one(root.Position, root.Function)}
	for _, of := range root.Places {
		list = append(list, one(of.Position, of.Function))
	}
	return list
}
