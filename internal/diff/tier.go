package diff

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// An Effect is an observable consequence of a deviation.
type Effect struct {
	Tier     spectra.Tier
	Visible  bool           // the caller sees it
	Output   bool           // an output shows it
	Reverse  bool           // the old version did the harm, and the new one does not
	Function spectra.Symbol // the driven function; "": the whole run, or not known
	Path     string         // where it shows; "" where that is not known
	Old, New string

	beside bool // it shows beside the calls: in what the run prints, in its files, in its calls of what it was handed
	part   bool // it shows in a part of a result, other parts of which vary
}

// Compare orders effects, the worst first. What varies ranks before others that can be seen in the same: that it
// differs under one seed is then a part of it. But what a run prints may vary because it does something else, as a test
// that fails prints why.
func (e Effect) Compare(other Effect) int {
	return cmp.Or(
		cmp.Compare(e.Tier.Harm(e.Reach()), other.Tier.Harm(other.Reach())),
		cmp.Compare(e.variation(), other.variation()),
		cmp.Compare(truth(e.Reverse), truth(other.Reverse)),
	)
}

// variation is the place of an effect by whether it is that something varies.
func (e Effect) variation() int {
	switch {
	case e.Tier != spectra.TierNondeterminism:
		return 1
	case e.beside:
		return 2
	}
	return 0
}

// Effect returns the worst effect of a deviation: the one that its driven call shows, if the deviation reached the end
// of that call. A deviation that no end shows is internal. Effects of the whole run (output, files) count only for a
// deviation that no execution shows, or with which the run ends. For other deviations nothing tells whether they led to
// those: see WholeRun.
func (c *Comparison) Effect(d *Deviation) Effect {
	inside := d.inside()
	up, steps := d.Node.up(), c.Steps(d)
	driven := up.driven
	reaches := !up.alike || endsRun(d) && !up.ended // what ends the run leaves its callers open
	var worst Effect
	for _, o := range c.Outputs {
		switch {
		case o.Step >= 0 && reaches && slices.Contains(steps, o.Step),
			d.showsIn(o) && (o.Step < 0 || d.Node == nil && slices.Contains(steps, o.Step)),
			o.Path == pathEnd && endsRun(d):
			worst = worst.Worse(o.effect(driven))
		}
	}
	if left, ok := c.left[driven]; ok && reaches {
		worst = worst.Worse(left)
	}
	if worst.Tier == "" || !reaches {
		worst = worst.Worse(inside)
	}
	if d.Kind == spectra.KindNondeterminism {
		worst.Tier, worst.Reverse = spectra.TierNondeterminism, false
		worst.Path, worst.Old, worst.New = string(d.Path), d.Old, d.New
	}
	return worst
}

// inside returns the effect of a deviation that no end shows.
func (d *Deviation) inside() Effect {
	e := Effect{Tier: spectra.TierInternal, Function: d.Function, Path: string(d.Path), Old: d.Old, New: d.New}
	if d.Kind == spectra.KindNewOnly || d.Kind == spectra.KindOldOnly {
		e.Tier = spectra.TierCalls
	}
	return e
}

// Same reports whether two effects are the same harm at the same place, with the same new value.
func (e Effect) Same(other Effect) bool {
	return e.Function == other.Function && e.Path == other.Path && e.New == other.New && e.Compare(other) == 0
}

const (
	pathEnd   = "end"
	pathPanic = "panic"
)

// Beside reports whether the effect shows beside the calls only. What led to it can then be told less surely.
func (e Effect) Beside() bool { return e.beside }

// InDigests reports whether an output shows the effect to what records no values. Of a result that varies in parts only
// values tell how the others differ.
func (e Effect) InDigests() bool { return e.Output && !e.part }

// EndsCall reports whether the effect is how a call ends, or the run: then the call returns nothing that could be seen.
func (e Effect) EndsCall() bool { return e.Path == pathEnd || e.Path == pathPanic }

