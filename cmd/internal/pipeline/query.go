package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Query asks another version, the new one of the configuration, in comparison with the same old one of which the asks
// are: what each shows there, in the order of the asks. These have the same Module. An error concerns all of them: the
// version does not build, or can't be loaded. Tests that old does not have come from a folder with the files of the new
// version of which the asks are; "" if none is asked.
//
// The sequences are played alone, as suspects are judged. All packages of the module are recorded again, so old is
// built for many versions once.
func Query(ctx context.Context, cfg Config, asks []Ask, tests string) ([]Answer, error) {
	cfg.All, cfg.NoProof, cfg.Timeout = true, true, 0
	cfg.Emit, cfg.Corpus, cfg.Keep, cfg.Run = "", "", "", ""
	t, err := newTask(cfg)
	if err != nil {
		return nil, err
	}
	defer t.env.Close(ctx)
	defer t.env.Store.SealModuleFiles()
	if err := t.choose(ctx); err != nil {
		return nil, err
	}
	q := &query{flow: flow{task: t, sandbox: t.layers}, asks: asks, answers: make([]Answer, len(asks)), tests: tests}
	if err := q.playAll(ctx); err != nil {
		return nil, err
	}
	return q.answers, nil
}

// A query asks one version.
type query struct {
	flow
	tests   string // the files of the version whose tests are asked as new's; "": the new version itself
	asks    []Ask
	answers []Answer
	told    map[int]bool // asks that are answered
	whole   bool         // tests have the holes of a comparison, by its numbers
}

// A means is what plays some of the asks.
type means struct {
	driver string // of Drives
	new    bool   // its tests are those of new
}

// by returns the means by which an ask is played.
func (a Ask) by() means { return means{driver: a.Driver, new: a.NewTest != ""} }

// allMeans returns what asks are played by, in the order in which it is used.
func allMeans() (list []means) {
	for _, driver := range Drives() {
		list = append(list, means{driver: driver})
		if driver == DriveTests {
			list = append(list, means{driver: driver, new: true})
		}
	}
	return list
}

// playAll plays what is asked, on as few drivers as can.
func (q *query) playAll(ctx context.Context) error {
	unchanged := false
	_, err := compute(ctx, func() (err error) { unchanged, err = q.load(ctx); return err })
	if err != nil || unchanged {
		return err
	}
	if _, err := compute(ctx, func() error { return q.ready(ctx) }); err != nil {
		return err
	}
	q.readVariables()
	for _, by := range allMeans() {
		if !q.plays(by) {
			continue
		}
		d, parameters, err := q.driversOf(ctx, by)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			q.untestable(by, err)
		} else if err := q.play(ctx, d, parameters, by); err != nil {
			return err
		}
	}
	return nil
}

// plays reports whether something is asked that can only be told by playing.
func (q *query) plays(by means) bool {
	for i, a := range q.asks {
		if a.by() == by && !q.told[i] {
			return true
		}
	}
	return false
}

// ready builds both versions. Then sequences may be played for as long as they take. Drivers with tests are compiled at
// the same time, to be found when they are asked for.
func (q *query) ready(ctx context.Context) error {
	var beside sync.WaitGroup
	defer beside.Wait()
	err := q.buildAhead(ctx, func(d *drivers.Drivers) {
		for _, by := range allMeans() {
			if by.driver != DriveTests || !q.plays(by) {
				continue
			}
			if tests, err := q.readTests(ctx, d, by.new); err == nil {
				beside.Go(func() { tests.Ahead(ctx) })
			}
		}
	})
	if err != nil {
		return err
	}
	if err := q.variables(ctx); err != nil {
		return err
	}
	q.env.Unlimited()
	return nil
}

