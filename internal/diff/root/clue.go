package root

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A clue is the cause of one region of one sequence.
type clue struct {
	*region
	of         *diff.Case
	steps      int           // of the sequence: short ones make better examples
	effect     diff.Effect   // the worst of its deviations
	whole      []diff.Effect // of the run, the worst in each place to which it may have led
	via        diff.Route
	function   spectra.Symbol
	change     spectra.Change
	position   diff.Position
	inChange   bool // the region holds changed lines
	module     *Module
	driven     spectra.Symbol // the function without probes that a step called when the output differed first
	deviations []diff.Occurrence
	// before are the changed functions of which one may be the cause of what a run shows beside its calls, the last one
	// that ran first.
	before []*Function
	ran    map[spectra.Symbol]bool // the functions that ran in the sequence
}

// onNil reports whether the sequence calls a method of a nil pointer.
func (c *clue) onNil() bool { return c.of.Sequence.OnNil() }

// negative reports whether the sequence passes a negative integer. The literals of tests are what their authors chose.
func (c *clue) negative() bool { return !c.of.Test && !c.of.Command && c.of.Sequence.Negative() }

type key struct {
	function spectra.Symbol
	change   spectra.Change
}

func (f *clue) key() key { return key{f.function, f.change} }

// compare orders the clues of one root: the one that shows it best comes first.
func (f *clue) compare(other *clue) int {
	return cmp.Or(
		cmp.Compare(f.via, other.via),
		cmp.Compare(truth(other.inChange), truth(f.inChange)),
		f.effect.Compare(other.effect),
		cmp.Compare(other.heuristic, f.heuristic),
		cmp.Compare(f.steps, other.steps),
		cmp.Compare(f.of.Number, other.of.Number),
	)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// node returns the execution at which a printed tree marks the root, nil if none is.
func (f *clue) node() *diff.Node {
	switch {
	case f.in.Parent != nil:
		return f.in
	case f.driven != "":
		return nil // what is entered in another state was handed the result of another function
	}
	return f.at
}

// evidence returns the clue as others read it.
func (f *clue) evidence(x *index) *diff.Evidence {
	e := &diff.Evidence{
		Route: f.via, Symbol: f.function, Change: f.change, Heuristic: f.heuristic, In: f.in, At: f.at,
		Deviation: f.deviation, Driven: f.driven, Upgrade: f.upgrade(), Changed: -1, InChange: f.inChange,
	}
	if change := x.changed(f.function); change != nil {
		if within, ok := f.lines(); ok {
			e.Lines, e.Changed, e.UpToCall = within, changedLines(change, within), f.upToCall()
		}
	}
	return e
}

// upgrade returns the dependency that is the cause, nil if it is none.
func (f *clue) upgrade() *diff.Upgrade {
	if f.module == nil {
		return nil
	}
	return &f.module.Upgrade
}

// clues returns the causes of one sequence's deviations, each deviation with one of them.
func clues(c *diff.Case, x *index) []*clue {
	if len(c.Comparison.Deviations) == 0 {
		return nil
	}
	t := newTimes(c.Comparison.Root, x)
	var list []*clue
	whole := newShown(c.Comparison)
	for _, r := range regions(c.Comparison) {
		f := newClue(c, r, t, whole)
		f.attribute(x, t)
		if !r.tainted || f.via == diff.RouteDirect {
			list = append(list, f)
		}
	}
	if len(list) == 0 { // all regions are tainted: take the first deviation as one
		r := &region{in: c.Comparison.Root, at: c.Comparison.Deviations[0].Node, deviation: c.Comparison.Deviations[0]}
		f := newClue(c, r, t, whole)
		f.attribute(x, t)
		list = append(list, f)
	}
	owners := newOwners(list, t)
	for i, d := range c.Comparison.Deviations {
		f := owners.of(d)
		effect := c.Comparison.Effect(d)
		f.deviations, f.effect = append(f.deviations, diff.Occurrence{Case: c, Index: i}), f.effect.Worse(effect)
	}
	return list
}

func newClue(c *diff.Case, r *region, t *times, whole *shown) *clue {
	f := &clue{
		region: r, of: c, driven: driven(c, r), whole: whole.behind(r.deviation),
		steps: len(c.Comparison.Root.Children), effect: diff.Effect{Tier: spectra.TierCalls}, ran: t.ran,
	}
	if r.deviation != nil {
		f.effect = c.Comparison.Effect(r.deviation)
	}
	return f
}

// attribute finds the change that explains the region, and fills in the clue.
func (f *clue) attribute(x *index, t *times) {
	if f.ownChange(x) || f.hiddenChange(x) || f.declaration(x, t, spectra.ChangeVariable) || f.calls(x) ||
		f.declaration(x, t, spectra.ChangeType) || f.earlier(x, t) || f.dependency(x) {
		return
	}
	f.via, f.change, f.function = diff.RouteUnknown, spectra.ChangeUnknown, f.driven.Declared()
	if change := x.changed(f.driven); change != nil {
		f.via, f.function, f.change = diff.RouteDirect, change.Symbol, change.Change
		f.position, _ = cut(change, spectra.Lines{}, false)
		return
	}
	if n := f.node(); n != nil && n.Function != "" {
		f.function = n.Function.Declared()
	}
	if l, ok := f.lines(); ok {
		f.position = diff.PositionOf(spectra.New, l)
	}
}

// ownChange takes the function that the heuristic names, if it changed. Like all of attribute's steps it
// reports whether the cause is found.
func (f *clue) ownChange(x *index) bool {
	if f.in.Parent == nil {
		return false
	}
	change := x.changed(f.in.Function)
	if change == nil {
		return false
	}
	f.via, f.function, f.change = diff.RouteDirect, change.Symbol, change.Change
	l, ok := f.lines()
	f.position, f.inChange = cut(change, l, ok)
	f.inChange = f.inChange && f.heuristic > 0
	return true
}

// hiddenChange takes a changed function that only one version has and that ran in the region: an unchanged
// function may call another one than before, for example through an interface.
func (f *clue) hiddenChange(x *index) bool {
	for _, h := range f.hidden {
		if change := x.changed(h.Execution.Symbol); change != nil {
			f.via, f.function, f.change = diff.RouteDirect, change.Symbol, change.Change
			f.position, _ = cut(change, spectra.Lines{}, false)
			f.inChange = f.heuristic > 0
			return true
		}
	}
	return false
}

// declaration takes a changed variable, constant or type that deviates itself or that the function refers to.
// Types are tried after most other causes, because many functions refer to a type.
func (f *clue) declaration(x *index, t *times, kind spectra.Change) bool {
	for i, d := range x.Declarations {
		if d.Change == kind && (f.shows(d.Name) || f.refers(x.users[i], t)) {
			f.via, f.function, f.change, f.position = diff.RouteDeclared, d.Name, d.Change, d.Position
			f.inChange = f.heuristic > 0
			return true
		}
	}
	return false
}

// calls takes a changed dependency, if the deviation begins in the body of a function that is known to call
// it.
func (f *clue) calls(x *index) bool {
	if f.heuristic != 2 {
		return false
	}
	return f.upgraded(Likely(x.Modules, f.deviation, func(m *Module) bool {
		return x.callers[m][f.in.Function.Declared()]
	}))
}

// upgraded makes a dependency in another version the cause, unless there is none.
func (f *clue) upgraded(m *Module) bool {
	if m == nil {
		return false
	}
	f.via, f.function, f.change, f.module = diff.RouteDependency, spectra.Symbol(m.Path), spectra.ChangeDependency, m
	return true
}

// Likely returns the module that is the likeliest cause of a deviation, of those that may be: the one whose type holds
// what differs, else the first; nil if none may be. The deviation may be nil.
func Likely(modules []Module, of *diff.Deviation, may func(*Module) bool) *Module {
	var some []*Module
	for i := range modules {
		if may(&modules[i]) {
			some = append(some, &modules[i])
		}
	}
	switch {
	case len(some) == 0:
		return nil
	case len(some) == 1 || of == nil: // types are those of values, which have to be decoded
		return some[0]
	}
	for _, t := range of.Types() {
		if i := slices.IndexFunc(some, func(m *Module) bool { return within(t, m.Path) }); i >= 0 {
			return some[i]
		}
	}
	return some[0]
}

// within reports whether the path of a package, or a symbol of one, is of a module.
func within(name, module string) bool {
	rest, found := strings.CutPrefix(name, module)
	return found && (rest == "" || rest[0] == '.' || rest[0] == '/')
}

// shows reports whether the deviating value is in a package variable.
func (f *clue) shows(variable spectra.Symbol) bool {
	if f.deviation == nil {
		return false
	}
	top := spectra.Path(variable)
	return f.deviation.Path == top || f.deviation.Path.Below(top)
}

// refers reports whether the function of the region is one of users; for the driver, whether any of them ran.
func (f *clue) refers(users map[spectra.Symbol]bool, t *times) bool {
	if f.in.Parent != nil {
		return users[f.in.Function.Declared()]
	}
	for symbol := range users {
		if t.ran[symbol] {
			return true
		}
	}
	return false
}

// earlier takes a changed function that ran before the deviation: the one that made the deviating function
// literal, else the last one before it.
func (f *clue) earlier(x *index, t *times) bool {
	change := f.maker(x, t)
	if change == nil {
		if before := t.before(t.of(f.region)); len(before) > 0 {
			change = before[0]
			if f.beside() {
				f.before = before
			}
		}
	}
	if change == nil {
		return false
	}
	f.blame(change)
	return true
}

// blame makes a changed function that ran before the deviation its cause.
func (f *clue) blame(change *Function) {
	f.via, f.function, f.change = diff.RouteNearby, change.Symbol, change.Change
	f.position, _ = cut(change, spectra.Lines{}, false)
}

// maker returns the changed function that made the function literal which deviates, if it was entered in
// another state.
func (f *clue) maker(x *index, t *times) *Function {
	if f.heuristic != 1 || f.at.Function.Declared() == f.at.Function || !t.ran[f.at.Function.Declared()] {
		return nil
	}
	return x.changed(f.at.Function)
}

// dependency takes a changed dependency that the function may call.
func (f *clue) dependency(x *index) bool {
	return f.upgraded(Likely(x.Modules, f.deviation, func(m *Module) bool {
		return m.Users == nil || f.in.Parent == nil || x.callers[m][f.in.Function.Declared()]
	}))
}