// Reach reports whether the caller sees the effect.
func (e Effect) Reach() spectra.Reach {
	if e.Visible {
		return spectra.Visible
	}
	return spectra.Masked
}

// Worse returns the worse one of two effects, e if they are alike. The zero Effect is none.
func (e Effect) Worse(other Effect) Effect {
	if e.Tier == "" || other.Compare(e) < 0 {
		return other
	}
	return e
}

// leftBehind returns the effects of the driven calls that end in another state than outputs tell.
func leftBehind(root *Node, outputs []OutputDifference) map[*Node]Effect {
	left := map[*Node]Effect{}
	for _, n := range root.Children {
		if n.Exit != Different {
			continue
		}
		var told []spectra.Path
		for _, o := range outputs {
			if o.Step == n.Step {
				told = append(told, spectra.Path(o.Path))
			}
		}
		if e, ok := n.outlives(told); ok {
			left[n] = e
		}
	}
	return left
}

// showsIn reports whether a deviation is that of an output which no execution shows.
func (d *Deviation) showsIn(o OutputDifference) bool {
	return d.State == noise.Outputs && o.Path == string(d.Path)
}

// Steps returns the steps in which something deviates: that of the driven call above an execution. If no
// execution shows the deviation, they are those of the outputs that do.
func (c *Comparison) Steps(d *Deviation) []int {
	if driven := d.Node.up().driven; driven != nil {
		return []int{driven.Step}
	}
	var steps []int
	if d.Node == nil && d.State == noise.Outputs {
		for _, o := range c.Outputs {
			if d.showsIn(o) {
				steps = append(steps, o.Step)
			}
		}
	}
	return steps
}

// effect returns the effect that an output shows.
func (o OutputDifference) effect(driven *Node) Effect {
	e := Effect{Tier: spectra.TierValue, Visible: true, Output: true, Path: o.Path, Old: o.Old, New: o.New}
	e.beside, e.part = o.Step < 0 && o.Path != pathEnd, o.part
	if driven != nil && o.Step >= 0 {
		e.Function = driven.Function
	}
	oldOK, newOK := false, false // neither is known to be right
	switch {
	case o.introduced:
		e.Tier = spectra.TierNondeterminism
		return e
	case o.Path == pathPanic:
		e.Tier, oldOK, newOK = driven.panicTier(), o.Old == noPanic, o.New == noPanic
	case o.Path == pathEnd:
		e.Tier, oldOK, newOK = spectra.TierCrash, o.Old == allRan, o.New == allRan
		if !oldOK && !newOK {
			e.Tier = otherEnd(o.Old, o.New)
			return e
		}
	case o.Path == "stderr":
		e.Tier = spectra.TierText
		return e
	case strings.HasPrefix(o.Path, "ret") && (isError(o.Old) || isError(o.New)):
		e.Tier, oldOK, newOK = spectra.TierError, o.Old == nilText, o.New == nilText
		if !oldOK && !newOK && withoutTexts(o.Old) != withoutTexts(o.New) {
			e.Tier = spectra.TierValue
			return e
		}
	default:
		return e
	}
	if oldOK == newOK {
		e.Tier = spectra.TierText
	}
	e.Reverse = newOK
	return e
}

// otherEnd returns the tier of a run that does not end well in either version.
func otherEnd(old, new string) spectra.Tier {
	before, _, _ := strings.Cut(old, ":")
	after, _, _ := strings.Cut(new, ":")
	switch {
	case before != after:
		return spectra.TierCrash
	case after == (spectra.End{Kind: wire.EndCrashed}).String():
		return spectra.TierText
	}
	return spectra.TierValue
}

var allRan = spectra.End{Kind: wire.EndDone}.String()

const (
	nilText   = "nil"
	errorText = `error "`
)

// isError reports whether the text of a result is that of an error, or of what holds one.
func isError(text string) bool {
	return strings.HasPrefix(text, errorText) || strings.Contains(text, "("+errorText)
}

