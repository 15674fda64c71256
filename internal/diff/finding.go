package diff

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Finding is a change and its effect. The stages of a run build it up, each from the findings of the one before:
// package root names the cause and the evidence, judge finds the example, proof tries the cause, group adds the places.
type Finding struct {
	Blamed     Cause          // the change that the heuristics of package root name; Deviations belong to it
	Cause      Cause          // where trials showed another cause, that one; else Blamed, as the example shows it
	Effect     Effect         // the worst effect of all deviations
	Sequences  int            // number of sequences in which it was found
	Pointed    int            // number of those in which a heuristic pointed at changed lines
	Deviations []Occurrence   // explained by the finding, in order
	Example    Example        // zero: no sequence shows it
	Own        Difference     // the first value that differs where the deviation begins; without texts: not known
	Through    spectra.Symbol // the observer that alone shows the values, if it changed as well; "": none
	Initial    *Initial       // the cause is a package variable that differs before any call; nil: it does not
	Potential  bool           // seen only by calling an unexported function directly
	Proof      *Proof         // nil: the cause was not tried
	Proven     *Finding       // one of the same cause that does less harm and is proven; nil: none is needed
	Identity   Identity       // of the change in the source
	Places     []*Finding     // other changes that the same decision of the author led to
	Test       Test           // a Go test that shows the finding, where one was asked for
	Intended   *Case          // a test of new that shows it, and passes on new alone; nil: there is none
	Only       bool           // such tests alone show it
	OnNil      bool           // all sequences that show it call a method of a nil pointer
	OnNegative bool           // all sequences that show Effect pass a negative integer, and the example needs it
}

// Tier returns the harm of a finding.
func (f *Finding) Tier() spectra.Tier {
	switch {
	case f.Potential:
		return spectra.TierPotential
	case f.Initially():
		return f.Initial.Tier()
	}
	return f.Effect.Tier
}

// Reach reports whether an output shows the finding.
func (f *Finding) Reach() spectra.Reach {
	switch {
	case f.Potential:
		return spectra.Masked
	case f.Initially():
		return f.Initial.Reach()
	}
	return f.Effect.Reach()
}

// Initially reports whether the worst of a finding is the value that a variable has before any call.
func (f *Finding) Initially() bool {
	if f.Initial == nil || f.Example.Case == nil {
		return f.Initial != nil
	}
	own := f.Initial.Tier().HarmBeforeCalls(f.Initial.Reach())
	return own < f.Effect.Tier.Harm(f.Effect.Reach())
}

// Harm ranks a finding: the smaller the number, the worse.
func (f *Finding) Harm() int {
	if f.Cause.Change == spectra.ChangeVariable && f.Sequences == 0 {
		return f.Tier().HarmBeforeCalls(f.Reach())
	}
	return f.Tier().Harm(f.Reach())
}

// An Initial is a package variable whose value after initialisation differs.
type Initial struct {
	Variable spectra.Symbol // by its new name
	Difference
	Visible bool // other packages can read the variable
}

// Tier returns the harm.
func (i *Initial) Tier() spectra.Tier {
	if i.Visible {
		return spectra.TierValue
	}
	return spectra.TierLatent
}

// Reach reports whether others can see it.
func (i *Initial) Reach() spectra.Reach {
	if i.Visible {
		return spectra.Visible
	}
	return spectra.Masked
}

// A Test is a Go test that shows a finding.
type Test struct {
	Path   string // of its file; "": there is none
	Reason string // why there is none
}

// A Cause is a change that may lead to deviations.
type Cause struct {
	Symbol   spectra.Symbol // the declared function; else the variable, constant, type or module
	Change   spectra.Change
	Position Position
	Evidence *Evidence // the most convincing one; nil: a package variable that differs before any call
	ByTrial  bool      // trials named it; Evidence is that of the change which was blamed before
	Upgrade  *Upgrade  // of a dependency
}

// Same reports whether two causes are the same change.
func (c Cause) Same(other Cause) bool { return c.Symbol == other.Symbol && c.Change == other.Change }

// A Position is a range of lines.
type Position struct {
	Side          spectra.Side
	File          string // module-relative; "": unknown
	Line, EndLine int
}

// PositionOf returns lines of one version as a position.
func PositionOf(side spectra.Side, l spectra.Lines) Position {
	return Position{Side: side, File: l.File, Line: l.Line, EndLine: l.EndLine}
}

// An Upgrade is a dependency in another version.
type Upgrade struct {
	Path     string
	Old, New string // versions; "": none
}

// An Identity tells one edit of a declaration from another one.
type Identity struct {
	Bodies string // digests of the old and the new body
	Shape  string // of the new body, as in spectra.Point; "": not known
	Block  string // the constants among which a constant is counted, by the first of them; "": none
}

// A Route is the way from a deviation to its cause. The most convincing is the smallest.
type Route int

// The routes.
const (
	RouteDirect     Route = iota // the function of the region, or one called in the region, is changed
	RouteDeclared                // the function refers to a changed variable, constant or type
	RouteNearby                  // a changed function ran before
	RouteDependency              // a dependency changed
	RouteUnknown
)

// Evidence says where the deviation of one sequence begins, and what leads from there to the cause. The heuristics are
// those of Xie's dissertation, chapter 7.
type Evidence struct {
	Route     Route
	Symbol    spectra.Symbol // of the cause
	Change    spectra.Change
	Heuristic int            // 1 or 2; 0: the end or the output of the whole run
	In        *Node          // the execution in which it begins; the tree's root is the driver
	At        *Node          // of heuristic 1 the follower, of heuristic 2 the same as In; nil for the whole run
	Deviation *Deviation     // that shows first; nil: not known
	Driven    spectra.Symbol // the function without probes that a step called when the output differed first
	Upgrade   *Upgrade

	Lines    spectra.Lines // of the region, in new; zero: not known
	Changed  int           // number of the lines of the region that changed; -1: not known
	InChange bool          // the region holds changed lines
	UpToCall bool          // the region ends at a call
}

