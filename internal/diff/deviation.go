package diff

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Deviation is one difference between the two runs.
type Deviation struct {
	Kind     spectra.Kind
	Function spectra.Symbol // by its new name; "" = the whole sequence
	Node     *Node          // nil: no execution shows it, only the output or the end of the run
	State    noise.State
	Path     spectra.Path // of the first difference; "" when no values were recorded
	Old, New string       // the texts of the first difference
	Site     noise.Site   // of KindNondeterminism: what varies, as masks know it
	// Differences lists everything that differs in the state, topmost first.
	Differences []Difference
}

// Tells reports whether values say what differs.
func (d *Deviation) Tells() bool { return d.Old != "" || d.New != "" }

// Types returns the types of what holds the first difference, by their symbols, the innermost first; as far as values
// were recorded.
func (d *Deviation) Types() (types []string) {
	if d.Node == nil {
		return nil
	}
	of, recorded := d.Node.states(d.State)
	if !recorded {
		return nil
	}
	for _, s := range of.New.Slots() {
		if top := spectra.Path(s.Name); d.Path == top || d.Path.Below(top) {
			types = typesTo(types, top, s.Value, d.Path)
		}
	}
	slices.Reverse(types)
	return types
}

// typesTo appends the types on the way from a value to a path.
func typesTo(types []string, at spectra.Path, v *spectra.Value, to spectra.Path) []string {
	switch {
	case v == nil:
		return types
	case v.Type != "" && v.Kind != wire.ValueFunc:
		types = append(types, v.Type)
	}
	if elem := v.Elem(); elem != nil {
		return typesTo(types, at, elem, to)
	}
	for i, item := range v.Items {
		if step := v.Step(at, i); to == step || to.Below(step) {
			return typesTo(types, step, item.Value, to)
		}
	}
	return types
}

// Shown returns the differing values for people to read; of a panic only the panic.
func (d *Deviation) Shown() []Difference {
	if d.Kind != spectra.KindPanic {
		return d.Differences
	}
	return slices.DeleteFunc(slices.Clone(d.Differences), func(d Difference) bool {
		return !strings.HasPrefix(string(d.Path), "panic")
	})
}

// list sets the deviations of nodes and collects them in the order of the tree.
func (c *comparer) list(result *Comparison, new *spectra.Spectrum) []*Deviation {
	var all []*Deviation
	result.Root.Walk(func(n *Node) bool {
		n.above = n.up()
		n.above.known = true
		if n.Deviation == nil {
			n.Deviation = c.deviation(n)
		}
		if n.Deviation != nil {
			all = append(all, n.Deviation)
		}
		return true
	})
	if d := result.wholeRun(); d != nil &&
		(len(all) == 0 || d.Kind == spectra.KindExit && !slices.ContainsFunc(all, endsRun)) {
		all = append(all, d)
	}
	if d := c.introducedOutput(new); d != nil && len(all) == 0 {
		all = append(all, d)
	}
	return all
}

func endsRun(d *Deviation) bool { return d.Kind == spectra.KindExit || d.Kind == spectra.KindPanic }

func (c *comparer) deviation(n *Node) *Deviation {
	d := &Deviation{Function: n.Function, Node: n}
	switch n.Class {
	case OldOnly, NewOnly:
		if n.Parent.Class == n.Class {
			return nil
		}
		d.Kind, d.Old, d.New = spectra.KindNewOnly, None, "executed"
		if n.Class == OldOnly {
			d.Kind, d.Old, d.New = spectra.KindOldOnly, "executed", None
		}
		return d
	case Container:
		d.Kind, d.State = spectra.KindContainer, noise.Exit
		d.Differences = c.differences(n.Function, noise.Exit, n.Old.Exit, n.New.Exit)
	case Follower:
		d.Kind, d.State = spectra.KindFollower, noise.Entry
		d.Differences = c.differences(n.Function, noise.Entry, n.Old.Entry, n.New.Entry)
	default:
		return nil
	}
	if len(d.Differences) > 0 {
		first := d.Differences[0]
		d.Path, d.Old, d.New = first.Path, first.Old, first.New
	}
	c.ending(d)
	c.leaving(d)
	return d
}

// ending turns d into a deviation of how the execution ended, where that differs.
func (c *comparer) ending(d *Deviation) {
	old, new := c.runs.Old.factsOf(d.Node.Old).How, c.runs.New.factsOf(d.Node.New).How
	panicked := spectra.Panicked
	oldPanic, newPanic := slot(d.Node.Old.Exit, "panic"), slot(d.Node.New.Exit, "panic")
	switch {
	case old == panicked && new == panicked:
		i := slices.IndexFunc(d.Differences, func(d Difference) bool {
			return d.general == "panic" || d.general.Below("panic")
		})
		if d.State != noise.Exit || i < 0 {
			return
		}
	case old == new:
		return
	}
	d.Kind, d.State, d.Path = spectra.KindExit, noise.Exit, "end"
	if old == panicked || new == panicked {
		d.Kind, d.Path = spectra.KindPanic, "panic"
	}
	d.Old, d.New = endText(old, oldPanic, c.ends.Old), endText(new, newPanic, c.ends.New)
}

func slot(s spectra.State, name string) *spectra.Value {
	for _, slot := range s.Slots() {
		if slot.Name == name {
			return slot.Value
		}
	}
	return nil
}

func endText(how spectra.How, panic *spectra.Value, run spectra.End) string {
	switch {
	case how == spectra.Panicked && panic != nil:
		return panicPrefix + panic.Short(textWidth)
	case how != spectra.Open:
	case run.Kind == wire.EndTimeout, run.Kind == wire.EndStepLimit, run.Kind == wire.EndBlocked:
		return NoEnd + run.Detail
	}
	return how.String()
}

const panicPrefix = "panic: "

// NoEnd begins what is said of an execution that does not end; how that was told follows.
const NoEnd = "does not end: "