// withoutTexts returns a text without the texts of the errors in it.
func withoutTexts(text string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, errorText)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		out.WriteString(errorText)
		quoted, err := strconv.QuotedPrefix(`"` + after)
		if err != nil {
			return out.String() // it is cut within an error
		}
		text = after[len(quoted)-1:]
	}
}

// outlives returns the effect of a driven call that ends in another state: on what it was handed, or on what later
// calls can reach. It returns false if outputs, whose paths are given, tell all of it.
func (n *Node) outlives(told []spectra.Path) (Effect, bool) {
	e := Effect{Tier: spectra.TierLatent, Function: n.Function}
	d := n.Deviation
	if d == nil || d.State != noise.Exit {
		return e, len(told) == 0
	}
	e.Path, e.Old, e.New = string(d.Path), d.Old, d.New
	if d.Kind == spectra.KindPanic {
		return e.panics(n), true
	}
	if len(d.Differences) == 0 {
		return e, len(told) == 0
	}
	found := false
	for _, one := range d.Differences {
		at := one.general
		if slices.ContainsFunc(told, func(p spectra.Path) bool { return at == p || at.Below(p) }) {
			continue
		}
		if !found {
			e.Path, e.Old, e.New, found = string(one.Path), one.Old, one.New, true
		}
		if n.handed(one.general) {
			return Effect{
				Tier: spectra.TierValue, Visible: true, Function: n.Function,
				Path: string(one.Path), Old: one.Old, New: one.New,
			}, true
		}
	}
	return e, found
}

// panics returns the effect of a panic that leaves a driven call, or no longer does.
func (e Effect) panics(of *Node) Effect {
	e.Tier, e.Visible = of.panicTier(), true
	old, was := strings.CutPrefix(e.Old, panicPrefix)
	new, is := strings.CutPrefix(e.New, panicPrefix)
	switch {
	case was && is:
		e.Tier = spectra.TierText
	case was, old == spectra.Panicked.String(): // what it panicked with was not kept
		new, e.Reverse = noPanic, true
	case is, new == spectra.Panicked.String():
		old = noPanic
	}
	e.Old, e.New = old, new
	return e
}

// panicTier returns the tier of a panic in one version. It is no crash if that version was handed nil where the other
// was not: what led to the nil is what differs.
func (n *Node) panicTier() spectra.Tier {
	if n == nil || n.Old == nil || n.New == nil {
		return spectra.TierCrash
	}
	for _, s := range n.New.Entry.Slots() {
		variable := strings.Contains(s.Name, ".") // of a package
		old, new := slot(n.Old.Entry, s.Name), s.Value
		if !variable && old != nil && new != nil && (old.Kind == wire.ValueNil) != (new.Kind == wire.ValueNil) {
			return spectra.TierValue
		}
	}
	return spectra.TierCrash
}

// handed reports whether a path lies in what the caller handed in and can look at: it can be followed from outside of
// the package, or lies in a value of the standard library, whose methods show what is in it.
func (n *Node) handed(path spectra.Path) bool {
	if n.New == nil || n.New.Point == nil {
		return false
	}
	for _, slot := range n.New.Point.Slots {
		name := spectra.Path(slot.Name)
		if slot.Kind == spectra.Parameter && (path == name || path.Below(name)) {
			return exported(path[len(name):]) || n.standard(slot.Name)
		}
	}
	return false
}

// standard reports whether a parameter holds a type of the standard library: the path of its package begins with a name
// without a dot, and otherwise than that of the function's.
func (n *Node) standard(parameter string) bool {
	v := slot(n.New.Exit, parameter)
	for v.Elem() != nil {
		v = v.Elem()
	}
	if v == nil || v.Type == "" {
		return false
	}
	first, _, _ := strings.Cut(v.Type, "/")
	if first == v.Type { // bytes.Buffer
		first, _, _ = strings.Cut(v.Type, ".")
	}
	own, _, found := strings.Cut(string(n.Function), "/")
	if !found {
		own, _, _ = strings.Cut(own, ".")
	}
	return !strings.Contains(first, ".") && first != own
}