// load loads both versions. It reports whether nothing is left to be played: versions that can't differ show the same,
// unless new's tests are asked.
func (q *query) load(ctx context.Context) (told bool, err error) {
	given, err := q.versions.Find(ctx, q.asks[0].Module.Folder)
	if err != nil {
		return false, err
	}
	unchanged := given.Unchanged() != ""
	switch with, err := q.withTests(ctx, given); {
	case err == nil:
		given = with
	case ctx.Err() != nil:
		return false, ctx.Err()
	default:
		q.untestable(means{driver: DriveTests, new: true}, err)
	}
	if unchanged {
		for i, a := range q.asks {
			if a.NewTest == "" {
				q.answer(i, Answer{Value: a.Old})
			}
		}
	}
	if len(q.told) == len(q.asks) {
		return true, nil
	}
	given.Patterns = q.asks[0].Module.Patterns
	q.found.Plan, err = plan.Make(ctx, plan.Input{
		Given: given, Workers: q.env.Workers, Go: q.env.Go, Store: q.env.Store, All: true, Deps: q.cfg.Deps,
		Renames: q.cfg.Renames, Between: true, Exports: q.tools.Builder.Exports,
	})
	if errors.Is(err, plan.ErrOver) {
		err = q.nothing()
	}
	if err != nil {
		return false, err
	}
	together, inside := q.asks[0].Together, map[spectra.Symbol]bool{}
	for _, name := range together.Inside {
		inside[spectra.Symbol(name)] = true
	}
	q.found.Plan = q.found.Plan.Calling(setOf(together.Operations), inside)
	return false, nil
}

// setOf returns the set of some names.
func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

// answer answers an ask.
func (q *query) answer(i int, with Answer) {
	if q.told == nil {
		q.told = map[int]bool{}
	}
	q.answers[i], q.told[i] = with, true
}

// readVariables answers what is read before any call.
func (q *query) readVariables() {
	for i, a := range q.asks {
		if a.Variable != "" && !q.told[i] {
			q.answer(i, q.variable(a))
		}
	}
}

// variable answers what a package variable holds before any call.
func (q *query) variable(a Ask) Answer {
	name := string(a.Variable)
	if !slices.Contains(q.found.Plan.Common.Variables(), name) {
		_, proven := q.broken(a.Variable.Package())
		return Answer{Untestable: fmt.Sprintf("it has no variable %s", name), Proven: proven}
	}
	for _, v := range q.found.Initial.Differing {
		if v.Name != name {
			continue
		}
		for _, d := range diff.States(v.States.Old, v.States.New) {
			if string(d.Path) == a.Path {
				return Answer{Value: d.New}
			}
		}
	}
	return Answer{Value: a.Old}
}

// driversOf returns what plays sequences, and how many arguments each of its operations has.
func (q *query) driversOf(ctx context.Context, by means) (*drivers.Drivers, map[string]int, error) {
	d := q.found.Drivers
	switch by.driver {
	case DriveTests:
		tests, err := q.testDrivers(ctx, by.new)
		if err != nil {
			return nil, nil, fmt.Errorf("its tests can't be built: %w", err)
		}
		return tests, ofTests(tests), nil
	case DriveCommand:
		commands, err := d.WithCommands(ctx)
		if err != nil {
			return nil, nil, fmt.Errorf("its commands can't be built: %w", err)
		}
		return commands, ofTests(commands), nil
	}
	return d, operations(slices.Concat(d.Plan.Callable.All(spectra.Old), d.Inside.Old)), nil
}

// testDrivers builds drivers with the tests of old, or of new, that are asked.
func (q *query) testDrivers(ctx context.Context, new bool) (*drivers.Drivers, error) {
	tests, err := q.readTests(ctx, q.found.Drivers, new)
	if err != nil {
		return nil, err
	}
	return tests.Build(ctx, false)
}

// readTests reads the tests of old, or of new, that are asked.
func (q *query) readTests(ctx context.Context, d *drivers.Drivers, new bool) (*drivers.TestBuild, error) {
	together := q.asks[0].Together
	names := together.Tests
	if new {
		names = together.NewTests
	}
	match, err := suite.ParseMatch(strings.Join(names, "|"))
	if err != nil {
		return nil, err
	}
	choice := drivers.TestChoice{Match: match, New: new}
	if !q.whole {
		choice.Holes = setOf(together.Holes)
	}
	if new && q.tests != "" {
		choice.Beside = filepath.Join(q.tests, filepath.FromSlash(q.asks[0].Module.Folder))
	}
	return d.ReadTests(ctx, choice)
}

// untestable answers what one means would play, which could not be built.
func (q *query) untestable(by means, err error) {
	for i, a := range q.asks {
		if a.by() == by && !q.told[i] {
			q.answer(i, Answer{Untestable: err.Error(), Proven: Proven(err)})
		}
	}
}

// operations returns the number of arguments that each operation has.
func operations(list []*api.Operation) map[string]int {
	parameters := map[string]int{}
	for _, op := range list {
		parameters[op.Name] = len(op.Params)
	}
	return parameters
}