// A Case is one sequence and how its spectra compare.
type Case struct {
	Number     int // by which cases are ordered
	Sequence   sequence.Sequence
	Comparison *Comparison
	Test       bool // each step runs a test of the module
	NewTest    bool // that old does not have so
	Command    bool // each step runs a command of the module instead
	// Driven holds the function that each step calls, by its new name; "": none, or one that an earlier step
	// returned. A function without probes has no executions, so this is how a deviation of its output is
	// attributed.
	Driven []spectra.Symbol
}

// Passes reports whether the case is a test that passes on new alone.
func (c *Case) Passes() bool {
	return c.Test && slices.ContainsFunc(c.Comparison.Outputs, func(o OutputDifference) bool {
		return o.Path == "ret0" && o.New == "true" || o.Path == "end" && o.New == (spectra.End{}).String()
	})
}

// An Occurrence is a deviation in a case, or one before any call.
type Occurrence struct {
	Case    *Case    // nil: before any call
	Index   int      // in the deviations of the case's comparison
	Initial *Initial // set where Case is nil
}

// Deviation returns the deviation with its effect.
func (o Occurrence) Deviation() (*Deviation, Effect) {
	if i := o.Initial; i != nil {
		d := &Deviation{Kind: spectra.KindContainer, Function: i.Variable, Path: i.Path, Old: i.Old, New: i.New}
		return d, Effect{Tier: i.Tier(), Visible: i.Visible}
	}
	d := o.Case.Comparison.Deviations[o.Index]
	return d, o.Case.Comparison.Effect(d)
}

// An Example is a sequence that shows a finding.
type Example struct {
	Case     *Case
	Effect   Effect             // that the sequence shows
	Evidence *Evidence          // of the sequence
	Node     *Node              // the execution that a printed tree marks as root; nil: none shows it
	Outputs  []OutputDifference // that show it
	Endless  bool               // one of the versions does not end
	Known    noise.Known        // what is unstable, in the sequence and elsewhere
}

// Shown returns the differences where the deviation begins, that of the marked execution; nil: not known.
func (e Example) Shown() []Difference {
	if e.Node == nil || e.Node.Deviation == nil {
		return nil
	}
	return e.Node.Deviation.Shown()
}

// A Proof has the results of trials of a cause: old with the change alone, and new without it.
type Proof struct {
	Sufficient bool
	Necessary  bool
	Trials     int
	With       []spectra.Symbol // changes without which it is not sufficient
	Instead    []spectra.Symbol // the changes that are the cause, where the blamed one is not one of them
	Also       []spectra.Symbol // changes by which new shows it without the cause; it does not without these as well
	Unit       []spectra.Symbol // changes that were switched together with the blamed one, that among them or not
	Outside    bool             // no change of the module's own code leads to it
	Unfit      bool             // the program could not tell
	Amid       bool             // types and dependencies are new's in all trials, and old with them differs elsewhere
	Built      bool             // it comes from how programs are built, and not from a change
	Alone      *Alone           // the one of several changed places that is the cause; nil: there is none, or unknown
	Effect     *Effect          // that the change leads to, where what else changed leads to the finding's; nil: that
	Reason     string           // why the cause is not proven; "": it is
}

// An Alone is one of several changed places of a function.
type Alone struct {
	Position Position
	Of       int // changed places
}

// Confirmed reports whether the change is a cause. One of several that lead to the effect each is, too: it would be
// necessary if the others had not been made (an actual cause under a contingency: Halpern and Pearl, 2005).
func (p *Proof) Confirmed() bool {
	return p != nil && p.Sufficient && (p.Necessary || len(p.Also) > 0)
}

// Confirmed reports whether the cause was proven. Where no value differs there is nothing to prove.
func (f *Finding) Confirmed() bool { return f.Proof.Confirmed() && f.Tier() != spectra.TierCalls }

// With returns the other changes that lead to the effect together with the cause, as far as trials can tell them apart.
func (f *Finding) With() []spectra.Symbol {
	switch p := f.Proof; {
	case p == nil || !p.Sufficient || f.Tier() == spectra.TierCalls:
		return nil
	case len(p.Instead) > 0:
		return p.Instead[1:]
	default:
		return slices.DeleteFunc(
			slices.Concat(p.With, p.Unit),
			func(s spectra.Symbol) bool { return s == f.Cause.Symbol },
		)
	}
}

// Among returns the finding of a list that has the same cause, nil if none has.
func (f *Finding) Among(list []*Finding) *Finding {
	for _, other := range list {
		if f.Blamed.Same(other.Blamed) {
			return other
		}
	}
	return nil
}

// Steps returns the steps of a case in which something deviates because of the finding.
func (f *Finding) Steps(c *Case) (list []int) {
	for _, o := range f.Deviations {
		if o.Case == nil || o.Case.Number != c.Number {
			continue
		}
		for _, step := range c.Comparison.Steps(c.Comparison.Deviations[o.Index]) {
			if !slices.Contains(list, step) {
				list = append(list, step)
			}
		}
	}
	return list
}

// Outputs returns the outputs of a case that show the finding: those of its steps, and those of the whole run.
func (f *Finding) Outputs(c *Case) (list []OutputDifference) {
	steps := f.Steps(c)
	for _, o := range c.Comparison.Outputs {
		if o.Step < 0 || slices.Contains(steps, o.Step) {
			list = append(list, o)
		}
	}
	return list
}
