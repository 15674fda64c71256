package root

import (
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
)

// A shown tells what one whole run shows that deviations may have led to. Deviations of the same steps share it: a run
// may show thousands of differences, and have as many deviations.
type shown struct {
	of    *diff.Comparison
	known map[string][]diff.Effect // by steps
}

func newShown(c *diff.Comparison) *shown { return &shown{c, map[string][]diff.Effect{}} }

// behind returns the worst effect in each place that a deviation may have led to; nil stands for any. Of effects that
// are equally bad it is the first one, and so are the places in order.
func (w *shown) behind(d *diff.Deviation) []diff.Effect {
	steps := ""
	if d != nil {
		steps = fmt.Sprint(w.of.Steps(d))
	}
	list, ok := w.known[steps]
	if !ok {
		list = worstOfPlaces(w.of.WholeRun(d))
		w.known[steps] = list
	}
	return list
}

func worstOfPlaces(effects []diff.Effect) (list []diff.Effect) {
	worst := map[place]int{}
	for i, e := range effects {
		p := placeOf(e.Path)
		if before, ok := worst[p]; !ok || e.Compare(effects[before]) < 0 {
			worst[p] = i
		}
	}
	var order []int
	for _, i := range worst {
		order = append(order, i)
	}
	slices.Sort(order)
	for _, i := range order {
		list = append(list, effects[i])
	}
	return list
}
