package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// An Answer is what an Ask shows at a version.
type Answer struct {
	Value      string // what is seen where old shows Ask.Old
	Untestable string // why that can't be told; "": it can
	Unbuilt    bool   // that is because something could not be built, which another machine may be able to
}

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
	answers := make([]Answer, len(asks))
	for _, new := range []bool{false, true} {
		q, of := &query{flow: flow{task: t, sandbox: t.layers}}, []int(nil)
		for i, a := range asks {
			if new == (a.NewTest != "") {
				q.asks, of = append(q.asks, a), append(of, i)
			}
		}
		if len(of) == 0 {
			continue
		}
		if new {
			q.new, q.tests = true, tests
		}
		q.answers = make([]Answer, len(of))
		err := q.ask(ctx)
		if err != nil && (!new || ctx.Err() != nil || Passing(err)) {
			return nil, err
		}
		if err != nil { // its own tests were played
			q.untestable(DriveTests, fmt.Sprintf("tests of new can't be played there: %v", err))
		}
		for n, i := range of {
			answers[i] = q.answers[n]
		}
	}
	return answers, nil
}

// Passing reports whether an error of Query may be another one, or none, some time later.
func Passing(err error) bool { return Unfetched(err.Error()) }

// Unfetched reports whether a text of a report or an answer says that something could not be fetched, which another
// machine may have.
func Unfetched(text string) bool { return load.Unfetched(text) }

// A query asks one version.
type query struct {
	flow
	new     bool   // tests of new are played, not those of old
	tests   string // the files of the version whose tests these are; "": of the new version itself
	asks    []Ask
	answers []Answer
}

// ask plays what is asked, on as few drivers as can.
func (q *query) ask(ctx context.Context) error {
	unchanged, err := q.load(ctx)
	if err != nil || unchanged {
		return err
	}
	if err := q.ready(ctx); err != nil {
		return err
	}
	q.readVariables()
	for _, driver := range Drives() {
		if !q.plays(driver) {
			continue
		}
		d, parameters, err := q.driversOf(ctx, driver)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			q.untestable(driver, err.Error())
		} else if err := q.play(ctx, d, parameters, driver); err != nil {
			return err
		}
	}
	return nil
}

// plays reports whether something is asked that one of Drives plays.
func (q *query) plays(driver string) bool {
	return slices.ContainsFunc(q.asks, func(a Ask) bool { return a.Driver == driver })
}

