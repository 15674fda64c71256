package diff

import (
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// HasEffect reports whether an effect shows, by itself or beside a worse one.
func (c *Comparison) HasEffect(e Effect) bool { return slices.ContainsFunc(c.shown(), e.Same) }

// DiffersAt reports whether anything shows at the place of an effect, in it or around it, with whatever value, or keeps
// the run from getting there. An output is another place than the states that lead to it.
func (c *Comparison) DiffersAt(e Effect) bool {
	shown := c.outputs()
	if !e.Output {
		shown = c.shown()
		for _, d := range c.Deviations {
			for _, other := range d.Differences {
				shown = append(shown, Effect{Function: d.Function, Path: string(other.Path)})
			}
		}
	}
	return slices.ContainsFunc(shown, func(other Effect) bool {
		within := strings.HasPrefix(e.Path, other.Path) || strings.HasPrefix(other.Path, e.Path)
		return e.Function == other.Function && within || other.EndsCall()
	})
}

// DeviatesAt reports whether something deviates at a site, in it or around it, or leads to what differs there.
func (c *Comparison) DeviatesAt(site noise.Site) bool {
	return slices.ContainsFunc(c.Deviations, func(d *Deviation) bool { return d.at(site) }) ||
		slices.ContainsFunc(c.Outputs, func(o OutputDifference) bool {
			return site.State == noise.Outputs && o.site.Function == site.Function && o.site.Path.Overlaps(site.Path)
		})
}

func (d *Deviation) at(site noise.Site) bool {
	switch {
	case site.State == noise.Calls && site.Path == spectra.Path(d.Function):
		return true
	case d.Function != site.Function || site.State == noise.Outputs:
		return false
	case site.State != noise.Entry && site.State != noise.Exit, d.State == "", endsRun(d):
		return true
	case d.State != site.State:
		return d.Kind == spectra.KindFollower
	}
	return len(d.Differences) == 0 || slices.ContainsFunc(d.Differences, func(of Difference) bool {
		return of.general.Overlaps(site.Path)
	})
}

// shown lists the effects that show by themselves or beside worse ones.
func (c *Comparison) shown() []Effect {
	shown := slices.AppendSeq(c.outputs(), maps.Values(c.left))
	for _, d := range c.Deviations {
		shown = append(shown, d.inside())
	}
	return shown
}

// outputs lists the effects that outputs show.
func (c *Comparison) outputs() (shown []Effect) {
	for _, o := range c.Outputs {
		if o.Step < 0 {
			shown = append(shown, o.effect(nil))
		} else if driven := c.child(o.Step); driven != nil {
			shown = append(shown, o.effect(driven))
		}
	}
	return shown
}

// child returns the driven call of a step, nil if there is none.
func (c *Comparison) child(step int) *Node {
	if c.Root == nil { // it is dropped where nothing deviates
		return nil
	}
	i := slices.IndexFunc(c.Root.Children, func(n *Node) bool { return n.Step == step })
	if i < 0 {
		return nil
	}
	return c.Root.Children[i]
}

// WholeRun returns the effects that the whole run shows, but for its end: what it prints, its files, its calls of what
// it was handed. Of those that were seen during a call it leaves out what a deviation can't have led to; nil: nothing.
func (c *Comparison) WholeRun(d *Deviation) (list []Effect) {
	for _, o := range c.Outputs {
		if o.Step < 0 && o.Path != pathEnd && (d == nil || c.mayLead(d, o.during)) {
			list = append(list, o.effect(nil))
		}
	}
	return list
}

// Effects lists the effects of all deviations, those of the whole run first.
func (c *Comparison) Effects() []Effect {
	list := c.WholeRun(nil)
	for _, d := range c.Deviations {
		list = append(list, c.Effect(d))
	}
	return list
}

// mayLead reports whether a deviation may have led to what was seen during a driven call: it lies in the call, or
// before it, and the call began in another state.
func (c *Comparison) mayLead(d *Deviation, during int) bool {
	steps := c.Steps(d)
	if during < 0 || len(steps) == 0 || slices.Contains(steps, during) {
		return true
	}
	if n := c.child(during); n != nil {
		return n.Entry != Equal && slices.Min(steps) < during
	}
	return slices.Min(steps) < during
}