// ofTests returns the same for tests, and for commands.
func ofTests(d *drivers.Drivers) map[string]int {
	parameters := map[string]int{}
	for _, of := range d.Suites.Old {
		for _, t := range of.Tests {
			parameters[t.Name] = len(t.Params)
		}
	}
	return parameters
}

// play plays what one kind of drivers plays, and answers it.
func (q *query) play(ctx context.Context, d *drivers.Drivers, parameters map[string]int, by means) error {
	byPatience := map[Patience][]int{}
	var order []Patience
	sequences := map[int]sequence.Sequence{}
	for i, a := range q.asks {
		if a.by() != by || q.told[i] {
			continue
		}
		one, err := sequence.Parse(a.Sequence)
		if err != nil {
			return err
		}
		if missing := search.Missing(one, parameters); missing != "" {
			why, proven := q.broken(spectra.Symbol(missing).Package())
			why = cmp.Or(why, fmt.Sprintf("%s can't be called as in old", missing))
			q.answer(i, Answer{Untestable: why, Proven: proven})
			continue
		}
		if why := a.onTests(&one, d); why != "" {
			q.answer(i, Answer{Untestable: why, Proven: true})
			continue
		}
		if byPatience[a.Within] == nil {
			order = append(order, a.Within)
		}
		byPatience[a.Within], sequences[i] = append(byPatience[a.Within], i), one
	}
	for _, within := range order {
		if err := q.playWithin(ctx, d, within, byPatience[within], sequences); err != nil {
			return err
		}
	}
	return nil
}

// onTests has a sequence that calls a test give the same holes another value as where it was found. It returns why that
// does not ask the same, "" if it does.
func (a Ask) onTests(of *sequence.Sequence, d *drivers.Drivers) (why string) {
	tests, st := d.Tests(), &of.Statements[0]
	i := slices.IndexFunc(tests, func(t suite.Test) bool { return t.Name == st.Op })
	if a.Driver != DriveTests || i < 0 {
		return ""
	}
	if a.NewTest == "" && d.Differs(&tests[i]) {
		return fmt.Sprintf("the tests of old do not compile with it, and its %s is another one", tests[i].Expr)
	}
	var same bool
	if *st, same = tests[i].Renumbered(*st, a.Holes); !same {
		return fmt.Sprintf("%s can't be given the same other values there", tests[i].Expr)
	}
	return ""
}

// playWithin plays the sequences of some asks with the same patience.
func (q *query) playWithin(
	ctx context.Context, d *drivers.Drivers, within Patience, of []int, sequences map[int]sequence.Sequence,
) error {
	players, err := within.players(ctx, d)
	if err != nil {
		return err
	}
	g := &search.Generated{Players: players, Outside: within.Outside}
	for _, i := range of {
		g.Selected = append(g.Selected, selection.Sequence{Sequence: sequences[i]})
	}
	q.env.Stage("replay")
	tier := func(n int) spectra.Tier { return q.asks[of[n]].Tier }
	told := func(n int, c *diff.Comparison) bool {
		a := &q.asks[of[n]]
		here := a.answer(c, q.found.Plan)
		return a.Proven && here.Untestable == "" && (here.Value == a.Old || here.Value == a.New)
	}
	compared, err := judge.Alone(ctx, q.env.Workers, q.subject(d, g), tier, told)
	if err != nil {
		return err
	}
	for n, i := range of {
		q.answer(i, q.asks[i].answer(compared[n], q.found.Plan))
	}
	return nil
}

// players returns players with this patience.
func (p Patience) players(ctx context.Context, d *drivers.Drivers) (*replay.Players, error) {
	players := d.Players
	if p.Idle != players.Limits().Idle {
		players = players.Waiting(p.Idle)
	}
	if !p.Bubbles {
		players = players.WithoutBubbles()
	}
	if p.Writes {
		if err := d.Copyable(); err != nil {
			return nil, fmt.Errorf("a test writes into the source tree: %w", err)
		}
		players = players.Writing()
	}
	if !p.Go {
		return players, nil
	}
	tree, err := d.GoTree(ctx)
	if err != nil {
		return nil, fmt.Errorf("a test starts the go command: %w", err)
	}
	return players.WithGo(tree), nil
}