// ready builds both versions. Then sequences may be played for as long as they take. Drivers with tests are compiled at
// the same time, to be found when they are asked for.
func (q *query) ready(ctx context.Context) error {
	var beside sync.WaitGroup
	defer beside.Wait()
	err := q.buildAhead(ctx, func(d *drivers.Drivers) {
		if !q.plays(DriveTests) {
			return
		}
		if tests, err := q.testsOf(ctx, d); err == nil {
			beside.Go(func() { tests.Ahead(ctx) })
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

// load loads both versions. It reports whether they can't differ in anything that is asked.
func (q *query) load(ctx context.Context) (unchanged bool, err error) {
	given, err := q.versions.Find(ctx, q.asks[0].Module.Folder)
	if err != nil {
		return false, err
	}
	if q.new {
		if given, err = q.withTests(given); err != nil {
			return false, err
		}
	} else if given.Unchanged() != "" {
		for i, a := range q.asks {
			q.answers[i].Value = a.Old
		}
		return true, nil
	}
	given.Patterns = q.asks[0].Module.Patterns
	q.found.Plan, err = plan.Make(ctx, plan.Input{
		Given: given, Workers: q.env.Workers, Go: q.env.Go, Store: q.env.Store, All: true, Deps: q.cfg.Deps,
		Renames: q.cfg.Renames, Between: true, Exports: q.tools.Builder.Exports,
	})
	if errors.Is(err, plan.ErrOver) {
		err = errors.New(cmp.Or(q.broken(""), "it has nothing in common with old that can be called"))
	}
	return false, err
}

// broken says why a package can't be used in the version, by its path in old; "" is any package. It returns "" if it
// can be used, as far as anybody knows.
func (q *query) broken(path string) string {
	target := q.found.Plan.Sides.New.Target
	if target == nil {
		return ""
	}
	if q.found.Plan.Common != nil {
		path = q.found.Plan.NewName(path)
	}
	for _, b := range target.Broken {
		if path == "" || b.Package == path {
			return fmt.Sprintf("package %s: %s", b.Package, b.Error)
		}
	}
	return ""
}

// readVariables answers what is read before any call.
func (q *query) readVariables() {
	for i, a := range q.asks {
		if a.Variable == "" {
			continue
		}
		q.answers[i] = q.variable(a)
	}
}

// variable answers what a package variable holds before any call.
func (q *query) variable(a Ask) Answer {
	name := string(a.Variable)
	if !slices.Contains(q.found.Plan.Common.Variables(), name) {
		return Answer{Untestable: fmt.Sprintf("it has no variable %s", name)}
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

// driversOf returns what plays sequences of one of Drives, and how many arguments each of its operations has.
func (q *query) driversOf(ctx context.Context, driver string) (*drivers.Drivers, map[string]int, error) {
	d := q.found.Drivers
	switch driver {
	case DriveTests:
		tests, err := q.testDrivers(ctx)
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

// testDrivers builds drivers with the tests that are asked.
func (q *query) testDrivers(ctx context.Context) (*drivers.Drivers, error) {
	tests, err := q.testsOf(ctx, q.found.Drivers)
	if err != nil {
		return nil, err
	}
	return tests.Build(ctx, false)
}

// testsOf reads the tests that are asked.
func (q *query) testsOf(ctx context.Context, d *drivers.Drivers) (*drivers.TestBuild, error) {
	var names []string
	for _, a := range q.asks {
		if a.Driver == DriveTests && !slices.Contains(names, a.Test) {
			names = append(names, a.Test)
		}
	}
	match, err := suite.ParseMatch(strings.Join(names, "|"))
	if err != nil {
		return nil, err
	}
	return d.ReadTests(ctx, drivers.TestChoice{Match: match, New: q.new})
}

// untestable answers all that one driver would play, which could not be built.
func (q *query) untestable(driver, reason string) {
	for i, a := range q.asks {
		if a.Driver == driver {
			q.answers[i] = Answer{Untestable: reason, Unbuilt: true}
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
func (q *query) play(ctx context.Context, d *drivers.Drivers, parameters map[string]int, driver string) error {
	byPatience := map[Patience][]int{}
	var order []Patience
	sequences := map[int]sequence.Sequence{}
	for i, a := range q.asks {
		if a.Driver != driver {
			continue
		}
		one, err := sequence.Parse(a.Sequence)
		if err != nil {
			return err
		}
		if missing := search.Missing(one, parameters); missing != "" {
			why := q.broken(spectra.Symbol(missing).Package())
			q.answers[i].Untestable = cmp.Or(why, fmt.Sprintf("%s can't be called as in old", missing))
			continue
		}
		if why := a.onTests(&one, d); why != "" {
			q.answers[i].Untestable = why
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
	g := &search.Generated{Players: within.players(d.Players), Outside: within.Outside}
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
		q.answers[i] = q.asks[i].answer(compared[n], q.found.Plan)
	}
	return nil
}

// players returns players with this patience.
func (p Patience) players(usual *replay.Players) *replay.Players {
	players := usual
	if p.Idle != players.Limits().Idle {
		players = players.Waiting(p.Idle)
	}
	if !p.Bubbles {
		players = players.WithoutBubbles()
	}
	return players
}

// answer returns what a comparison of old with the version shows.
func (a Ask) answer(c *diff.Comparison, p *plan.Plan) Answer {
	if c == nil || c.Incomparable != "" {
		reason := "it was not played"
		if c != nil {
			reason = c.Incomparable
		}
		return Answer{Untestable: reason}
	}
	name := spectra.Symbol(p.NewName(string(a.Function)))
	if a.State != "" {
		if value, differs := c.Shows(name, a.State, spectra.Path(a.Path), a.New); differs {
			return Answer{Value: value}
		}
		return Answer{Value: a.Old}
	}
	answer := Answer{Value: a.Old}
	for _, e := range c.Effects() {
		switch here := e.Function == name && e.Path == a.Path; {
		case here && e.New == a.New:
			return Answer{Value: a.New}
		case here:
			answer.Value = e.New
		case answer.Value == a.Old && (e.Function == name || e.Function == "") && e.EndsCall():
			answer.Value = e.New // nothing can be seen at the path
		}
	}
	return answer
}
